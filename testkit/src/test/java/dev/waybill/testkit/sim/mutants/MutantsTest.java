package dev.waybill.testkit.sim.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MutantsTest {

    static Stream<String> bugs() {
        return Mutants.all().stream().map(Mutant::bug);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void everyBugCanStillBePlanted(String bug) {
        Mutant mutant = Mutants.all().stream()
                .filter(one -> one.bug().equals(bug))
                .findFirst()
                .orElseThrow();
        assertThat(Surgery.plant(mutant, Sources.find())).isNotEmpty();
    }

    @Test
    void bugsHaveNamesOfTheirOwnAndConcernEveryPromise() {
        assertThat(bugs()).doesNotHaveDuplicates();
        assertThat(Mutants.all().stream().map(Mutant::promise)).contains(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void aPatchThatNoLongerAppliesIsRefused() {
        Mutant.Patch patch = new Mutant.Patch("A.java", "one", "two");
        assertThat(patch.applyTo("just one")).isEqualTo("just two");
        assertThatThrownBy(() -> patch.applyTo("nothing"))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("A.java no longer contains");
        assertThatThrownBy(() -> patch.applyTo("one and one"))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("A.java contains more than once");
    }

    @Test
    void aPatchThatDoesNotCompileIsRefused() {
        Mutant mutant =
                Mutant.planted("nonsense", 1, "relay/Line.java", "final class Line {", "final class Line { nonsense");
        assertThatThrownBy(() -> Surgery.plant(mutant, Sources.find()))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("does not compile");
    }

    @Test
    void aWorldWithoutAPlantedBugIsSoundInAWardToo() {
        assertThat(new Ward(Map.of()).probe().apply(1)).isEmpty();
    }
}
