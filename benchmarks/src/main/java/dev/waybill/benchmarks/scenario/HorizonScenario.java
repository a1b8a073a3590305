package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Runner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** Whether a snapshot that somebody holds, so that no dead row can be removed, slows a relay that runs on. */
final class HorizonScenario implements Scenario {
    private static final String NAME = "horizon";
    private static final String HELD = ", held snapshot";

    @Override
    public void run(Bench bench) {
        Map<String, String> options = Map.of("retention", "PT0S");
        Runner raw = bench.contender(RawProvider.BY_HAND, "raw", options);
        Runner waybill = bench.contender(OwnProvider.WAYBILL, "waybill", options);
        Map<String, double[]> found = bench.rounds(
                new Rounds()
                        .with(OwnProvider.WAYBILL, () -> plain(bench, waybill))
                        .with(OwnProvider.WAYBILL + HELD, () -> held(bench, waybill, "waybill"))
                        .with(RawProvider.BY_HAND, () -> plain(bench, raw))
                        .with(RawProvider.BY_HAND + HELD, () -> held(bench, raw, "raw")),
                bench.sizes().pairs());
        bench.figures(NAME, "drain, retention 0", "events/s", found);
        bench.report()
                .check(
                        Bars.HORIZON,
                        Spread.ofRatios(
                                found.getOrDefault(OwnProvider.WAYBILL + HELD, new double[0]),
                                found.getOrDefault(OwnProvider.WAYBILL, new double[0])));
    }

    private static double plain(Bench bench, Runner runner) {
        prepare(bench, runner);
        double rate = drainWhileRunning(bench, runner, bench.sizes().smallBacklog());
        runner.stop();
        return rate;
    }

    private static double held(Bench bench, Runner runner, String database) {
        prepare(bench, runner);
        try (Connection connection = bench.server().connect(database)) {
            holdSnapshot(connection);
            drainWhileRunning(bench, runner, bench.sizes().delivered());
            double rate = drainWhileRunning(bench, runner, bench.sizes().smallBacklog());
            runner.stop();
            return rate;
        } catch (SQLException e) {
            throw new IllegalStateException("The snapshot could not be held", e);
        }
    }

    private static void prepare(Bench bench, Runner runner) {
        runner.install();
        bench.server().checkpoint();
        runner.start();
    }

    private static void holdSnapshot(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM purchase")) {
            rows.next();
        }
    }

    /** All of it is committed at once, while the relay waits for it. */
    private static double drainWhileRunning(Bench bench, Runner runner, int messages) {
        runner.fill(messages, Sizes.KEYS, Sizes.PAYLOAD);
        bench.noteMissing(runner, runner.await(messages, Bench.PATIENCE).messages(), messages);
        Runner.Received received = runner.renew();
        if (runner.contender().equals(OwnProvider.WAYBILL)) {
            bench.checkBacklog(NAME, messages, List.of(runner));
        }
        return received.perSecond();
    }
}
