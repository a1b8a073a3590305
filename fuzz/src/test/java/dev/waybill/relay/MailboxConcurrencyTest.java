package dev.waybill.relay;

import dev.waybill.event.Event;
import dev.waybill.store.ShardSet;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.util.stream.LongStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Answers and wake-ups are taken as if everybody came one after the other: none is lost, and none comes twice. */
@Param(name = "number", gen = IntGen.class, conf = "0:3")
public class MailboxConcurrencyTest {
    private static final Delivery[] DELIVERIES = LongStream.range(0, 4)
            .mapToObj(id -> new Delivery(Event.to("orders").type("t").build(), 1, 1, 0, id))
            .toArray(Delivery[]::new);

    private final Mailbox mailbox = new Mailbox();

    public MailboxConcurrencyTest() {
        mailbox.takeWakeUp();
    }

    @Operation(params = "number")
    public void wakeUp(int shard) {
        mailbox.wakeUp(new ShardSet(1L << shard));
    }

    @Operation
    public long takeWakeUp() {
        return mailbox.takeWakeUp().bits();
    }

    @Operation
    public boolean isWoken() {
        return mailbox.isWoken();
    }

    @Operation(params = "number")
    public void answer(int number) {
        mailbox.onResult(DELIVERIES[number], DeliveryResult.delivered());
    }

    @Operation
    public long pollAnswer() {
        Mailbox.Answer answer = mailbox.pollAnswer();
        return answer == null ? -1 : answer.sendId();
    }

    @Test
    void whatIsLeftIsTakenOnceByWhoeverAsks() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .check(getClass());
    }
}
