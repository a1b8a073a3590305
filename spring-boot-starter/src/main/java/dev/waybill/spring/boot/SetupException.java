package dev.waybill.spring.boot;

import dev.waybill.WaybillException;

/** The application is set up in a way that Waybill cannot work with; found at the start. */
public class SetupException extends WaybillException {
    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    SetupException(String description, String action) {
        super(description + " " + action);
        this.description = description;
        this.action = action;
    }

    /** What is wrong. */
    public String description() {
        return description;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
