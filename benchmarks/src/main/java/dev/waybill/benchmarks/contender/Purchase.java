package dev.waybill.benchmarks.contender;

/** The business row of a transaction: a row of the table {@code purchase (id, customer, cents)}. */
public record Purchase(long id, String customer, long cents) {}
