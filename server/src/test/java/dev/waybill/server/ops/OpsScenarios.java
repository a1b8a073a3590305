package dev.waybill.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.server.RecordedTerminal;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.ops.OutboxRig.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command of the operator, on a real database and with a real relay where there is one in real life. */
abstract class OpsScenarios {
    @TempDir
    Path folder;

    private OutboxRig rig;

    /** A new, empty database. */
    abstract Pools.Target freshDatabase() throws Exception;

    @BeforeEach
    void open() throws Exception {
        rig = new OutboxRig(freshDatabase());
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void statusSaysThatAllIsWellWhenItIs() {
        rig.startRelay();
        UUID id = rig.publish("orders", "a", "order.placed");
        await().until(() -> rig.delivered().contains(id));
        await().untilAsserted(() -> assertThat(ok("status"))
                .startsWith("All well: nothing is waiting.\n1 live relay, all 64 shards owned.")
                .containsPattern("orders +0 +0 +0 +- +1 +0 +0 +0 +-"));
    }

    @Test
    void statusSaysWhatIsWrongAndWhatToDo() {
        assertThat(ok("status")).contains("No relay is running", "There is nothing in the outbox");
        rig.startRelay();
        rig.publish("orders", "a", OutboxRig.POISON);
        rig.publish("orders", "a", "order.placed");
        rig.awaitDead(1);
        rig.awaitWaiting(1);
        ok("pause", "mail", "--why", "bad deployment");
        rig.publish("mail", null, "mail.sent");
        assertThat(ok("status"))
                .contains("1 dead letter needs a decision: waybill ops dead list.")
                .contains("Paused by decision: mail. See waybill ops pauses.")
                .containsPattern("mail +1 .*paused")
                .containsPattern("orders +0 +0 +0 +- +0 +1 +1 +1 +-")
                .containsPattern("\\(all\\) +1 ");
    }

    @Test
    void statusIsReadByProgramsToo() throws Exception {
        rig.publish("orders", "a", "order.placed");
        assertThat(ok("status", "--json", "-"))
                .startsWith("{")
                .contains("\"allWell\" : false", "\"pending\" : 1", "\"destination\" : \"orders\"")
                .doesNotContain("PENDING");
        Path file = folder.resolve("status.json");
        assertThat(ok("status", "--json", file.toString())).contains("PENDING");
        assertThat(Files.readString(file)).contains("\"liveRelays\" : 0", "\"ownedShards\" : 0");
    }

    @Test
    void watchingLooksAgainUntilItIsStopped() {
        RecordedTerminal terminal = new RecordedTerminal();
        StatusCommand status = new StatusCommand(terminal.terminal());
        CommandLine command = new CommandLine(status);
        CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(() -> command.execute(
                "--watch",
                "--database",
                rig.target().url(),
                "--user",
                "" + rig.target().user()));
        await().until(() -> terminal.out().split("live relays", -1).length > 2);
        status.stop();
        assertThat(exitCode).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(0);
    }

    @Test
    void findTellsWhereAnEventIsAndWhatToDoNext() {
        UUID delayed = rig.publish(event("orders").availableIn(Duration.ofHours(1)));
        UUID pending = rig.publish("orders", "a", "order.placed");
        assertThat(ok("find", delayed.toString()))
                .contains(delayed + " is delayed: not due yet", "(in 59m", "waybill ops cancel " + delayed);
        assertThat(ok("find", pending.toString())).contains("is pending", "no relay owns its shard");
        rig.startRelay();
        UUID dead = rig.publish("orders", "b", OutboxRig.POISON);
        UUID waiting = rig.publish("orders", "b", "order.placed");
        rig.awaitDead(1);
        rig.awaitWaiting(1);
        await().untilAsserted(() -> assertThat(ok("find", pending.toString())).contains("is delivered, since"));
        assertThat(ok("find", dead.toString()))
                .contains(
                        "is a dead letter",
                        "no such account \\x1b[31m",
                        "waybill ops dead show " + rig.sequenceOf(dead))
                .doesNotContain("\u001b");
        assertThat(ok("find", waiting.toString())).contains("is waiting: its key is parked", "keys list");
        assertThat(ok("find", dead.toString(), "--json", "-")).contains("\"place\" : \"dead\"");
        assertThat(failed("find", UUID.randomUUID().toString())).contains("there is no event", "rolled back");
    }

    @Test
    void deadLettersAreListedInPagesAndByFilter() {
        rig.startRelay();
        for (int i = 0; i < 5; i++) {
            rig.publish("orders", "key-" + i, OutboxRig.POISON);
        }
        UUID mail = rig.publish("mail", null, OutboxRig.POISON);
        rig.awaitDead(6);
        String first = ok("dead", "list", "--limit", "4");
        assertThat(first).contains("key-0", "key-3", "4 of 6 dead letters", "no such account \\x1b[31m");
        assertThat(first).doesNotContain("key-4", "\u001b");
        String after = first.replaceFirst("(?s).*--after (\\d+).*", "$1");
        assertThat(ok("dead", "list", "--limit", "4", "--after", after))
                .contains("key-4", "mail")
                .doesNotContain("key-3", "Next page");
        assertThat(ok("dead", "list", "--destination", "mail")).contains("1 of 1 dead letter.");
        assertThat(ok("dead", "list", "--key", "key-2"))
                .contains("key-2", "1 of 1")
                .doesNotContain("key-3");
        assertThat(ok("dead", "list", "--reason", "ACCOUNT")).contains("6 of 6");
        assertThat(ok("dead", "list", "--since", "1h", "--until", "now", "--state", "pending"))
                .contains("6 of 6");
        assertThat(ok("dead", "list", "--type", "other")).contains("No dead letters like that.");
        assertThat(ok("dead", "list", "--state", "skipped")).contains("No dead letters like that.");
        assertThat(ok("dead", "list", "--limit", "1", "--json", "-"))
                .contains("\"count\" : 6", "\"sequence\" : ", "\"parksKey\" : true")
                .doesNotContain(mail.toString());
    }

    @Test
    void aDeadLetterIsShownWithAllOfIt() throws Exception {
        rig.startRelay();
        UUID text = rig.publish(event("orders")
                .type(OutboxRig.POISON)
                .key("k\u001b]0;owned\u0007")
                .header("tenant", "acmé"));
        byte[] bytes = {0, 1, 2, (byte) 0xff, 'W', 'a', 'y'};
        UUID binary = rig.publish(event("mail").type(OutboxRig.POISON).payload(bytes));
        rig.awaitDead(2);
        assertThat(ok("dead", "show", sequence(text)))
                .contains(
                        "nobody has decided",
                        text.toString(),
                        "tenant: acmé",
                        "{\"amount\": 7}",
                        "later events of the key wait")
                .contains("k\\x1b]0;owned\\x07")
                .doesNotContain("\u001b", "\u0007");
        assertThat(ok("dead", "show", sequence(binary))).contains("7 bytes", "00 01 02 ff 57 61 79", "|....Way|");
        Path file = folder.resolve("payload");
        assertThat(ok("dead", "show", sequence(binary), "--payload", file.toString()))
                .contains("written to " + file);
        assertThat(file).hasBinaryContent(bytes);
        assertThat(ok("dead", "show", sequence(text), "--json", "-"))
                .contains("\"payloadText\" : \"{\\\"amount\\\": 7}\"", "\"tenant\" : \"acmé\"");
        assertThat(ok("dead", "show", sequence(binary), "--json", "-"))
                .contains("\"payloadBase64\" : \"AAEC/1dheQ==\"");
        assertThat(failed("dead", "show", "4711")).contains("there is no dead letter 4711");
    }

    @Test
    void aRedrivenDeadLetterArrivesAndThenWhatWaitedBehindIt() {
        rig.startRelay();
        UUID dead = rig.publish("orders", "a", OutboxRig.POISON);
        UUID behind = rig.publish("orders", "a", "order.placed");
        rig.awaitDead(1);
        rig.awaitWaiting(1);
        String sequence = sequence(dead);
        rig.mend();
        assertThat(ok("dead", "redrive", sequence, "--by", "maria", "--why", "mended"))
                .contains("Dead letter " + sequence + " redriven; what waits behind it goes on, in order.")
                .contains("Outcome: waybill ops dead show " + sequence);
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(dead, behind));
        assertThat(ok("dead", "redrive", sequence))
                .contains("Nothing to do for dead letter " + sequence + ": redrive by maria", "(mended)");
        Run unknown = rig.ops("dead", "redrive", "4711");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no dead letter 4711").hasLineCount(1);
        await().untilAsserted(() -> assertThat(ok("dead", "show", sequence))
                .contains("it was tried again and worked", "Nothing more can be done"));
        assertThat(ok("dead", "list", "--state", "resolved")).contains("1 of 1", "REPLAYS");
        assertThat(failed("dead", "edit", sequence, "--version", "2")).contains("was tried again and worked");
    }

