package dev.waybill.spring.outbox;

import dev.waybill.event.InvalidEventException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** A SpEL expression that reads the key from a value, and can do nothing else. Thread-safe. */
final class KeyExpression {
    private final Expression expression;
    private final String origin;
    private final EvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
            .withInstanceMethods()
            .build();

    /**
     * Parses an expression.
     *
     * @param origin where it is written, for people
     */
    KeyExpression(String text, String origin) {
        this.origin = origin;
        try {
            expression = new SpelExpressionParser().parseExpression(text);
        } catch (ParseException e) {
            throw new InvalidEventException("The key \"" + text + "\" (" + origin + ") is no SpEL expression: "
                    + e.getMessage() + ". Name a property of the value, such as orderId, or use #root.orderId().");
        }
    }

    String of(Object value) {
        Object key;
        try {
            key = expression.getValue(context, value);
        } catch (EvaluationException e) {
            throw new InvalidEventException(describe(value) + " failed: " + e.getMessage()
                    + ". Name a property of the value, such as orderId, or use #root.orderId().");
        }
        if (key == null) {
            throw new InvalidEventException(describe(value) + " is null. A value whose class names a key needs one: set"
                    + " it before the value is published.");
        }
        return key.toString();
    }

    private String describe(Object value) {
        return "The key \"" + expression.getExpressionString() + "\" (" + origin + ") of a value of "
                + value.getClass().getName();
    }
}
