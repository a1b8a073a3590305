package dev.waybill.benchmarks.worker;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.WallClock;
import dev.waybill.benchmarks.journal.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that buy things: transactions of one purchase and some messages. Immutable.
 *
 * <p>Each writer has keys of its own, so that the numbers of a key rise with its commits.
 *
 * @param perTransaction messages of a transaction
 * @param rate           transactions a second of all writers together, at fixed times; 0: as many as go
 * @param firstNumber    number of the first message, from 1
 */
public record Load(
        int writers, int perTransaction, int keys, int payloadBytes, double rate, Duration time, long firstNumber) {

    public Load {
        if (writers < 1 || perTransaction < 1 || keys < writers || rate < 0 || firstNumber < 1) {
            throw new IllegalArgumentException("No such load: " + writers + " writers, " + perTransaction
                    + " messages a transaction, " + keys + " keys, rate " + rate + ", from " + firstNumber);
        }
    }

    /** Closed-loop writers. */
    public static Load of(int writers, int perTransaction, Duration time) {
        return new Load(writers, perTransaction, 1000, 300, 0, time, 1);
    }

    public Load withRate(double transactions) {
        return new Load(writers, perTransaction, keys, payloadBytes, transactions, time, firstNumber);
    }

    public Load withFirstNumber(long number) {
        return new Load(writers, perTransaction, keys, payloadBytes, rate, time, number);
    }

    static Load read(Words words) {
        return new Load(
                words.count("writers"),
                words.count("perTransaction"),
                words.count("keys"),
                words.count("payloadBytes"),
                words.real("rate"),
                words.duration("time"),
                words.number("firstNumber"));
    }

    Words write(Words words) {
        return words.with("writers", writers)
                .with("perTransaction", perTransaction)
                .with("keys", keys)
                .with("payloadBytes", payloadBytes)
                .with("rate", rate)
                .with("time", time)
                .with("firstNumber", firstNumber);
    }

    /** Runs to its end; tells how many transactions were committed, and how long that took. */
    Words run(Contender contender, Journal journal) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            long begin = System.nanoTime();
            List<Future<Long>> writing = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                Writer writer = new Writer(i, begin, contender, journal);
                writing.add(threads.submit(writer::write));
            }
            long transactions = 0;
            for (Future<Long> one : writing) {
                transactions += one.get();
            }
            return Words.of("transactions", transactions).with("seconds", (System.nanoTime() - begin) / 1e9);
        } finally {
            threads.shutdownNow();
        }
    }

    private final class Writer {
        private final int index;
        private final long begin;
        private final Contender contender;
        private final Journal journal;
        private long messages;

        Writer(int index, long begin, Contender contender, Journal journal) {
            this.index = index;
            this.begin = begin;
            this.contender = contender;
            this.journal = journal;
        }

        long write() throws Exception {
            long end = begin + time.toNanos();
            long transactions = 0;
            while (awaitTurn(transactions, end)) {
                long begunAt = WallClock.nanos();
                List<Message> batch = batch(begunAt);
                long number = batch.get(0).number();
                contender.transact(new Purchase(number, batch.get(0).key(), number % 10_000), batch);
                long committedAt = WallClock.nanos();
                for (Message message : batch) {
                    journal.add(Message.keyOf(message.payload()), message.number(), committedAt, begunAt);
                }
                transactions++;
            }
            return transactions;
        }

        /** A paced writer that is behind goes on at once: what the schedule asks for is what is measured. */
        private boolean awaitTurn(long transactions, long end) {
            if (rate > 0) {
                long turn = begin + (long) ((transactions * writers + index) * 1e9 / rate);
                if (turn >= end) {
                    return false;
                }
                for (long wait = turn - System.nanoTime(); wait > 0; wait = turn - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
            }
            return System.nanoTime() < end && !Thread.currentThread().isInterrupted();
        }

        private List<Message> batch(long begunAt) {
            List<Message> batch = new ArrayList<>(perTransaction);
            for (int i = 0; i < perTransaction; i++) {
                long key = messages % (keys / writers) * writers + index;
                batch.add(Message.of(key, firstNumber + messages * writers + index, begunAt, payloadBytes));
                messages++;
            }
            return batch;
        }
    }
}
