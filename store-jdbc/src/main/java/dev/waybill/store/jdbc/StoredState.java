package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetter.State;

/** The states of dead letters as the column {@code state} has them. What is only derived from other rows is never stored. */
final class StoredState {
    // What was decided in version 1 of the schema stays: the settle statements and an index know the word.
    private static final String PENDING = "DEAD";

    private StoredState() {}

    static String of(State state) {
        return state == State.PENDING ? PENDING : state.name();
    }

    static State read(String stored) {
        return stored.equals(PENDING) ? State.PENDING : State.valueOf(stored);
    }
}
