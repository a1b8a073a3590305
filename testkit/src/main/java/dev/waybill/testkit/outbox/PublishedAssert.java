package dev.waybill.testkit.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on some of the published events. Each condition leaves those that fulfil it, and fails if there are none. Used by
 * one thread.
 *
 * @param <T> what the events were made of
 */
public final class PublishedAssert<T> extends AbstractAssert<PublishedAssert<T>, List<Published>> {
    private final PublishedEvents all;
    private final String expected;
    private final Function<Published, T> value;

    PublishedAssert(PublishedEvents all, String expected, List<Published> found, Function<Published, T> value) {
        super(found, PublishedAssert.class);
        this.all = all;
        this.expected = expected;
        this.value = value;
    }

    public PublishedAssert<T> withKey(String key) {
        return narrow(
                "with key \"" + key + "\"", one -> Objects.equals(one.event().key(), key));
    }

    public PublishedAssert<T> withoutKey() {
        return narrow("without a key", one -> one.event().key() == null);
    }

    public PublishedAssert<T> to(String destination) {
        return narrow("to " + destination, one -> one.event().destination().equals(destination));
    }

    public PublishedAssert<T> withHeader(String name, String text) {
        return narrow(
                "with header " + name + "=" + text,
                one -> text.equals(one.event().headers().get(name)));
    }

    /** Leaves those whose values fulfil the requirements, which are assertions themselves. */
    public PublishedAssert<T> satisfying(Consumer<? super T> requirements) {
        List<Published> found = new ArrayList<>();
        AssertionError reason = null;
        for (Published one : actual) {
            try {
                requirements.accept(value.apply(one));
                found.add(one);
            } catch (AssertionError e) {
                reason = e;
            }
        }
        String text = expected + ", as required" + (reason == null ? "" : " (" + reason.getMessage() + ")");
        return new PublishedAssert<>(all, text, found, value).atLeastOnce();
    }

    /** There is exactly one. */
    public PublishedAssert<T> once() {
        return times(1);
    }

    /** There are exactly so many. */
    public PublishedAssert<T> times(int count) {
        if (actual.size() != count) {
            throw failure("%s", message(expected + ", " + count + " times and not " + actual.size(), all));
        }
        return this;
    }

    /** What the remaining events were made of, in the order of commits. */
    public List<T> values() {
        return actual.stream().map(value).toList();
    }

    PublishedAssert<T> atLeastOnce() {
        if (actual.isEmpty()) {
            throw failure("%s", message(expected, all));
        }
        return this;
    }

    private PublishedAssert<T> narrow(String what, Predicate<Published> condition) {
        List<Published> found = actual.stream().filter(condition).toList();
        return new PublishedAssert<>(all, expected + " " + what, found, value).atLeastOnce();
    }

    static String message(String expected, PublishedEvents all) {
        StringBuilder text = new StringBuilder("Expected ").append(expected).append(".");
        list(text, "\nPublished:", all.published());
        List<Published> uncommitted = all.uncommitted();
        if (!uncommitted.isEmpty()) {
            list(
                    text,
                    "\nNot committed, so never delivered unless their transactions still commit (one of a test that is"
                            + " @Transactional itself does not):",
                    uncommitted);
        }
        return text.toString();
    }

    private static void list(StringBuilder text, String title, List<Published> events) {
        text.append(title).append(events.isEmpty() ? " nothing." : "");
        for (Published one : events) {
            text.append("\n  - ").append(one.describe());
        }
    }
}