    @Test
    void allDeadLettersLikeThatAreRedrivenOnlyAfterAYes() {
        rig.startRelay();
        for (int i = 0; i < 120; i++) {
            rig.publish("orders", null, OutboxRig.POISON);
        }
        UUID other = rig.publish("mail", null, OutboxRig.POISON);
        rig.awaitDead(121);
        assertThat(ok("dead", "redrive", "--all", "--destination", "orders"))
                .contains("Would redrive 120 dead letters. Nothing was done");
        assertThat(rig.store().operations().statistics().dead()).isEqualTo(121);
        rig.mend();
        assertThat(ok("dead", "redrive", "--all", "--destination", "orders", "--yes", "--why", "mended"))
                .contains("120 dead letters redriven.");
        await().untilAsserted(() -> assertThat(rig.delivered()).hasSize(120).doesNotContain(other));
        assertThat(ok("dead", "redrive", "--all", "--destination", "orders")).contains("Nothing to do");
    }

    @Test
    void aConsumersDeadLetterIsShownWithItsWholeStory() throws Exception {
        try (ConsumerRig consumer = new ConsumerRig(rig.target())) {
            String sequence = Long.toString(consumer.refuse("anna"));
            assertThat(ok("dead", "list", "--prefix", ConsumerRig.PREFIX, "--consumer", "stock"))
                    .containsPattern(
                            "SEQ +DIED +CONSUMER +DESTINATION +SOURCE +KEY +TYPE +SAGA +CORRELATION +TRIED +STATE")
                    .containsPattern("stock +orders +shop +anna +order.placed +saga-1 +c-1 +1 +pending")
                    .contains("ConsumerRig$OutOfStock: no pens \\x1b[31m ...")
                    .doesNotContain("dev.waybill", "\u001b", "\\n");
            assertThat(ok("dead", "show", sequence, "--prefix", ConsumerRig.PREFIX))
                    .containsPattern("consumer +stock\n +published to +orders\n +published by +shop\n +saga +saga-1")
                    .containsPattern("correlation +c-1\n")
                    .containsPattern("reason +dev.waybill.*OutOfStock: no pens .x1b.31m\n +at dev.waybill.server")
                    .doesNotContain("\u001b", "\\n");
            assertThat(ok("dead", "show", sequence, "--prefix", ConsumerRig.PREFIX, "--json", "-"))
                    .contains("\"consumer\" : \"stock\"", "\"publishedTo\" : \"orders\"")
                    .contains("\"sourceService\" : \"shop\"", "\"sagaId\" : \"saga-1\"", "\"replays\" : 0");
        }
    }

