package dev.waybill.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps docs/configuration.md the same as the settings. */
class ConfigurationReferenceTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");
    private static final String WRITE = "docs.write";

    @Test
    void theReferenceIsThatOfTheSettings() throws IOException {
        String expected = new ConfigurationReference().text();
        if (System.getProperty(WRITE) != null) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "")
                .as("write it anew: ./mvnw -pl spring-boot-starter -am test -Dtest=ConfigurationReferenceTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE)
                .isEqualTo(expected);
    }
}
