package dev.waybill.resilience;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** There is one of each name, whoever asks first, and none is made when all is closed. */
public class NamedConcurrencyTest {
    private final AtomicInteger made = new AtomicInteger();
    private final Named<Integer> named = new Named<>(name -> {
        made.incrementAndGet();
        return name.length();
    });

    @Operation
    public int get() {
        return named.get("name");
    }

    @Operation
    public void close() {
        named.close();
    }

    /** Each costs meters, which whoever closes takes back once. */
    @Operation
    public int made() {
        return made.get();
    }

    @Test
    void whatIsMadeIsMadeOnceAndBeforeTheEnd() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(300)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(0)
                .check(getClass());
    }
}