    @Test
    void whatBecameOfAReplayCanBeSeen() {
        try (ConsumerRig consumer = new ConsumerRig(rig.target())) {
            long sequence = consumer.refuse("anna");
            String[] redrive = {"dead", "redrive", "" + sequence, "--prefix", ConsumerRig.PREFIX};
            String[] show = {"dead", "show", "" + sequence, "--prefix", ConsumerRig.PREFIX};
            assertThat(ok(redrive)).contains("Outcome: waybill ops dead show " + sequence);
            consumer.awaitReplays(sequence, 1);
            assertThat(ok(show)).contains("nobody has decided").containsPattern("replays +1\n");
            consumer.mend();
            ok(redrive);
            await().untilAsserted(() -> assertThat(ok(show)).contains("it was tried again and worked"));
            assertThat(consumer.handled()).hasSize(1);
            assertThat(ok("dead", "list", "--prefix", ConsumerRig.PREFIX)).contains("No dead letters.");
            assertThat(ok("dead", "list", "--state", "replaying", "--prefix", ConsumerRig.PREFIX))
                    .contains("No dead letters like that.");
        }
    }

    @Test
    void whatWasReplayedTooOftenIsRefusedAndNamed() {
        try (ConsumerRig consumer = new ConsumerRig(rig.target())) {
            long sequence = consumer.refuse("anna");
            long other = consumer.refuse("ben");
            ok("dead", "redrive", "" + sequence, "--prefix", ConsumerRig.PREFIX);
            consumer.awaitReplays(sequence, 1);
            String[] once = {"--prefix", ConsumerRig.PREFIX, "--max-replays", "1"};
            String refusal = "refused, because it was tried again too often and failed each time: dead letter "
                    + sequence + ". Correct it with dead edit";
            assertThat(failed(with(once, "dead", "redrive", "" + sequence)))
                    .contains(refusal, "--max-replays <n>")
                    .hasLineCount(1);
            assertThat(failed(with(once, "keys", "release", "stock", "anna"))).contains(refusal);
            Run bulk = rig.ops(with(once, "dead", "redrive", "--all", "--yes", "--why", "again"));
            assertThat(bulk.exitCode()).isEqualTo(1);
            assertThat(bulk.out()).contains("1 dead letter redriven.", "dead list --state replaying");
            assertThat(bulk.err()).contains(refusal);
            consumer.awaitReplays(other, 1);
            ok("dead", "edit", "" + sequence, "--set-header", "checked=yes", "--prefix", ConsumerRig.PREFIX);
            consumer.mend();
            ok(with(once, "dead", "redrive", "" + sequence));
            await().until(() -> consumer.handled().size() == 1);
            assertThat(wrong("dead", "redrive", "1", "--max-replays", "0")).contains("it must be at least 1");
        }
    }

