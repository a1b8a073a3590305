package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.AuditRecord;
import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Correction;
import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every decision leaves one record; what changes nothing leaves none. */
abstract class AuditContract extends StoreContract {
    private static final Signature OPERATOR =
            Signature.of("Zoë Ångström", "ticket 4711:\n\"it's\" broken \uD83D\uDE9A");

    @Test
    void decisionsAboutParkedKeysAreRecordedOnce() {
        Entry released = kill("k-1", DeadLetterPolicy.PARK);
        Entry skipped = kill("k-2", DeadLetterPolicy.PARK);
        OrderKey first = released.orderKey().orElseThrow();
        OrderKey second = skipped.orderKey().orElseThrow();

        assertRecorded(Action.RELEASE, "orders/k-1", idOf(released), () -> deadLetters.release(first, OPERATOR));
        assertRecorded(Action.SKIP, "orders/k-2", idOf(skipped), () -> deadLetters.skip(second, OPERATOR));
        assertNotRecorded(() -> deadLetters.skip(first, OPERATOR));
        assertNotRecorded(() -> deadLetters.release(new OrderKey("orders", "unknown"), OPERATOR));
    }

    @Test
    void decisionsAboutDeadLettersAreRecordedOnce() {
        Entry redriven = kill("k-1", DeadLetterPolicy.SKIP);
        Entry discarded = kill("k-2", DeadLetterPolicy.SKIP);
        Entry head = kill("k-3", DeadLetterPolicy.PARK);
        Entry discardedHead = kill("k-4", DeadLetterPolicy.PARK);

        for (Entry entry : List.of(redriven, head)) {
            assertRecorded(
                    Action.REDRIVE, subject(entry), idOf(entry), () -> deadLetters.redrive(entry.sequence(), OPERATOR));
        }
        for (Entry entry : List.of(discarded, discardedHead)) {
            assertRecorded(
                    Action.DISCARD, subject(entry), idOf(entry), () -> deadLetters.discard(entry.sequence(), OPERATOR));
        }
        assertNotRecorded(() -> deadLetters.redrive(discarded.sequence(), OPERATOR));
        assertNotRecorded(() -> deadLetters.edit(discarded.sequence(), Correction.none(), OPERATOR));
    }

    @Test
    void theOriginalOfACorrectionIsKept() {
        takeAll(RELAY);
        Event original = Event.to("orders")
                .key("注文")
                .type("wrong")
                .version(3)
                .payload(new byte[] {0, (byte) 0xff, 10})
                .contentType("application/x-broken")
                .header("x", "y\"\t")
                .header("Empty", "")
                .occurredAt(Instant.parse("1999-12-31T23:59:59.123456Z"))
                .availableAt(fixture.now().minusSeconds(5))
                .build();
        Entry dead = kill(published(original), DeadLetterPolicy.SKIP);
        Correction first = Correction.none().withType("better", 4);
        Correction second = Correction.none().withPayload(Payload.utf8("good"));

        assertThat(deadLetters.edit(dead.sequence(), first, OPERATOR)).isTrue();
        assertThat(deadLetters.edit(dead.sequence(), second, OPERATOR)).isTrue();

        List<AuditRecord> records = audited();
        assertThat(records).hasSize(2).allMatch(record -> record.action() == Action.EDIT);
        assertThat(records).allMatch(record -> record.subject().equals(subject(dead)));
        assertThat(records).allMatch(record -> original.id().equals(record.eventId()));
        assertThat(records.get(1).original()).isEqualTo(original);
        assertThat(records.get(0).original()).isEqualTo(first.of(original));
    }

    @Test
    void pausesAndCancellationsAreRecordedOnce() {
        Event delayed = delayed(KEY, Duration.ofHours(1));
        publish(delayed);

        assertRecorded(Action.PAUSE, "orders/o-1", null, () -> operations.pauseKey(KEY, OPERATOR));
        assertRecorded(Action.RESUME, "orders/o-1", null, () -> operations.resumeKey(KEY, OPERATOR));
        assertRecorded(Action.PAUSE, "destination mails", null, () -> operations.pauseDestination("mails", OPERATOR));
        assertRecorded(Action.RESUME, "destination mails", null, () -> operations.resumeDestination("mails", OPERATOR));
        assertRecorded(
                Action.CANCEL, "event " + delayed.id(), delayed.id(), () -> operations.cancel(delayed.id(), OPERATOR));
    }

