package dev.waybill.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The module table of ARCHITECTURE and the layout rules of STYLE, as tests. */
class ArchitectureTest {

    private static final String ROOT = "dev.waybill";

    /** Which module may use which other; a module that is missing here fails. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("core", Set.of()),
            Map.entry("resilience", Set.of("core")),
            Map.entry("store-jdbc", Set.of("core")),
            Map.entry("testkit", Set.of("core")),
            Map.entry("testkit-kafka", Set.of()),
            Map.entry("testkit-spring", Set.of("core", "testkit", "store-jdbc", "spring-boot-starter")),
            Map.entry("transport-kafka", Set.of("core")),
            Map.entry("spring-boot-starter", Set.of("core", "resilience", "store-jdbc", "transport-kafka")),
            Map.entry("server", Set.of("core", "resilience", "store-jdbc", "transport-kafka", "testkit")),
            Map.entry("benchmarks", Set.of("core", "store-jdbc", "transport-kafka", "server", "testkit-kafka")),
            Map.entry("chaos", Set.of("core", "store-jdbc", "transport-kafka", "server", "testkit", "testkit-kafka")),
            Map.entry(
                    "shop", Set.of("core", "store-jdbc", "spring-boot-starter", "server", "testkit", "testkit-kafka")));

    /** Features of core from low to high; those of one rank may use each other as long as there is no cycle. */
    private static final List<Set<String>> RANKS = List.of(
            Set.of("event"),
            Set.of("audit", "store"),
            Set.of("transport", "outbox", "deadletter", "replay"),
            Set.of("operations"),
            Set.of("relay"),
            Set.of("inbox"));

    /** Works for classes folders (`core/target/classes`) and for jars (`waybill-core-0.1.0.jar`) alike. */
    private static final Pattern MODULE = Pattern.compile("/([a-z0-9-]+)/target/|/waybill-(?:example-)?([a-z-]+)-\\d");

    private static final JavaClasses WAYBILL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void everyModuleIsSeen() {
        assertThat(WAYBILL.stream().map(ArchitectureTest::module).collect(Collectors.toSet()))
                .isEqualTo(MAY_USE.keySet());
    }

    @Test
    void modulesUseOnlyWhatTheirRowOfTheTableAllows() {
        classes()
                .should(onlyUse(
                        "modules that the table allows",
                        (from, to) -> module(from).equals(module(to))
                                || MAY_USE.getOrDefault(module(from), Set.of()).contains(module(to))))
                .check(WAYBILL);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().assignedFrom(new Features()).should().beFreeOfCycles().check(WAYBILL);
    }

    @Test
    void coreKnowsNoDatabase() {
        noClasses()
                .that(describe("are in core", type -> module(type).equals("core")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(WAYBILL);
    }

    @Test
    void lowerFeaturesOfCoreDoNotKnowHigherOnes() {
        classes()
                .should(onlyUse(
                        "features of the same or a lower rank", (from, to) -> rank(from) < 0 || rank(from) >= rank(to)))
                .check(WAYBILL);
    }

    @Test
    void internalPackagesAreUsedByTheirOwnFeatureOnly() {
        classes()
                .should(onlyUse(
                        "internal packages of their own feature",
                        (from, to) -> !isInternal(to)
                                || (module(from).equals(module(to))
                                        && feature(from).equals(feature(to)))))
                .check(WAYBILL);
    }

    @Test
    void onlyTheServerPrints() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".server..")
                .should(ACCESS_STANDARD_STREAMS)
                .check(WAYBILL);
    }

    private static String module(JavaClass type) {
        String location = type.getSource().orElseThrow().getUri().toString();
        Matcher matcher = MODULE.matcher(location);
        if (!matcher.find()) {
            throw new AssertionError("Which module is this? " + location);
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }

    /** The package without {@code .internal}: a feature and what it hides belong together. */
    private static String feature(JavaClass type) {
        return type.getPackageName().replaceFirst("\\.internal(\\..*)?$", "");
    }

    private static boolean isInternal(JavaClass type) {
        return !feature(type).equals(type.getPackageName());
    }

    /** The place in {@link #RANKS}, or -1 for what has none. */
    private static int rank(JavaClass type) {
        if (!module(type).equals("core")) {
            return -1;
        }
        String name = feature(type);
        for (int rank = 0; rank < RANKS.size(); rank++) {
            if (RANKS.get(rank).stream().map(feature -> ROOT + "." + feature).anyMatch(name::equals)) {
                return rank;
            }
        }
        return -1;
    }

    private static ArchCondition<JavaClass> onlyUse(String what, BiPredicate<JavaClass, JavaClass> allowed) {
        return new ArchCondition<>("only use " + what) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency use : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = use.getTargetClass().getBaseComponentType();
                    if (WAYBILL.contain(target.getName()) && !allowed.test(type, WAYBILL.get(target.getName()))) {
                        events.add(SimpleConditionEvent.violated(use, use.getDescription()));
                    }
                }
            }
        };
    }

    private static final class Features implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(feature(type));
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
