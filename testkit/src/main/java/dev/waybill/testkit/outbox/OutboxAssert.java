package dev.waybill.testkit.outbox;

import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/** Assertions on what was published, and committed. Used by one thread. */
public final class OutboxAssert extends AbstractAssert<OutboxAssert, Outbox> {

    OutboxAssert(Outbox outbox) {
        super(outbox, OutboxAssert.class);
    }

    /** Events that were made of values of the class: the assertion goes on with these. */
    public <T> PublishedAssert<T> published(Class<T> valueClass) {
        return select(
                "made of " + valueClass.getSimpleName(),
                one -> valueClass.isInstance(one.value()),
                one -> valueClass.cast(one.value()));
    }

    /** Events of a type, whatever they were made of: the assertion goes on with these. */
    public PublishedAssert<Event> published(String type) {
        return select("of type " + type, one -> one.event().type().equals(type), Published::event);
    }

    /** No event was made of a value of the class. */
    public OutboxAssert publishedNo(Class<?> valueClass) {
        if (events().published().stream().anyMatch(one -> valueClass.isInstance(one.value()))) {
            fail("no event made of " + valueClass.getSimpleName());
        }
        return this;
    }

    public OutboxAssert publishedNothing() {
        if (!events().published().isEmpty()) {
            fail("nothing to be published");
        }
        return this;
    }

    private <T> PublishedAssert<T> select(String what, Predicate<Published> condition, Function<Published, T> value) {
        List<Published> found = events().published().stream().filter(condition).toList();
        return new PublishedAssert<>(events(), "an event " + what, found, value).atLeastOnce();
    }

    private PublishedEvents events() {
        isNotNull();
        if (actual instanceof PublishedEvents events) {
            return events;
        }
        throw failure(
                "%s does not remember what is published. Use a TestOutbox, or put @WaybillTest on a test with Spring.",
                actual.getClass().getName());
    }

    private void fail(String expected) {
        throw failure("%s", PublishedAssert.message(expected, events()));
    }
}