    @Test
    void decisionsAboutReplaysAreRecordedOnce() {
        ReplayFilter filter = ReplayFilter.between(fixture.now().minusSeconds(60), fixture.now());
        UUID request = UUID.randomUUID();
        int decisions = audited().size();
        Instant before = fixture.now();
        Replay replay = replays.start(request, filter, 1, OPERATOR);
        String subject = "replay " + replay.generation();

        assertThat(audited()).hasSize(decisions + 1);
        assertRecord(audited().get(0), before, Action.REPLAY, subject, null);
        replays.start(request, filter, 1, OPERATOR);
        assertThat(audited()).hasSize(decisions + 1);

        int generation = replay.generation();
        assertRecorded(Action.PAUSE_REPLAY, subject, null, () -> replays.pause(generation, OPERATOR));
        assertRecorded(Action.RESUME_REPLAY, subject, null, () -> replays.resume(generation, OPERATOR));
        assertRecorded(Action.CANCEL_REPLAY, subject, null, () -> replays.cancel(generation, OPERATOR));
        assertNotRecorded(() -> replays.pause(generation, OPERATOR));
        assertNotRecorded(() -> replays.cancel(generation + 1, OPERATOR));
    }

    @Test
    void recordsAreReadByNumberInPagesTheNewestFirst() {
        for (int i = 0; i < 5; i++) {
            operations.pauseDestination("d-" + i, OPERATOR);
        }
        List<AuditRecord> all = auditTrail.records(Long.MAX_VALUE, 100);
        assertThat(all.stream().map(AuditRecord::subject))
                .containsExactly(
                        "destination d-4", "destination d-3", "destination d-2", "destination d-1", "destination d-0");

        List<AuditRecord> paged = new ArrayList<>(auditTrail.records(Long.MAX_VALUE, 2));
        paged.addAll(auditTrail.records(paged.get(1).number(), 2));
        paged.addAll(auditTrail.records(paged.get(3).number(), 2));

        assertThat(paged).isEqualTo(all);
        assertThat(auditTrail.records(all.get(4).number(), 2)).isEmpty();
        assertThat(auditTrail.records(Long.MIN_VALUE, 2)).isEmpty();
    }

    @Test
    void theLongestSignatureFits() {
        Signature longest = Signature.of("ü".repeat(200), "\uD83D\uDE9A".repeat(1000));

        assertThat(operations.pauseDestination("d".repeat(200), longest)).isTrue();
        assertThat(operations.pauseKey(new OrderKey("d".repeat(200), "ü".repeat(255)), longest))
                .isTrue();

        assertThat(audited()).hasSize(2).allMatch(record -> record.signature().equals(longest));
        assertThat(operations.pauses())
                .hasSize(2)
                .allMatch(pause -> pause.signature().equals(longest));
    }

    private void assertRecorded(Action action, String subject, @Nullable UUID eventId, BooleanSupplier decision) {
        int decisions = audited().size();
        Instant before = fixture.now();

        assertThat(decision.getAsBoolean()).as(action.toString()).isTrue();

        List<AuditRecord> records = audited();
        assertThat(records).hasSize(decisions + 1);
        assertRecord(records.get(0), before, action, subject, eventId);
        assertNotRecorded(decision);
    }

    private void assertRecord(
            AuditRecord record, Instant before, Action action, String subject, @Nullable UUID eventId) {
        assertThat(record.action()).isEqualTo(action);
        assertThat(record.subject()).isEqualTo(subject);
        assertThat(record.eventId()).isEqualTo(eventId);
        assertThat(record.signature()).isEqualTo(OPERATOR);
        assertThat(record.original()).isNull();
        assertThat(record.at()).isBetween(before.minusMillis(1), fixture.now().plusMillis(1));
    }

    private void assertNotRecorded(BooleanSupplier refused) {
        List<AuditRecord> before = audited();

        assertThat(refused.getAsBoolean()).isFalse();

        assertThat(audited()).isEqualTo(before);
    }

    private Entry kill(String key, DeadLetterPolicy policy) {
        takeAll(RELAY);
        return kill(published(event(new OrderKey("orders", key))), policy);
    }

    private Entry kill(Entry entry, DeadLetterPolicy policy) {
        settle(leaseOf(store.renew(RELAY, LONG).leases(), entry.shard()), died(entry, policy));
        return entry;
    }

    private static String subject(Entry dead) {
        return "dead letter " + dead.sequence();
    }

    private static UUID idOf(Entry entry) {
        return entry.event().id();
    }
}
