package dev.waybill.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.HandlerGuard;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SwitchedOffTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Resilience off =
            ResilientOperations.create(ResilienceConfig.defaults().withEnabled(false), meters);
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void offMeansTheOperationItself() throws Exception {
        IllegalStateException down = new IllegalStateException("down");
        CompletableFuture<String> future = new CompletableFuture<>();
        for (int call = 0; call < 20; call++) {
            assertThatThrownBy(() -> off.execute("payment", () -> {
                        calls.incrementAndGet();
                        throw down;
                    }))
                    .isSameAs(down);
        }

        assertThat(calls).as("neither retried nor rejected").hasValue(20);
        off.executeRunnable("payment", calls::incrementAndGet);
        off.guard().run("payment", calls::incrementAndGet);
        assertThat(calls).hasValue(22);
        assertThat(off.executeAsync("payment", () -> future)).isSameAs(future);
        assertThat(off.<String>executeAsync("payment", () -> {
                    throw down;
                }))
                .isCompletedExceptionally();
        assertThat(meters.getMeters()).isEmpty();
        assertThat(off).isInstanceOf(DirectOperations.class);
        assertThat(ResilientOperations.none()).isInstanceOf(DirectOperations.class);
        off.close();
    }

    @Test
    void onIsNotOff() {
        try (Resilience on = ResilientOperations.create(ResilienceConfig.defaults(), meters)) {
            assertThat(on).isInstanceOf(ProtectedOperations.class);
            assertThat(on.execute("payment", () -> "paid")).isEqualTo("paid");
        }
    }

    @Test
    void offNeedsNothingOfResilience4j() throws Exception {
        Class<?> config = new WithoutResilience4j().loadClass(ResilienceConfig.class.getName());
        Class<?> operations = config.getClassLoader().loadClass(ResilientOperations.class.getName());
        Object defaults = config.getMethod("defaults").invoke(null);
        Object disabled = config.getMethod("withEnabled", boolean.class).invoke(defaults, false);

        Object created =
                operations.getMethod("create", config, MeterRegistry.class).invoke(null, disabled, meters);

        Supplier<String> operation = () -> "paid";
        assertThat(operations.getMethod("execute", String.class, Supplier.class).invoke(created, "payment", operation))
                .isEqualTo("paid");
        assertThatThrownBy(() -> operations
                        .getMethod("create", config, MeterRegistry.class)
                        .invoke(null, defaults, meters))
                .as("the library really is away")
                .hasRootCauseInstanceOf(ClassNotFoundException.class);
    }

    /** Defines the classes of this module anew, in a world without the library. */
    private static final class WithoutResilience4j extends ClassLoader {
        WithoutResilience4j() {
            super(HandlerGuard.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.github.resilience4j.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.waybill.resilience.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
