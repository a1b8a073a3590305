package dev.waybill.server.scenario;

import dev.waybill.audit.AuditRecord;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.Parked;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Inject, fail, inspect, fix, replay, verify. Used by one thread, once. */
final class DeadLetterScenario {
    /** What is promised of a replay. */
    static final Duration PROMPT = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Signature OPERATOR = Signature.of("operator", "teapots were restocked");
    private static final String TEAPOT = "teapot";
    private static final String KETTLE = "kettle";
    private static final Order REFUSED = new Order("o-1", "anna", TEAPOT, 2);
    private static final List<Order> BEHIND =
            List.of(new Order("o-2", "anna", KETTLE, 1), new Order("o-3", "anna", TEAPOT, 1));
    private static final Order OTHER = new Order("o-4", "ben", KETTLE, 1);
    private static final List<Order> ALL = List.of(REFUSED, BEHIND.get(0), BEHIND.get(1), OTHER);
    private static final List<String> ALL_IDS = ALL.stream().map(Order::id).toList();
    private static final List<String> IN_ORDER = List.of("o-1", "o-2", "o-3");

    private final Stage stage;
    private final Narrator narrator;
    private final Pace pace;
    private final boolean fixes;
    private final Duration within;
    private long sequence;
    private @Nullable Duration replayTook;
    private @Nullable Duration followersTook;
    private boolean over;

    DeadLetterScenario(Stage stage, Narrator narrator, Pace pace, boolean fixes, Duration within) {
        this.stage = stage;
        this.narrator = narrator;
        this.pace = pace;
        this.fixes = fixes;
        this.within = within;
    }

    void play() {
        narrator.step(
                "inject",
                "four orders, the first for an article that is out of stock",
                "The shop commits each order together with its event. A relay brings the events to two consumers,"
                        + " stock and mail.",
                this::inject);
        narrator.step(
                "fail",
                "stock refuses the first order",
                "stock throws OutOfStockException: a business error, which no retry mends, so it is a dead letter at"
                        + " once. Later orders of the customer wait.",
                this::fail);
        narrator.step(
                "inspect",
                "what an operator sees",
                "The dead letter tells its consumer, its reason and where it came from. `waybill ops dead show` prints"
                        + " the same.",
                this::inspect);
        narrator.step(
                "fix",
                fixes ? "restock the article" : "left out, as asked for",
                "The cause is mended where it is: in the database of stock. The event stays as it is.",
                this::fix);
        narrator.step(
                "replay",
                "the operator has the dead letter tried again",
                "One decision, with a name and a reason. It must take effect within a second, for stock only; then"
                        + " those that waited follow, in order.",
                this::replay);
        narrator.step(
                "verify",
                "nothing is left open, and nothing happened twice",
                "The dead letter is resolved, the decision is on record, and deciding it again changes nothing.",
                this::verify);
        over = true;
        narrator.line("");
        narrator.line(narrator.good("Every check held; the replay took effect after " + millis(replayTook) + "."));
    }

    /** Whether the last step was played. */
    boolean isOver() {
        return over;
    }

    /** From the decision to its effect in the database. */
    @Nullable
    Duration replayTook() {
        return replayTook;
    }

    /** From the decision to the effect of the last that waited. */
    @Nullable
    Duration followersTook() {
        return followersTook;
    }

    private void inject() {
        stage.stock().put(TEAPOT, 0);
        stage.stock().put(KETTLE, 10);
        narrator.check(
                pace.until(stage::isReady, PATIENCE), "the relays are at work", () -> "not all shards are owned");
        ALL.forEach(stage::place);
        Table table = new Table(
                Column.text("ORDER", 8),
                Column.text("CUSTOMER", 10),
                Column.text("ARTICLE", 10),
                Column.number("QUANTITY"),
                Column.number("IN STOCK"));
        for (Order order : ALL) {
            table.row(
                    order.id(),
                    order.customer(),
                    order.article(),
                    Integer.toString(order.quantity()),
                    Integer.toString(order.article().equals(TEAPOT) ? 0 : 10));
        }
        narrator.table(table);
        narrator.checkEqual(stage.ordersCommitted(), ALL.size(), "4 orders are committed, each with its event");
    }

    private void fail() {
        narrator.check(
                pace.until(() -> stage.undelivered() == 0, PATIENCE),
                "the relay has delivered all 4 events",
                () -> stage.undelivered() + " still wait");
        narrator.checkEqual(letters().size(), 1, "stock has 1 dead letter, of order o-1");
        sequence = letters().get(0).entry().sequence();
        narrator.checkEqual(
                stage.stock().reservations("anna"), List.of(), "nothing of anna's orders took effect in stock");
        narrator.check(
                pace.until(() -> waiting() == BEHIND.size(), PATIENCE),
                "o-2 and o-3 of the same customer wait behind it",
                () -> waiting() + " wait");
        narrator.checkEqual(
                stage.stock().reservations("ben"), List.of(OTHER.id()), "o-4 of another customer went through");
        narrator.checkEqual(stage.mail().confirmed(), ALL_IDS, "mail handled all 4, the refused one too");
        narrator.checkEqual(
                stage.breaker(Stock.NAME),
                "closed",
                "the circuit breaker of stock is still closed: business errors do not count");
    }

