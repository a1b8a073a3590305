package dev.waybill.transport.kafka;

import dev.waybill.transport.Term;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What a record of the ledger topic says: version 1, how many, and for each entry its shard, its sequence and the event's id. */
final class LedgerRecord {
    private static final byte VERSION = 1;
    private static final int HEAD = 1 + Integer.BYTES;
    private static final int ENTRY = 1 + 3 * Long.BYTES;

    private LedgerRecord() {}

    static byte[] write(Collection<Term.Arrived> entries) {
        ByteBuffer buffer = ByteBuffer.allocate(HEAD + entries.size() * ENTRY);
        buffer.put(VERSION).putInt(entries.size());
        for (Term.Arrived entry : entries) {
            buffer.put((byte) entry.shard())
                    .putLong(entry.sequence())
                    .putLong(entry.event().getMostSignificantBits())
                    .putLong(entry.event().getLeastSignificantBits());
        }
        return buffer.array();
    }

    /** @throws IllegalStateException if it is none: to take it for an empty one could deliver events twice */
    static List<Term.Arrived> read(byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        try {
            byte version = buffer.get();
            int size = buffer.getInt();
            if (version != VERSION || size < 0 || buffer.remaining() != (long) size * ENTRY) {
                throw unreadable(value);
            }
            List<Term.Arrived> entries = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                entries.add(
                        new Term.Arrived(buffer.get(), buffer.getLong(), new UUID(buffer.getLong(), buffer.getLong())));
            }
            return entries;
        } catch (BufferUnderflowException e) {
            throw unreadable(value);
        }
    }

    private static IllegalStateException unreadable(byte[] value) {
        return new IllegalStateException(
                "A record of " + value.length + " bytes in the ledger topic is not one that this version"
                        + " of Waybill writes; does something else write to the topic, or was a newer version here?");
    }
}
