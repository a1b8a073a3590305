package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.relay.ReadAhead.Portion;
import dev.waybill.relay.ReadAhead.Way;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.ShardSet;
import dev.waybill.store.StoreException;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final int EVENTS = 50;
    private static final int LIMIT = 10;

    private final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
    private final Queue<Runnable> toRead = new ArrayDeque<>();
    private final Mailbox mailbox = new Mailbox();
    private final ReadAhead ahead = new ReadAhead(RELAY, store, mailbox, toRead::add);
    private int rings;
    private List<Shard> shards = List.of();

    @BeforeEach
    void publish() {
        mailbox.onArrival(() -> rings++);
        Event event = Event.to("orders").key("k").type("tested").build();
        try (MemoryTransaction transaction = store.begin()) {
            for (int i = 0; i < EVENTS; i++) {
                store.append(
                        transaction,
                        List.of(Event.to("orders").key("k").type("tested").build()),
                        Set.of());
            }
            transaction.commit();
        }
        List<Lease> leases = store.take(RELAY, ShardSet.of(List.of(event)), 1, Duration.ofMinutes(1));
        shards = List.of(new Shard(leases.get(0)));
    }

    @Test
    void thePortionBehindTheFirstIsReadBeforeTheFirstIsTaken() {
        begin(LIMIT);
        ahead.follow(Way.PEEKED, EVENTS);
        read();

        assertThat(sequences(takeAndMove())).containsExactlyElementsOf(range(1, 10));
        assertThat(ahead.hasBegun(shards)).isTrue();
        assertThat(ahead.isReading()).isFalse();
        ahead.follow(Way.PEEKED, EVENTS);
        assertThat(sequences(takeAndMove())).containsExactlyElementsOf(range(11, 20));
        assertThat(ahead.isReading()).as("the third waits for its turn").isTrue();
        read();
        assertThat(sequences(takeAndMove())).containsExactlyElementsOf(range(21, 30));
    }

    @Test
    void itRingsWhenAPortionIsThere() {
        begin(LIMIT);
        assertThat(rings).isZero();
        ahead.follow(Way.PEEKED, EVENTS);

        read();

        assertThat(rings).isEqualTo(2);
    }

    @Test
    void whatThereIsNoRoomForIsTakenNext() {
        begin(LIMIT);
        ahead.follow(Way.PEEKED, EVENTS);
        read();

        Portion head = takeAndMove(4);
        assertThat(sequences(head)).containsExactlyElementsOf(range(1, 4));
        assertThat(shards.get(0).position).isEqualTo(4);
        assertThat(head).isNotNull();
        assertThat(head.scan().pages()).allMatch(ShardPage::more);
        assertThat(sequences(takeAndMove(4))).containsExactlyElementsOf(range(5, 8));
        assertThat(sequences(takeAndMove(4))).containsExactlyElementsOf(range(9, 10));
        assertThat(sequences(takeAndMove(EVENTS)))
                .as("read behind the whole portion, not behind its first part")
                .containsExactlyElementsOf(range(11, 20));
    }

    @Test
    void whatIsNotDecidedIsNotDivided() {
        ahead.begin(shards, List.of(cursor(LIMIT, LIMIT - 1)), Way.PEEKED);
        read();

        assertThat(ahead.take(shards, 4)).isNull();
        assertThat(ahead.hasBegun(shards)).isFalse();
    }

    @Test
    void nothingIsReadBehindTheEnd() {
        begin(EVENTS + 1);
        ahead.follow(Way.PEEKED, EVENTS);
        read();

        assertThat(sequences(takeAndMove())).hasSize(EVENTS);
        assertThat(ahead.isReading()).isFalse();
        assertThat(ahead.take(shards, EVENTS)).isNull();
    }

    @Test
    void nothingIsReadBehindWhatIsNotDecided() {
        ahead.begin(shards, List.of(cursor(LIMIT, LIMIT - 1)), Way.PEEKED);
        ahead.follow(Way.PEEKED, EVENTS);
        read();

        assertThat(sequences(takeAndMove())).hasSize(LIMIT);
        assertThat(ahead.take(shards, EVENTS)).isNull();
    }

    @Test
    void nothingIsReadBehindAShardThatIsLost() {
        store.giveBack(RELAY, List.of(shards.get(0).lease));
        begin(LIMIT);
        ahead.follow(Way.PEEKED, EVENTS);
        read();

        assertThat(ahead.take(shards, EVENTS)).isNotNull();
        assertThat(ahead.take(shards, EVENTS)).isNull();
    }

    @Test
    void nothingIsReadBehindShardsOfWhichOneWaitsForItsTurn() {
        begin(0);
        ahead.follow(Way.PEEKED, EVENTS);
        read();

        assertThat(ahead.take(shards, EVENTS)).isNotNull();
        assertThat(ahead.hasBegun(shards)).isFalse();
    }

    @Test
    void whatIsForgottenIsNotReadAndTheNextWaitsForWhatIsBeingRead() {
        begin(LIMIT);
        ahead.follow(Way.PEEKED, EVENTS);
        ahead.forget();
        begin(LIMIT);

        assertThat(toRead).as("one at a time").hasSize(1);
        assertThat(ahead.isReading()).isTrue();
        read();
        assertThat(sequences(takeAndMove())).containsExactlyElementsOf(range(1, 10));
    }

    @Test
    void aLaneEndsWhatWasBegunWithoutIt() {
        begin(LIMIT);
        read();
        assertThat(ahead.hasBegun(shards)).isTrue();

        shards.get(0).lanes.put("orders", 0L);

        assertThat(ahead.hasBegun(shards)).isFalse();
        assertThat(ahead.take(shards, EVENTS)).isNull();
    }

    @Test
    void ifTheFirstIsNotWantedTheOneBehindItIsNotEither() {
        begin(LIMIT);
        ahead.follow(Way.PEEKED, EVENTS);
        read();
        shards.get(0).position = 3;

        assertThat(ahead.take(shards, EVENTS)).isNull();
        shards.get(0).position = LIMIT;
        assertThat(ahead.take(shards, EVENTS)).isNull();
    }

    @Test
    void aShardThatWasLostAndTakenAgainIsAnother() {
        begin(LIMIT);
        read();

        assertThat(ahead.take(List.of(new Shard(shards.get(0).lease)), EVENTS)).isNull();
    }

    @Test
    void whatTheStoreThrowsIsThrownWhereThePortionIsTaken() {
        ReadAhead failing = new ReadAhead(RELAY, outOfReach(), mailbox, toRead::add);
        failing.begin(shards, List.of(cursor(LIMIT, EVENTS)), Way.PEEKED);
        failing.follow(Way.PEEKED, EVENTS);
        read();

        assertThat(failing.isReading()).isFalse();
        assertThat(failing.fits(EVENTS)).isFalse();
        assertThatThrownBy(() -> failing.take(shards, EVENTS)).isInstanceOf(StoreException.class);
        assertThat(failing.hasBegun(shards)).isFalse();
    }

    @Test
    void theFailureOfAPortionThatNobodyWantsIsNotThrown() {
        ReadAhead failing = new ReadAhead(RELAY, outOfReach(), mailbox, toRead::add);
        failing.begin(shards, List.of(cursor(LIMIT, EVENTS)), Way.PEEKED);
        read();

        assertThat(failing.take(List.of(), EVENTS)).isNull();
    }

    private static OutboxStore outOfReach() {
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                    throw new StoreException("out of reach", null);
                });
    }

    private void begin(int limit) {
        ahead.begin(shards, List.of(cursor(limit, EVENTS)), Way.PEEKED);
    }

    private ScanCursor cursor(int limit, long decided) {
        return new ScanCursor(shards.get(0).number(), 0, 0, limit, Long.MAX_VALUE, Set.of(), decided);
    }

    private void read() {
        for (Runnable next = toRead.poll(); next != null; next = toRead.poll()) {
            next.run();
        }
    }

    private @Nullable Portion takeAndMove() {
        return takeAndMove(EVENTS);
    }

    private @Nullable Portion takeAndMove(int room) {
        Portion portion = ahead.take(shards, room);
        if (portion != null) {
            shards.get(0).position = portion.scan().pages().get(0).position();
        }
        return portion;
    }

    private static List<Long> sequences(@Nullable Portion portion) {
        return portion == null
                ? List.of()
                : portion.scan().pages().stream()
                        .map(ShardPage::entries)
                        .flatMap(List::stream)
                        .map(Entry::sequence)
                        .toList();
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
