package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTextTest {

    @Test
    void itSaysWhatAndWhyAndWhere() {
        String text = FailureText.of(new IllegalStateException("outer", new IllegalArgumentException("inner")));

        assertThat(text)
                .startsWith("java.lang.IllegalStateException: outer\n  at dev.waybill.inbox.FailureTextTest.")
                .contains("\nCaused by: java.lang.IllegalArgumentException: inner");
    }

    @Test
    void aHugeMessageLeavesRoomForTheStack() {
        String text = FailureText.of(new IllegalStateException("x".repeat(100_000)));

        assertThat(text).hasSizeLessThanOrEqualTo(2_000).contains("FailureTextTest");
    }

    @Test
    void anEndlessChainOfCausesEnds() {
        Exception first = new Exception("first");
        Exception second = new Exception("second", first);
        first.initCause(second);

        assertThat(FailureText.of(first)).hasSizeLessThanOrEqualTo(2_000);
    }

    @Test
    void anExceptionThatCannotTellItsMessageIsNamedAtLeast() {
        class Silent extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("not even that");
            }
        }

        assertThat(FailureText.of(new Silent())).startsWith("dev.waybill.inbox.FailureTextTest$1Silent");
    }
}
