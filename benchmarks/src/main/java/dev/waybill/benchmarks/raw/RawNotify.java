package dev.waybill.benchmarks.raw;

import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How soon another process can know of a commit: after it, one more connection sends NOTIFY with all that was committed
 * meanwhile, and nobody reads a table. The limit of every wake-up across processes on PostgreSQL.
 */
final class RawNotify extends RawOutbox {
    private static final Logger LOG = LoggerFactory.getLogger(RawNotify.class);
    /** As many heads of payloads as a notification can carry, encoded. */
    private static final int MOST = 240;

    private static final int WAIT_MILLIS = 100;

    private final BlockingQueue<byte[]> committed = new LinkedBlockingQueue<>();
    private volatile boolean closed;
    private @Nullable Thread notifying;
    private @Nullable Thread listening;
    private volatile boolean stopped;

    RawNotify(Site site) {
        super(site);
    }

    @Override
    public String settings() {
        return "JDBC, " + site().writers() + " writers' connections, NOTIFY after the commit from one more";
    }

    @Override
    synchronized void committed(List<Message> messages) {
        messages.forEach(message -> committed.add(message.payload()));
        if (notifying == null) {
            notifying = new Thread(this::notifyOthers, "raw-notify");
            notifying.setDaemon(true);
            notifying.start();
        }
    }

    private void notifyOthers() {
        try (Connection connection = pool().getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT pg_notify('raw', ?)")) {
            while (!closed) {
                List<byte[]> batch = new ArrayList<>();
                batch.add(committed.take());
                committed.drainTo(batch, MOST - 1);
                ByteBuffer heads = ByteBuffer.allocate(batch.size() * Message.HEAD);
                batch.forEach(payload -> heads.put(payload, 0, Message.HEAD));
                statement.setString(1, Base64.getEncoder().encodeToString(heads.array()));
                statement.execute();
            }
        } catch (SQLException | InterruptedException e) {
            if (!closed) {
                LOG.error("Nobody is notified any more", e);
            }
        }
    }

    @Override
    public void start(Receiver receiver) {
        stopped = false;
        listening = new Thread(() -> listen(receiver), "raw-listen");
        listening.start();
    }

    private void listen(Receiver receiver) {
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN raw");
            PGConnection session = connection.unwrap(PGConnection.class);
            while (!stopped) {
                PGNotification[] notifications = session.getNotifications(WAIT_MILLIS);
                if (notifications != null) {
                    for (PGNotification notification : notifications) {
                        hand(receiver, notification.getParameter());
                    }
                }
            }
            statement.execute("UNLISTEN raw");
        } catch (SQLException e) {
            LOG.error("Nobody listens any more", e);
        }
    }

    private static void hand(Receiver receiver, String encoded) {
        ByteBuffer heads = ByteBuffer.wrap(Base64.getDecoder().decode(encoded));
        while (heads.hasRemaining()) {
            byte[] head = new byte[Message.HEAD];
            heads.get(head);
            receiver.received("key-" + Message.keyOf(head), head);
        }
    }

    @Override
    public void stop() throws InterruptedException {
        stopped = true;
        if (listening != null) {
            listening.join();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (notifying != null) {
            notifying.interrupt();
        }
        super.close();
    }
}
