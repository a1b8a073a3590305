package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The path of a new user: an empty Spring Boot project, the dependency and the class of docs/spring-boot.md, and nothing else.
 *
 * <p>Our jars come from a repository of Maven's layout that is filled here, and not from what happens to be installed; all else
 * comes from the local repository of this build, or from where it would come from.
 */
class FiveMinutesIT {
    private static final String PAGE = "docs/spring-boot.md";
    private static final int MAX_LINES = 15;

    @TempDir
    private Path project;

    @Test
    void theFirstProgramIsShort() throws IOException {
        assertThat(Documents.firstBlock(PAGE, "java")
                        .lines()
                        .filter(FiveMinutesIT::isWritten)
                        .toList())
                .hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void theReadmeShowsTheSameProgram() throws IOException {
        assertThat(Documents.read("README.md"))
                .contains(Documents.firstBlock(PAGE, "java"))
                .contains(Documents.firstBlock(PAGE, "xml"));
    }

    /** What a user writes: not the package, imports (an editor adds them), blank lines and closing braces. */
    private static boolean isWritten(String line) {
        return !line.isBlank()
                && !line.startsWith("package ")
                && !line.startsWith("import ")
                && !line.strip().equals("}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.16", "4.1.1"})
    void anEmptyProjectPublishesAndHandles(String bootVersion) throws Exception {
        Path repository = stage();
        Files.writeString(project.resolve("pom.xml"), pom(bootVersion));
        Path sources = Files.createDirectories(project.resolve("src/main/java/com/example/shop"));
        Files.writeString(sources.resolve("Shop.java"), Documents.firstBlock(PAGE, "java"));
        ProcessBuilder maven = new ProcessBuilder(
                        Documents.root().resolve("mvnw").toString(),
                        "-B",
                        "-Dmaven.repo.local=" + repository,
                        "-Dmaven.repo.local.tail=" + localRepositories(),
                        "-Dmaven.repo.local.tail.ignoreAvailability=true",
                        "spring-boot:run")
                .directory(project.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try (ChildProcess shop = new ChildProcess("shop", maven)) {
            shop.awaitLine("Order o-1 is confirmed", Duration.ofMinutes(4));
            shop.enter();
            assertThat(shop.exitCode(Duration.ofMinutes(1))).isZero();
            assertThat(shop.lines())
                    .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                    .isEmpty();
        }
    }

    private static String pom(String bootVersion) throws IOException {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>org.springframework.boot</groupId>
                    <artifactId>spring-boot-starter-parent</artifactId>
                    <version>%s</version>
                    <relativePath/>
                  </parent>
                  <groupId>com.example</groupId>
                  <artifactId>shop</artifactId>
                  <version>1</version>
                  <properties>
                    <java.version>17</java.version>
                  </properties>
                  <dependencies>
                %s
                    <dependency>
                      <groupId>com.h2database</groupId>
                      <artifactId>h2</artifactId>
                      <scope>runtime</scope>
                    </dependency>
                  </dependencies>
                  <build>
                    <plugins>
                      <plugin>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-maven-plugin</artifactId>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(bootVersion, Documents.firstBlock(PAGE, "xml"));
    }

    /** What Maven would install, in a folder that also keeps what the project downloads, until the next clean. */
    private static Path stage() throws IOException {
        Path repository = Path.of("target", "five-minutes-repository").toAbsolutePath();
        Path root = Documents.root();
        String version = version(root);
        stage(repository, "waybill-parent", version, root.resolve("pom.xml"), "pom");
        List<Path> modules;
        try (Stream<Path> folders = Files.list(root)) {
            modules = folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .toList();
        }
        for (Path module : modules) {
            String artifact = "waybill-" + module.getFileName();
            Path jar = module.resolve("target/" + artifact + "-" + version + ".jar");
            if (Files.exists(jar)) {
                stage(repository, artifact, version, module.resolve("pom.xml"), "pom");
                stage(repository, artifact, version, jar, "jar");
            }
        }
        String starter = "waybill-spring-boot-starter";
        assertThat(repository.resolve(
                        "dev/waybill/" + starter + "/" + version + "/" + starter + "-" + version + ".jar"))
                .as("the starter's jar: ./mvnw -DskipTests package makes it")
                .exists();
        return repository;
    }

    private static void stage(Path repository, String artifact, String version, Path file, String type)
            throws IOException {
        Path folder = Files.createDirectories(repository.resolve("dev/waybill/" + artifact + "/" + version));
        Files.copy(file, folder.resolve(artifact + "-" + version + "." + type), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String version(Path root) throws IOException {
        Matcher version = Pattern.compile("<artifactId>waybill-parent</artifactId>\\s*<version>([^<]+)<")
                .matcher(Files.readString(root.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    /** Those of this build, the first of which may have a tail itself. */
    private static String localRepositories() {
        String tail = System.getProperty("maven.repo.local.tail", "");
        return System.getProperty("waybill.local-repository") + (tail.isEmpty() ? "" : "," + tail);
    }
}
