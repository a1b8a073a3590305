package dev.waybill.testkit.sim.mutants;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the files that a bug is planted into, in memory. */
final class Surgery {

    private Surgery() {}

    /** Returns the classes of those files, by name. */
    static Map<String, byte[]> plant(Mutant mutant, Sources sources) {
        Map<String, String> patched = new LinkedHashMap<>();
        for (Mutant.Patch patch : mutant.patches()) {
            patched.put(patch.file(), patch.applyTo(patched.getOrDefault(patch.file(), sources.read(patch.file()))));
        }
        return compile(mutant, patched);
    }

    private static Map<String, byte[]> compile(Mutant mutant, Map<String, String> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new PatchException("Planting bugs needs a compiler: run this with a JDK.");
        }
        List<Source> units = new ArrayList<>();
        files.forEach((file, text) -> units.add(new Source(file, text)));
        StringWriter messages = new StringWriter();
        try (Memory memory = new Memory(compiler.getStandardFileManager(null, null, null))) {
            List<String> options =
                    List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(messages, memory, null, options, null, units).call()) {
                throw new PatchException("With the bug \"" + mutant.bug() + "\" it does not compile:\n" + messages);
            }
            return memory.classes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("memory:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    written.put(className, bytes);
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }
}
