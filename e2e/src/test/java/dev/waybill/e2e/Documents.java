package dev.waybill.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the documents of the repository, and the code in them. */
final class Documents {

    private Documents() {}

    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException(
                        "Not inside the repository: " + Path.of("").toAbsolutePath());
            }
        }
        return folder;
    }

    static String read(String page) throws IOException {
        return Files.readString(root().resolve(page));
    }

    /** The first block of code of a language on a page. */
    static String firstBlock(String page, String language) throws IOException {
        Matcher block = Pattern.compile("```" + language + "\n(.*?)```\n", Pattern.DOTALL)
                .matcher(read(page));
        if (!block.find()) {
            throw new AssertionError(page + " has no block of " + language);
        }
        return block.group(1);
    }
}
