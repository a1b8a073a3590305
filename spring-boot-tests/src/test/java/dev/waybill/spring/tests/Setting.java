package dev.waybill.spring.tests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the settings whose effect a test changes: every setting in the metadata has such a test, or the build fails. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Setting {

    /** Names as in the metadata; {@code *} stands for a name of the user's, as in {@code waybill.destinations.*.topic}. */
    String[] value();
}
