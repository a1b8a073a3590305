package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the limits of STYLE say about files, which class files do not show. */
class SourceLayoutTest {

    private static final int MAX_LINES = 500;
    private static final int MAX_README_LINES = 200;

    private static final Path ROOT = Documents.root();

    @Test
    void noMainFileIsLongerThanTheLimit() throws IOException {
        assertThat(mainFiles())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(lines(file)).hasSizeLessThanOrEqualTo(MAX_LINES));
    }

    @Test
    void everyMainPackageIsNullMarked() throws IOException {
        assertThat(mainFiles().stream().map(Path::getParent).distinct())
                .isNotEmpty()
                .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                        .exists()
                        .content()
                        .contains("@NullMarked"));
    }

    @Test
    void theReadmeStaysShort() {
        Path readme = ROOT.resolve("README.md");
        if (Files.exists(readme)) {
            assertThat(lines(readme)).hasSizeLessThanOrEqualTo(MAX_README_LINES);
        }
    }

    private static List<Path> mainFiles() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
                    .toList();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