    private static String[] with(String[] options, String... words) {
        return Stream.concat(Stream.of(words), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void aCorrectedDeadLetterArrivesCorrected() throws Exception {
        rig.startRelay();
        UUID dead = rig.publish("orders", "a", OutboxRig.POISON);
        rig.awaitDead(1);
        String sequence = sequence(dead);
        Path payload = Files.writeString(folder.resolve("fixed.json"), "{\"amount\": 8}");
        assertThat(ok("dead", "edit", sequence, "--content-type", "application/json"))
                .contains("Nothing to do: dead letter " + sequence + " is like that already.");
        assertThat(failed("dead", "edit", sequence, "--remove-header", "nope")).contains("no header nope", "[tenant]");
        assertThat(wrong("dead", "edit", sequence, "--type", "not a type")).contains("Event type", "is not allowed");
        assertThat(wrong("dead", "edit", sequence, "--version", "0")).contains("versions start at 1");
        assertThat(ok(
                        "dead",
                        "edit",
                        sequence,
                        "--payload",
                        payload.toString(),
                        "--set-header",
                        "fixed=yes=no",
                        "--remove-header",
                        "tenant",
                        "--type",
                        "order.placed",
                        "--version",
                        "2",
                        "--redrive"))
                .contains("Dead letter " + sequence + " corrected", "redriven");
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(dead));
        var arrived = rig.deliveries().get(0).event();
        assertThat(arrived.payload().utf8()).isEqualTo("{\"amount\": 8}");
        assertThat(arrived.headers()).containsOnlyKeys("fixed").containsEntry("fixed", "yes=no");
        assertThat(arrived.version()).isEqualTo(2);
        assertThat(failed("dead", "edit", "4711", "--version", "2")).contains("there is no dead letter 4711");
    }

    @Test
    void aDiscardedDeadLetterLetsTheOthersGoOn() {
        rig.startRelay();
        UUID dead = rig.publish("orders", "a", OutboxRig.POISON);
        UUID behind = rig.publish("orders", "a", "order.placed");
        rig.awaitDead(1);
        rig.awaitWaiting(1);
        String sequence = sequence(dead);
        assertThat(ok("dead", "discard", sequence, "--why", "test order")).contains("discarded; what waits behind it");
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(behind));
        assertThat(ok("dead", "discard", sequence, "--why", "again")).contains("Nothing to do", "(test order)");
        assertThat(ok("dead", "redrive", sequence)).contains("Nothing to do", "discard by");
        assertThat(ok("dead", "show", sequence)).contains("discarded;", "Nothing more can be done");
        assertThat(ok("dead", "list")).contains("No dead letters.");
        assertThat(ok("dead", "list", "--state", "DISCARDED")).contains("1 of 1");
        assertThat(failed("dead", "edit", sequence, "--version", "2")).contains("was discarded");
        assertThat(ok("find", dead.toString())).contains("is discarded");
    }

