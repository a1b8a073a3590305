package dev.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.testkit.transport.Fault;
import dev.waybill.transport.Delivery;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WeatherTest {

    /**
     * The relay waits for the answer until its time-out and cannot stop before, even if the entry is gone by then: a
     * transaction that cancelled it may have been open when it became due.
     */
    @Test
    void theWorldDoesNotEndBeforeARelayHasGivenUpOnALostAnswer() {
        List<World> worlds = LongStream.rangeClosed(1, 1000)
                .mapToObj(seed -> new World(seed, Cut.NONE, new Trace(null)))
                .filter(WeatherTest::losesTheFirstAnswer)
                .toList();

        assertThat(worlds)
                .hasSizeGreaterThan(5)
                .allSatisfy(world -> assertThat(world.quietFrom())
                        .isGreaterThanOrEqualTo(
                                world.scenario.config().deliveryTimeout().toNanos()));
    }

    private static boolean losesTheFirstAnswer(World world) {
        Event event = Event.to("orders").type("order").json("{}").build();
        Fault fault =
                new Weather(world, new SimRelay(world, world.fleet, "relay-1")).next(new Delivery(event, 1, 1, 0, 1));
        return !fault.sendThrows() && fault.answers().isEmpty();
    }
}
