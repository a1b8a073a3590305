package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Runner;
import dev.waybill.testkit.kafka.KafkaBroker;
import java.util.Map;

/** From PostgreSQL to a Kafka broker, with many keys and with one; what arrived is read from the topic. */
final class KafkaScenario implements Scenario {
    private static final String NAME = "kafka";
    private static final int PARTITIONS = 4;
    private static final int HOT_SHARE = 50;

    @Override
    public void run(Bench bench) {
        try (KafkaBroker broker = KafkaBroker.start(bench.folder().resolve("kafka"))) {
            Runner raw = contender(bench, broker, RawProvider.KAFKA, "raw", false);
            Runner waybill = contender(bench, broker, OwnProvider.WAYBILL, "waybill", false);
            Runner exact = contender(bench, broker, OwnProvider.EXACTLY_ONCE, "exact", true);
            try (Topic topic = new Topic(broker.bootstrapServers(), "waybill");
                    Topic exactTopic = new Topic(broker.bootstrapServers(), "exact")) {
                Contenders all = new Contenders(raw, waybill, topic, exact, exactTopic);
                Map<String, double[]> many = measure(
                        bench,
                        all,
                        bench.sizes().backlog(),
                        Sizes.KEYS,
                        bench.sizes().withClient());
                bench.figures(NAME, "1,000 keys", "events/s", many);
                bench.report()
                        .check(
                                Bars.KAFKA,
                                Spread.ofRatios(
                                        many.getOrDefault(OwnProvider.WAYBILL, new double[0]),
                                        many.getOrDefault(RawProvider.KAFKA, new double[0])));
                Map<String, double[]> hot = measure(
                        bench,
                        all,
                        bench.sizes().backlog() / HOT_SHARE,
                        1,
                        bench.sizes().warmUps());
                bench.figures(NAME, "one hot key", "events/s", hot);
            }
            // They must not look for a broker that is gone.
            bench.workers().close();
        }
    }

    private record Contenders(Runner raw, Runner waybill, Topic topic, Runner exact, Topic exactTopic) {}

    private static Runner contender(Bench bench, KafkaBroker broker, String name, String topic, boolean exactlyOnce) {
        broker.createTopic(topic, PARTITIONS);
        return bench.contender(
                name,
                topic,
                Map.of(
                        "retention",
                        "PT0S",
                        "kafka",
                        broker.bootstrapServers(),
                        "topic",
                        topic,
                        "exactly-once",
                        String.valueOf(exactlyOnce)));
    }

    private static Map<String, double[]> measure(Bench bench, Contenders all, int messages, int keys, int warmUps) {
        Rounds.Measure byHand = () -> bench.drain(all.raw, messages, keys);
        Rounds.Measure ours = () -> checked(bench, all.waybill, all.topic, messages, keys);
        Rounds.Measure exact = () -> checked(bench, all.exact, all.exactTopic, messages, keys);
        bench.warmUp(all.raw, byHand, warmUps);
        bench.warmUp(all.waybill, ours, warmUps);
        bench.warmUp(all.exact, exact, warmUps);
        Rounds rounds = new Rounds()
                .with(RawProvider.KAFKA, byHand)
                .with(OwnProvider.WAYBILL, ours)
                .with(OwnProvider.EXACTLY_ONCE, exact);
        return bench.rounds(rounds, bench.sizes().fewPairs());
    }

    private static double checked(Bench bench, Runner runner, Topic topic, int messages, int keys) {
        double rate = bench.drain(runner, messages, keys);
        bench.report().findings(NAME, topic.compare(messages));
        return rate;
    }
}
