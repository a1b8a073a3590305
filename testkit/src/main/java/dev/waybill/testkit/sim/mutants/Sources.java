package dev.waybill.testkit.sim.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The product's sources. Immutable. */
record Sources(Path folder) {
    private static final Path PACKAGE = Path.of("core", "src", "main", "java", "dev", "waybill");

    /** Those of the checkout that this class was built in, or else of the one that the process was started in. */
    static Sources find() {
        return Stream.of(home(), Path.of("").toAbsolutePath())
                .map(Sources::above)
                .filter(Files::isDirectory)
                .map(Sources::new)
                .findFirst()
                .orElseThrow(() -> new PatchException(
                        "There are no sources to plant bugs into: run this in a checkout of Waybill."));
    }

    private static Path home() {
        try {
            CodeSource source = Sources.class.getProtectionDomain().getCodeSource();
            return source == null ? Path.of("") : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path above(Path start) {
        for (@Nullable Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(PACKAGE))) {
                return folder.resolve(PACKAGE);
            }
        }
        return PACKAGE;
    }

    String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