    @Test
    void parkedKeysAreReleasedAndSkipped() {
        rig.startRelay();
        UUID first = rig.publish("orders", "a", OutboxRig.POISON);
        UUID second = rig.publish("orders", "b", OutboxRig.POISON);
        UUID behind = rig.publish("orders", "b", "order.placed");
        rig.awaitDead(2);
        rig.awaitWaiting(1);
        assertThat(ok("keys", "list"))
                .containsPattern("orders +parked +\\d+s ago +0 +" + sequence(first) + " +a\n")
                .containsPattern("orders +parked +\\d+s ago +1 +" + sequence(second) + " +b\n");
        assertThat(ok("keys", "list", "--limit", "1")).contains("There are more: --limit 10");
        assertThat(failed("keys", "resume", "orders", "a"))
                .contains("orders/a is parked behind dead letter", "keys skip");
        assertThat(ok("keys", "pause", "orders", "a")).contains("Nothing to do: orders/a is parked behind dead letter");
        assertThat(ok("keys", "skip", "orders", "b", "--why", "not needed")).contains("orders/b goes on without");
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(behind));
        assertThat(ok("dead", "show", sequence(second))).contains("its key went on without it");
        rig.mend();
        assertThat(ok("keys", "release", "orders", "a")).contains("orders/a released");
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(behind, first));
        await().untilAsserted(() -> assertThat(ok("keys", "list")).contains("No key is parked or paused."));
        assertThat(ok("keys", "release", "orders", "a"))
                .contains("Nothing to do: orders/a is neither parked nor paused.");
        assertThat(ok("keys", "skip", "orders", "a")).contains("Nothing to do");
    }

    @Test
    void aPausedKeyWaitsAndGoesOn() {
        rig.startRelay();
        assertThat(ok("keys", "pause", "orders", "a", "--by", "maria", "--why", "audit of account a"))
                .contains("orders/a paused");
        UUID held = rig.publish("orders", "a", "order.placed");
        UUID free = rig.publish("orders", "b", "order.placed");
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(free));
        await().untilAsserted(() -> assertThat(ok("find", held.toString())).contains("its key is parked or paused"));
        assertThat(ok("keys", "list")).containsPattern("orders +paused .* - +a\n");
        assertThat(ok("pauses")).containsPattern("orders +a +\\d+s ago +maria +audit of account a");
        assertThat(ok("keys", "pause", "orders", "a")).contains("Nothing to do: orders/a is paused.");
        assertThat(failed("keys", "release", "orders", "a")).contains("is paused, not parked", "keys resume");
        assertThat(ok("keys", "resume", "orders", "a")).contains("orders/a goes on, in order.");
        await().untilAsserted(() -> assertThat(rig.delivered()).containsExactly(free, held));
    }

    @Test
    void aPausedDestinationWaitsAndGoesOn() {
        rig.startRelay();
        rig.publish("orders", "a", "order.placed");
        await().until(() -> rig.delivered().size() == 1);
        assertThat(ok("pause", "orders", "--by", "maria", "--why", "bad \u001b[31m deployment"))
                .contains("orders paused")
                .doesNotContain("Note:");
        assertThat(ok("pauses"))
                .containsPattern("orders +\\(all\\) +\\d+s ago +maria +bad \\\\x1b\\[31m deployment")
                .doesNotContain("\u001b");
        assertThat(ok("pause", "orders")).contains("Nothing to do: orders is paused already.");
        assertThat(ok("pause", "ordres")).contains("ordres paused", "did you mean orders?");
        assertThat(ok("resume", "ordres")).contains("ordres goes on.");
        UUID held = rig.publish("orders", "a", "order.placed");
        assertThat(ok("find", held.toString())).contains("is pending");
        assertThat(ok("resume", "orders")).contains("orders goes on.");
        await().untilAsserted(() -> assertThat(rig.delivered()).contains(held));
        assertThat(ok("resume", "orders")).contains("Nothing to do: orders is not paused.");
        assertThat(ok("pauses")).contains("Nothing is paused.");
    }

    @Test
    void onlyADelayedEventCanBeCancelled() {
        UUID delayed = rig.publish(event("orders").availableIn(Duration.ofHours(1)));
        UUID pending = rig.publish("orders", "a", "order.placed");
        assertThat(ok("cancel", delayed.toString(), "--by", "maria")).contains("cancelled; it is gone.");
        assertThat(ok("cancel", delayed.toString())).contains("Nothing to do: cancel by maria");
        assertThat(failed("find", delayed.toString())).contains("Last decision: cancel by maria");
        assertThat(failed("cancel", pending.toString())).contains("cannot be cancelled, it is pending");
        assertThat(failed("cancel", UUID.randomUUID().toString())).contains("there is no event");
    }

    @Test
    void aReplaySendsAgainWhatWasDelivered() {
        rig.startRelay();
        UUID first = rig.publish("orders", "a", "order.placed");
        UUID second = rig.publish("orders", "a", "order.placed");
        rig.publish("mail", null, "mail.sent");
        await().until(() -> rig.delivered().size() == 3);
        await().until(() -> rig.store().operations().statistics().pending() == 0);
        assertThat(ok("replay", "list")).contains("There was no replay yet.");
        assertThat(ok("replay", "start", "--from", "1h", "--destination", "orders"))
                .contains("Would send 2 events again, at 500/s in 1s or more.", "Nothing was done");
        assertThat(ok("replay", "start", "--from", "2h", "--to", "1h")).contains("Nothing to do: the history has no");
        assertThat(ok(
                        "replay",
                        "start",
                        "--from",
                        "1h",
                        "--destination",
                        "orders",
                        "--yes",
                        "--why",
                        "lost by consumer"))
                .contains("Replay 1 started: 2 events at 500/s.", "Replay 1 is done: 2 events put into the outbox.");
        await().untilAsserted(() -> assertThat(rig.delivered()).hasSize(5).endsWith(first, second));
        assertThat(rig.deliveries().get(4).replay()).isEqualTo(1);
        assertThat(ok("replay", "list")).containsPattern("1 +done +2 +500/s .*destination orders");
        assertThat(ok("replay", "show", "1")).contains("Replay 1 is done", "destination orders", "ended");
        assertThat(ok("replay", "cancel", "1")).contains("Nothing to do: replay 1 is done");
        assertThat(failed("replay", "show", "7")).contains("there is no replay 7");
        assertThat(failed("replay", "pause", "7")).contains("there is no replay 7");
    }

    @Test
    void aReplayIsPausedResumedAndCancelled() {
        rig.startRelay();
        rig.publish("orders", "a", "order.placed");
        await().until(() -> rig.delivered().size() == 1);
        await().until(() -> rig.store().operations().statistics().pending() == 0);
        rig.stopRelay();
        assertThat(ok("replay", "start", "--from", "1h", "--yes", "--why", "test", "--detach", "--json", "-"))
                .contains("\"state\" : \"running\"", "\"count\" : 1");
        assertThat(ok("replay", "pause", "1")).contains("Replay 1 is paused");
        assertThat(ok("replay", "pause", "1")).contains("Nothing to do: replay 1 is paused");
        assertThat(ok("replay", "resume", "1")).contains("Replay 1 is running");
        assertThat(ok("replay", "cancel", "1", "--why", "enough")).contains("Replay 1 is cancelled");
        assertThat(ok("replay", "resume", "1")).contains("Nothing to do: replay 1 is cancelled");
        assertThat(ok("audit"))
                .containsPattern("cancel replay .*enough")
                .contains("pause replay", "resume replay", "replay ");
    }

    @Test
    void everyDecisionIsInTheAuditTrail() {
        assertThat(ok("audit")).contains("Nobody has decided anything yet.");
        for (int i = 0; i < 3; i++) {
            ok("pause", "orders", "--by", "maria", "--why", "round\n" + i);
            ok("resume", "orders", "--by", "josé");
        }
        String page = ok("audit", "--limit", "4");
        assertThat(page).contains("josé", "round\\n2", "pause", "resume").doesNotContain("round\\n0");
        String before = page.replaceFirst("(?s).*--before (\\d+).*", "$1");
        assertThat(ok("audit", "--before", before)).contains("round\\n0").doesNotContain("round\\n2", "Next page");
        assertThat(ok("audit", "--json", "-")).contains("\"action\" : \"pause\"", "\"why\" : \"round\\n0\"");
    }

    @Test
    void aDatabaseWithoutAnOutboxIsNamedAndLeftAlone() {
        assertThat(failed("status", "--prefix", "other_")).contains("cannot read the table other_outbox", "--prefix");
        assertThat(failed("status", "--prefix", "other_")).hasLineCount(1);
    }

    private static dev.waybill.event.Event.Builder event(String destination) {
        return dev.waybill.event.Event.to(destination).type("order.placed").json("{\"amount\": 7}");
    }

    private String sequence(UUID id) {
        return Long.toString(rig.sequenceOf(id));
    }

    private String ok(String... words) {
        Run run = rig.ops(words);
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    private String failed(String... words) {
        Run run = rig.ops(words);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.err()).doesNotContain("\tat ");
        return run.err();
    }

    private String wrong(String... words) {
        Run run = rig.ops(words);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(2);
        return run.err();
    }
}
