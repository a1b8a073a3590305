package dev.waybill.testkit.sim.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A second copy of all Waybill classes, with some of them replaced, so that the process itself stays sound. Thread-safe.
 */
final class Ward extends ClassLoader {
    private static final String OURS = "dev.waybill.";
    private static final String PROBE = "dev.waybill.testkit.sim.Probe";

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> replaced;

    Ward(Map<String, byte[]> replaced) {
        super(Ward.class.getClassLoader());
        this.replaced = Map.copyOf(replaced);
    }

    /** Runs a world of a seed in here and says what was wrong with it; callable from several threads. */
    @SuppressWarnings("unchecked") // the other copy of the class implements the same interface
    LongFunction<List<String>> probe() {
        try {
            var constructor = loadClass(PROBE).getDeclaredConstructor();
            constructor.setAccessible(true);
            return (LongFunction<List<String>>) constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = replaced.containsKey(name) ? replaced.get(name) : original(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
