package dev.waybill.store;

import dev.waybill.event.Event;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Which of the 64 shards an event belongs to: the unit that one relay owns at a time.
 *
 * <p>The shard is the top six bits of the SHA-256 of the UTF-8 text {@code destination + "\n" + key}, or of the
 * event's id in its usual lower-case form when it has no key. Any language and any database can compute it; changing it
 * would break the order of what is stored, so it is a constant of the schema.
 */
public final class Shards {
    public static final int COUNT = 64;

    /** Neighbouring shards form groups of {@value #GROUP_SIZE}, for transports that keep a ledger of each group. */
    public static final int GROUP_SIZE = 8;

    public static final int GROUPS = COUNT / GROUP_SIZE;

    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Shards::sha256);

    private Shards() {}

    public static int of(Event event) {
        String key = event.key();
        return key == null ? ofText(event.id().toString()) : of(event.destination(), key);
    }

    public static int of(String destination, String key) {
        return ofText(destination + "\n" + key);
    }

    public static int groupOf(int shard) {
        return shard / GROUP_SIZE;
    }

    /** The shard of a group whose owner acts for the group. */
    public static int leadOf(int group) {
        return group * GROUP_SIZE;
    }

    private static int ofText(String text) {
        byte[] hash = SHA_256.get().digest(text.getBytes(StandardCharsets.UTF_8));
        return (hash[0] & 0xff) >>> 2;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