    private void inspect() {
        DeadLetter letter = letter();
        List<String> reason = String.valueOf(letter.entry().lastError()).lines().toList();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("dead letter", letter.entry().sequence() + ", " + state(letter));
        fields.put(
                "event",
                letter.entry().event().id() + ", " + letter.entry().event().type());
        fields.put("consumer", letter.consumer().orElse("(none)"));
        fields.put(
                "published to",
                letter.publishedTo() + " by " + letter.sourceService().orElse("(unknown)"));
        fields.put("correlation id", letter.correlationId().orElse("(none)"));
        fields.put("headers", letter.entry().event().headers().toString());
        fields.put("attempts", letter.entry().attempts() + ", replays " + letter.replays());
        fields.put("reason", reason.get(0));
        reason.stream().skip(1).limit(2).forEach(line -> fields.put(" ".repeat(fields.size()), line));
        fields.put("payload", letter.entry().event().payload().utf8());
        narrator.fields(fields);
        narrator.say("");
        narrator.table(parkedKeys());
        narrator.say("");
        narrator.checkEqual(letter.consumer().orElse(""), Stock.NAME, "it is stock that could not handle it");
        narrator.checkEqual(letter.entry().attempts(), 1, "it was tried once: trying again would not have helped");
        narrator.check(
                reason.get(0).contains(OutOfStockException.class.getSimpleName()),
                "the reason names the exception, and where it was thrown",
                () -> reason.get(0));
        narrator.checkEqual(
                letter.correlationId().orElse(""), "checkout-o-1", "the correlation id leads back to the checkout");
    }

    private void fix() {
        if (!fixes) {
            narrator.say("There are still " + stage.stock().available(TEAPOT) + " teapots.");
            return;
        }
        stage.stock().restock(TEAPOT, 5);
        narrator.checkEqual(stage.stock().available(TEAPOT), 5, "there are 5 teapots in stock now");
        narrator.checkEqual(stage.stock().reservations("anna"), List.of(), "that alone brings nothing back: it waits");
    }

    private void replay() {
        long start = System.nanoTime();
        narrator.check(
                stage.deadLetters().redrive(sequence, OPERATOR),
                "dead letter " + sequence + " is to be tried again",
                () -> "there is no such dead letter");
        boolean prompt = pace.until(() -> stage.stock().reservations("anna").contains(REFUSED.id()), within);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        narrator.check(
                prompt && took.compareTo(within) <= 0,
                "o-1 took effect" + (prompt ? " " + millis(took) + " after the decision" : "") + " (promised: within "
                        + promised() + ")",
                this::whatBecameOfIt);
        replayTook = took;
        pace.until(() -> stage.stock().reservations("anna").size() >= IN_ORDER.size(), PATIENCE);
        followersTook = Duration.ofNanos(System.nanoTime() - start);
        narrator.checkEqual(
                stage.stock().reservations("anna"),
                IN_ORDER,
                "o-2 and o-3 followed in order, the last after " + millis(followersTook));
        narrator.checkEqual(stage.mail().confirmed(), ALL_IDS, "only stock got it: mail has one confirmation an order");
    }

    private void verify() {
        pace.until(() -> letter().state() == State.RESOLVED, PATIENCE);
        narrator.checkEqual(letter().state(), State.RESOLVED, "dead letter " + sequence + " is resolved");
        narrator.check(
                pace.until(() -> stage.deadLetters().parked(1).isEmpty() && stage.aside() == 0, PATIENCE),
                "no key is parked, nothing waits",
                () -> stage.deadLetters().parked(10) + ", " + stage.aside() + " aside");
        List<AuditRecord> records = stage.auditTrail().records(Long.MAX_VALUE, 10);
        narrator.table(audit(records));
        narrator.checkEqual(records.size(), 1, "the decision is on record, once");
        narrator.check(
                !stage.deadLetters().redrive(sequence, OPERATOR),
                "a second replay changes nothing",
                () -> "it was accepted");
        narrator.checkEqual(
                stage.auditTrail().records(Long.MAX_VALUE, 10).size(),
                1,
                "and leaves no record: there was nothing to do");
        narrator.checkEqual(stage.stock().reservations(), ALL.size(), "stock has 4 reservations, one for each order");
        narrator.checkEqual(stage.stock().available(TEAPOT), 2, "3 of 5 teapots are gone: no order was counted twice");
    }

    private List<DeadLetter> letters() {
        return stage.deadLetters().list(DeadLetterFilter.all(), 0, 10);
    }

    private DeadLetter letter() {
        return stage.deadLetters().find(sequence).orElseThrow();
    }

    private String whatBecameOfIt() {
        DeadLetter letter = letter();
        String reason = String.valueOf(letter.entry().lastError());
        return "dead letter " + sequence + " is " + state(letter) + ", replayed " + letter.replays() + " x, reason: "
                + reason.lines().findFirst().orElse("");
    }

    private long waiting() {
        return stage.deadLetters().parked(10).stream()
                .mapToLong(Parked::waiting)
                .sum();
    }

    private Table parkedKeys() {
        Table table =
                new Table(Column.text("PARKED KEY", 30), Column.number("BEHIND DEAD LETTER"), Column.number("WAITING"));
        for (Parked key : stage.deadLetters().parked(10)) {
            table.row(
                    key.parkedKey().key().toString(),
                    Long.toString(key.deadSequence().orElse(0)),
                    Long.toString(key.waiting()));
        }
        return table;
    }

    private static Table audit(List<AuditRecord> records) {
        Table table = new Table(
                Column.text("DECISION", 10), Column.text("ABOUT", 20), Column.text("BY", 10), Column.whole("WHY"));
        records.forEach(record -> table.row(
                record.action().name().toLowerCase(Locale.ROOT),
                record.subject(),
                record.signature().who(),
                record.signature().why()));
        return table;
    }

    private static String state(DeadLetter letter) {
        return letter.state().name().toLowerCase(Locale.ROOT);
    }

    private static String millis(@Nullable Duration time) {
        return time == null ? "?" : time.toMillis() + " ms";
    }

    private String promised() {
        return within.toMillis() % 1000 == 0 ? within.toSeconds() + " s" : millis(within);
    }
}
