package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

class GenerationTest {

    /** A dependency that pulls in the other generation would make the tests of this one worthless. */
    @Test
    void theTestsRunOnTheGenerationThatTheModuleNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
    }
}
