package dev.waybill.spring.tests.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds pieces of test code that documents show. */
final class Examples {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();

    private Examples() {}

    /** What is between a comment with the name and the next comment that says end. */
    static String of(Class<?> source, String name) throws IOException {
        String text = Files.readString(ROOT.resolve(
                "spring-boot-tests/src/test/java/" + source.getName().replace('.', '/') + ".java"));
        String marker = "// " + name + "\n";
        int start = text.indexOf(marker);
        assertThat(start).as("an example called %s", name).isNotNegative();
        String rest = text.substring(start + marker.length());
        String example = rest.substring(0, rest.indexOf("// end\n"));
        return example.substring(0, example.lastIndexOf('\n') + 1)
                .stripTrailing()
                .stripIndent();
    }

    static String page(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }
}
