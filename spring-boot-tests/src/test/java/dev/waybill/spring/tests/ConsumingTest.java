package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ConsumingTest {
    /** Names of both generations; those that do not exist are passed over. */
    private static final String WITHOUT_JPA = "spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

    /** The failures of one test would open the circuit breaker for the next; breakers have a test of their own. */
    private static final String WITHOUT_BREAKERS = "waybill.resilience.enabled=false";

    /** For what has no handler: it is tried again before it dies. */
    private static final String TWICE = "waybill.retry.max-attempts=2";

    @Nested
    class JdbcOnH2 extends ConsumingContract {
        @Override
        RunningApp start() {
            return RunningApp.onH2(Shop.class, WITHOUT_JPA, WITHOUT_BREAKERS, TWICE);
        }
    }

    @Nested
    class JpaOnPostgres extends ConsumingContract.WithJpa {
        @Override
        RunningApp start() {
            return RunningApp.on(Databases.postgres(), JpaShop.class, WITHOUT_BREAKERS, TWICE);
        }
    }

    /** The whole contract holds for each database and each kind of transactions; of the other pairs, that they work at all. */
    @Test
    void theOtherPairsHandleAnEventOnce() {
        try (RunningApp jpaOnH2 = RunningApp.onH2(ConsumingContract.WithJpa.JpaShop.class, WITHOUT_BREAKERS)) {
            handlesOnce(jpaOnH2);
        }
        try (RunningApp jdbcOnPostgres =
                RunningApp.on(Databases.postgres(), ConsumingContract.Shop.class, WITHOUT_JPA, WITHOUT_BREAKERS)) {
            handlesOnce(jdbcOnPostgres);
        }
    }

    private static void handlesOnce(RunningApp app) {
        app.publish(new ConsumingContract.OrderPlaced("pair", 1));
        await().untilAsserted(() -> {
            assertThat(app.bean(Effects.class).of("stock pair")).containsExactly("stock pair 1");
            assertThat(app.bean(Effects.class).of("packed pair")).containsExactly("packed pair");
        });
    }
}
