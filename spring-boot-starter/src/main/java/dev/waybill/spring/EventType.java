package dev.waybill.spring;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The name and version that a class stands for. Immutable.
 *
 * @param name    the name of the type
 * @param version the version of the type, from 1
 */
public record EventType(String name, int version) {

    /** What the class's {@link PublishedEvent} says, or else its simple name and version 1. */
    public static EventType of(Class<?> valueClass) {
        PublishedEvent published = AnnotatedElementUtils.findMergedAnnotation(valueClass, PublishedEvent.class);
        if (published == null) {
            return new EventType(valueClass.getSimpleName(), 1);
        }
        return new EventType(
                published.type().isEmpty() ? valueClass.getSimpleName() : published.type(), published.version());
    }
}
