package dev.waybill.benchmarks.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions that the build has chosen, for the report. */
final class Versions {
    private static final Properties VERSIONS = load();

    private Versions() {}

    static String of(String peer) {
        return VERSIONS.getProperty(peer);
    }

    private static Properties load() {
        Properties versions = new Properties();
        try (InputStream file = Versions.class.getResourceAsStream("versions.properties")) {
            versions.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions;
    }
}
