package dev.waybill.store.jdbc;

import dev.waybill.testkit.inbox.ConsumerContract;
import dev.waybill.testkit.inbox.HandlerContract;
import dev.waybill.testkit.inbox.InboxContract;
import dev.waybill.testkit.inbox.InboxFixture;
import dev.waybill.testkit.inbox.SidingContract;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;

/** The contracts of the consumer side, on one database. */
abstract class JdbcInboxContracts {

    abstract DataSource database();

    @Nested
    class Effects extends InboxContract<Connection> {
        @Override
        protected InboxFixture<Connection> open(Duration retention) {
            return new JdbcInboxFixture(database(), retention);
        }
    }

    @Nested
    class PuttingAside extends SidingContract<Connection> {
        @Override
        protected InboxFixture<Connection> open(Duration retention) {
            return new JdbcInboxFixture(database(), retention);
        }
    }

    @Nested
    class Consuming extends ConsumerContract<Connection> {
        @Override
        protected InboxFixture<Connection> open(Duration retention) {
            return new JdbcInboxFixture(database(), retention);
        }
    }

    @Nested
    class Handlers extends HandlerContract<Connection> {
        @Override
        protected InboxFixture<Connection> open(Duration retention) {
            return new JdbcInboxFixture(database(), retention);
        }
    }
}
