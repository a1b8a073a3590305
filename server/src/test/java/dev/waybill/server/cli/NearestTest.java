package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

    @Test
    void twoLettersInTheWrongOrderAreOneMistake() {
        assertThat(Nearest.distance("lsit", "list")).isOne();
        assertThat(Nearest.to("lsit", List.of("edit", "list", "show"))).contains("list");
    }

    @Test
    void missingAddedAndWrongLettersAreOneMistakeEach() {
        assertThat(Nearest.distance("statu", "status")).isOne();
        assertThat(Nearest.distance("staatus", "status")).isOne();
        assertThat(Nearest.distance("stetus", "status")).isOne();
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    }

    @Test
    void whatResemblesNothingGetsNothing() {
        assertThat(Nearest.to("xyzzy", List.of("status", "find"))).isEmpty();
    }
}
