package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.Payload;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A dead letter is corrected, so that it can be delivered. */
abstract class CorrectionContract extends StoreContract {
    private static final Correction CORRECTION = Correction.none()
            .withType("corrected", 7)
            .withPayload(Payload.utf8("{\"a\":\"ü\"}"))
            .withContentType("application/json")
            .withHeaders(Map.of("x", "y\"\t", "Empty", ""));

    @Test
    void whatIsCorrectedIsDifferentAndAllElseIsAsItWas() {
        Entry dead = kill(DeadLetterPolicy.SKIP);
        DeadLetter before = deadLetters.find(dead.sequence()).orElseThrow();

        assertThat(deadLetters.edit(dead.sequence(), CORRECTION, TESTER)).isTrue();

        DeadLetter after = deadLetters.find(dead.sequence()).orElseThrow();
        assertThat(after.entry().event()).isEqualTo(CORRECTION.of(dead.event()));
        assertThat(after.entry().shard()).isEqualTo(dead.shard());
        assertThat(after.entry().attempts()).isEqualTo(before.entry().attempts());
        assertThat(after.entry().lastError()).isEqualTo(before.entry().lastError());
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.diedAt()).isEqualTo(before.diedAt());
        assertThat(outbox()).as("it stays where it is").isEmpty();
    }

    @Test
    void aSingleFieldIsCorrectedAndHeadersCanBeTakenAway() {
        Entry dead = kill(DeadLetterPolicy.SKIP);
        Correction payload = Correction.none().withPayload(Payload.empty());
        Correction headers = Correction.none().withHeaders(Map.of());

        assertThat(deadLetters.edit(dead.sequence(), payload, TESTER)).isTrue();
        assertThat(deadLetters.edit(dead.sequence(), headers, TESTER)).isTrue();

        assertThat(deadLetters.find(dead.sequence()).orElseThrow().entry().event())
                .isEqualTo(headers.of(payload.of(dead.event())));
    }

    @Test
    void aCorrectionThatChangesNothingIsNoDecision() {
        Entry dead = kill(DeadLetterPolicy.SKIP);
        deadLetters.edit(dead.sequence(), CORRECTION, TESTER);
        int records = fixture.administration()
                .auditTrail()
                .records(Long.MAX_VALUE, 100)
                .size();

        assertThat(deadLetters.edit(dead.sequence(), CORRECTION, TESTER)).isFalse();

        assertThat(fixture.administration().auditTrail().records(Long.MAX_VALUE, 100))
                .hasSize(records);
    }

    @Test
    void aCorrectedDeadLetterIsRedrivenAsItIsNow() {
        Entry dead = kill(DeadLetterPolicy.SKIP);

        deadLetters.edit(dead.sequence(), CORRECTION, TESTER);
        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();

        Entry back = entryOf(dead.event());
        assertThat(back.event()).isEqualTo(CORRECTION.of(dead.event()));
        assertThat(back.sequence()).isEqualTo(dead.sequence());
    }

    @Test
    void theHeadOfAParkedKeyIsCorrectedAndStaysTheHead() {
        Entry dead = kill(DeadLetterPolicy.PARK);
        publish(event(KEY));
        long rewind = rewindOf(dead.shard());

        assertThat(deadLetters.edit(dead.sequence(), CORRECTION, TESTER)).isTrue();

        assertThat(deadLetters.find(dead.sequence()).orElseThrow().parksKey()).isTrue();
        assertThat(rewindOf(dead.shard())).as("nothing is put back").isEqualTo(rewind);
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), dead.shard());
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
        assertThat(deadLetters.release(KEY, TESTER)).isTrue();
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);
        assertThat(entriesOf(KEY).get(0).event()).isEqualTo(CORRECTION.of(dead.event()));
    }

    @Test
    void aSkippedDeadLetterIsCorrectedToo() {
        Entry dead = kill(DeadLetterPolicy.PARK);
        deadLetters.skip(KEY, TESTER);

        assertThat(deadLetters.edit(dead.sequence(), CORRECTION, TESTER)).isTrue();

        assertThat(deadLetters.find(dead.sequence()).orElseThrow())
                .matches(letter -> letter.state() == DeadLetter.State.SKIPPED)
                .matches(letter -> letter.entry().event().type().equals("corrected"));
    }

    @Test
    void whatWouldNotBeAValidEventIsRefusedAndChangesNothing() {
        Entry dead = kill(DeadLetterPolicy.SKIP);
        DeadLetter before = deadLetters.find(dead.sequence()).orElseThrow();
        int decisions = audited().size();

        assertThatThrownBy(() ->
                        deadLetters.edit(dead.sequence(), Correction.none().withType("no blanks", 1), TESTER))
                .isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> deadLetters.edit(
                        dead.sequence(), Correction.none().withHeaders(Map.of("x", "line\nbreak")), TESTER))
                .isInstanceOf(InvalidEventException.class);

        assertThat(deadLetters.find(dead.sequence())).contains(before);
        assertThat(audited()).hasSize(decisions);
    }

    @Test
    void whatIsNoDeadLetterIsNotCorrected() {
        Entry dead = kill(DeadLetterPolicy.SKIP);
        Entry pending = published(event(KEY));
        Entry redriven = kill(DeadLetterPolicy.SKIP);
        deadLetters.discard(dead.sequence(), TESTER);
        deadLetters.redrive(redriven.sequence(), TESTER);

        assertThat(deadLetters.edit(dead.sequence(), CORRECTION, TESTER)).isFalse();
        assertThat(deadLetters.edit(pending.sequence(), CORRECTION, TESTER)).isFalse();
        assertThat(deadLetters.edit(redriven.sequence(), CORRECTION, TESTER)).isFalse();
        assertThat(deadLetters.edit(Long.MAX_VALUE, CORRECTION, TESTER)).isFalse();

        assertThat(deadLetters.find(dead.sequence()).orElseThrow().entry().event())
                .isEqualTo(dead.event());
        assertThat(entryOf(pending.event()).event()).isEqualTo(pending.event());
    }

    private Entry kill(DeadLetterPolicy policy) {
        takeAll(RELAY);
        Event event = Event.to(KEY.destination())
                .key(KEY.key())
                .type("wrong")
                .json("{")
                .header("old", "header")
                .availableAt(fixture.now().minusSeconds(5))
                .build();
        Entry entry = published(event);
        settle(leaseOf(store.renew(RELAY, LONG).leases(), entry.shard()), died(entry, policy));
        return entry;
    }
}
