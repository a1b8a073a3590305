package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.AuditRecord;
import dev.waybill.audit.AuditTrail;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.operations.Operations;
import dev.waybill.replay.Replays;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the parts of the contract share: a store for each test, and short words for common steps. */
abstract class StoreContract {
    static final UUID RELAY = UUID.fromString("00000000-0000-7000-8000-00000000000a");
    static final UUID OTHER_RELAY = UUID.fromString("00000000-0000-7000-8000-00000000000b");

    /** Longer than any test takes. */
    static final Duration LONG = Duration.ofMinutes(10);

    /** To be outlived with {@link #outliveShort}. */
    static final Duration SHORT = Duration.ofMillis(500);

    static final OrderKey KEY = new OrderKey("orders", "o-1");

    StoreFixture fixture;
    OutboxStore store;
    DeadLetters deadLetters;
    Operations operations;
    Replays replays;
    AuditTrail auditTrail;

    @SuppressWarnings("NullAway.Init") // JUnit sets the fields up before each test
    StoreContract() {}

    abstract StoreFixture open();

    @BeforeEach
    void openStore() {
        use(open());
    }

    /** Goes on with another store, and closes the one before. */
    void reopen(StoreFixture other) {
        fixture.close();
        use(other);
    }

    private void use(StoreFixture opened) {
        fixture = opened;
        store = fixture.store();
        deadLetters = fixture.deadLetters();
        operations = fixture.administration().operations();
        replays = fixture.administration().replays();
        auditTrail = fixture.administration().auditTrail();
    }

    @AfterEach
    void closeStore() {
        fixture.close();
    }

    static Event event(OrderKey key) {
        return Event.to(key.destination()).key(key.key()).type("tested").build();
    }

    static Event keyless(String destination) {
        return Event.to(destination).type("tested").build();
    }

    static Event sized(OrderKey key, int bytes) {
        return Event.to(key.destination())
                .key(key.key())
                .type("tested")
                .payload(Payload.of(new byte[bytes]))
                .build();
    }

    /** An event that is not due before the delay has passed by the store's clock. */
    Event delayed(OrderKey key, Duration delay) {
        return Event.to(key.destination())
                .key(key.key())
                .type("tested")
                .availableAt(fixture.now().plus(delay))
                .build();
    }

    /** Appends events in a transaction of their own, in this order. */
    void publish(Event... events) {
        publish(List.of(events));
    }

    void publish(List<Event> events) {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(events, Set.of());
            transaction.commit();
        }
    }

    /** Publishes so many events of a key, each in a transaction of its own. */
    List<Entry> publishedEntries(OrderKey key, int count) {
        for (int i = 0; i < count; i++) {
            publish(event(key));
        }
        List<Entry> entries = entriesOf(key);
        assertThat(entries).hasSizeGreaterThanOrEqualTo(count);
        return entries.subList(entries.size() - count, entries.size());
    }

    /** Publishes an event and reads it back. */
    Entry published(Event event) {
        publish(event);
        return entryOf(event);
    }

    Entry entryOf(Event event) {
        return outbox().stream()
                .filter(entry -> entry.event().id().equals(event.id()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not in the outbox: " + event));
    }

    /** All that is in the outbox, by sequence. */
    List<Entry> outbox() {
        List<Entry> entries = new ArrayList<>();
        for (ShardPage page : scanAll(RELAY).pages()) {
            entries.addAll(page.entries());
        }
        entries.sort(Comparator.comparingLong(Entry::sequence));
        return entries;
    }

    List<Entry> entriesOf(OrderKey key) {
        return store.readKeys(List.of(KeyCursor.all(key)), 100_000);
    }

    Scan scanAll(UUID relay) {
        return store.scan(
                relay,
                IntStream.range(0, Shards.COUNT)
                        .mapToObj(StoreContract::fromStart)
                        .toList());
    }

    ShardPage scan(ScanCursor cursor) {
        return store.scan(RELAY, List.of(cursor)).pages().get(0);
    }

    static ScanCursor fromStart(int shard) {
        return new ScanCursor(shard, 0, 0, 100_000, Long.MAX_VALUE, Set.of());
    }

    static ScanCursor cursor(int shard, long lowWater, long position, int limit) {
        return new ScanCursor(shard, lowWater, position, limit, Long.MAX_VALUE, Set.of());
    }

    List<Lease> takeAll(UUID relay) {
        return store.take(relay, Shards.COUNT, LONG);
    }

    /** Takes all shards and picks the lease of a key's. */
    Lease takeFor(UUID relay, OrderKey key) {
        return leaseOf(takeAll(relay), key.shard());
    }

    static Lease leaseOf(List<Lease> leases, int shard) {
        return leases.stream()
                .filter(lease -> lease.shard() == shard)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no lease of shard " + shard + " in " + leases));
    }

    long rewindOf(int shard) {
        return scan(fromStart(shard)).lease().rewind();
    }

    /** Lets {@link #SHORT} pass, and some more. */
    void outliveShort() {
        fixture.passTime(SHORT.plusMillis(50));
    }

    static Outcome delivered(Entry entry) {
        return new Outcome.Delivered(entry.shard(), entry.sequence());
    }

    static Outcome retried(Entry entry, Duration after) {
        return new Outcome.Retried(entry.shard(), entry.sequence(), after, "it failed");
    }

    static Outcome died(Entry entry, DeadLetterPolicy policy) {
        return new Outcome.Died(entry.shard(), entry.sequence(), "it is dead", policy);
    }

    /** Settles as {@link #RELAY}, which must hold the lease. */
    void settle(Lease lease, Outcome... outcomes) {
        assertThat(store.settle(RELAY, List.of(lease), List.of(outcomes))).isEmpty();
    }

    /** Publishes events and settles them as delivered, all at one time that is over when this returns. */
    List<Entry> deliver(List<Event> events) {
        publish(events);
        Set<UUID> published = Set.copyOf(idsOf(events));
        List<Entry> entries = outbox().stream()
                .filter(entry -> published.contains(entry.event().id()))
                .toList();
        settleDelivered(entries);
        return entries;
    }

    List<Entry> deliver(Event... events) {
        return deliver(List.of(events));
    }

    /** Settles entries of any shard as {@link #RELAY}, which takes all that is free. */
    void settleDelivered(List<Entry> entries) {
        takeAll(RELAY);
        List<Lease> leases = store.renew(RELAY, LONG).leases();
        assertThat(store.settle(
                        RELAY,
                        leases,
                        entries.stream().map(StoreContract::delivered).toList()))
                .isEmpty();
        fixture.passTime(Duration.ofMillis(2));
    }

    /** All decisions so far, the newest first. */
    List<AuditRecord> audited() {
        return auditTrail.records(Long.MAX_VALUE, 1000);
    }

    static List<Long> sequences(List<Entry> entries) {
        return entries.stream().map(Entry::sequence).toList();
    }

    static List<UUID> ids(List<Entry> entries) {
        return entries.stream().map(entry -> entry.event().id()).toList();
    }

    static List<UUID> idsOf(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }
}
