package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxLimitException;
import dev.waybill.spring.tests.purchases.CountedStatements;
import dev.waybill.spring.tests.purchases.Purchase;
import dev.waybill.spring.tests.purchases.PurchaseMade;
import dev.waybill.spring.tests.purchases.PurchaseService;
import dev.waybill.spring.tests.purchases.Purchases;
import dev.waybill.store.NoTransactionException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Publishing joins Spring's transactions, on every database and with every kind of transaction manager.
 *
 * <p>Savepoints are for JDBC only: Spring has none for Hibernate.
 */
class PublishingTest {

    @ParameterizedTest
    @EnumSource
    void theEventsOfATransactionAreStoredInTheOrderOfPublishing(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            IntStream.range(0, 20).forEach(i -> app.publish("a" + i));
            assertThat(app.stored()).isEmpty();
        });
        assertThat(app.stored())
                .isEqualTo(IntStream.range(0, 20).mapToObj(i -> "a" + i).toList());
    }

    @ParameterizedTest
    @EnumSource
    void aRollbackLeavesNoEvent(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            app.publish("never");
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> app.transaction().executeWithoutResult(status -> {
                    app.publish("never");
                    throw new IllegalStateException("failed");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> app.transaction().executeWithoutResult(outer -> {
                    app.publish("never");
                    app.transaction().executeWithoutResult(inner -> inner.setRollbackOnly());
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        app.transaction().executeWithoutResult(status -> app.publish("afterwards"));
        assertThat(app.stored()).containsExactly("afterwards");
    }

    @ParameterizedTest
    @EnumSource
    void manyEventsAreOneBatch(Publishing app) {
        CountedStatements statements = app.context().getBean(CountedStatements.class);
        int before = statements.prepared();
        app.transaction().executeWithoutResult(status -> app.publish("one"));
        int forOne = statements.prepared() - before;
        app.transaction().executeWithoutResult(status -> IntStream.range(0, 50).forEach(i -> app.publish("many")));
        int forMany = statements.prepared() - before - forOne;
        assertThat(forOne).isPositive();
        assertThat(forMany).isEqualTo(forOne);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2_JDBC", "POSTGRES_JDBC"})
    void anEventOfASavepointThatIsRolledBackIsNotDelivered(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(outer -> {
            app.publish("before");
            assertThatThrownBy(() -> app.nested().executeWithoutResult(inner -> {
                        app.publish("lost");
                        app.nested().executeWithoutResult(innermost -> app.publish("lost as well"));
                        throw new IllegalStateException("inner");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            app.nested().executeWithoutResult(inner -> {
                app.publish("kept");
                app.nested().executeWithoutResult(innermost -> {
                    app.publish("rolled back");
                    innermost.setRollbackOnly();
                });
                app.publish("kept, too");
            });
            app.publish("after");
        });
        assertThat(app.stored()).containsExactly("before", "kept", "kept, too", "after");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2_JDBC", "POSTGRES_JDBC"})
    void theFirstEventOfATransactionMayBeLostWithItsSavepoint(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(outer -> {
            app.nested().executeWithoutResult(inner -> {
                app.publish("lost");
                inner.setRollbackOnly();
            });
            app.publish("kept");
        });
        assertThat(app.stored()).containsExactly("kept");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2_JDBC", "POSTGRES_JDBC"})
    void savepointsMadeByHandCanBeReturnedToMoreThanOnce(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            app.publish("before");
            Object savepoint = status.createSavepoint();
            app.publish("lost");
            status.createSavepoint();
            app.publish("lost");
            status.rollbackToSavepoint(savepoint);
            app.publish("lost");
            status.rollbackToSavepoint(savepoint);
            app.publish("after");
        });
        assertThat(app.stored()).containsExactly("before", "after");
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfItsOwnKeepsItsEventsWhateverBecomesOfTheOuterOne(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(outer -> {
            app.publish("outer, never");
            app.requiresNew().executeWithoutResult(inner -> app.publish("inner"));
            app.requiresNew().executeWithoutResult(inner -> {
                app.publish("inner, never");
                inner.setRollbackOnly();
            });
            assertThat(app.stored()).containsExactly("inner");
            app.publish("outer, never");
            outer.setRollbackOnly();
        });
        assertThat(app.stored()).containsExactly("inner");

        app.transaction().executeWithoutResult(outer -> {
            app.publish("outer 1");
            app.requiresNew().executeWithoutResult(inner -> app.publish("inner again"));
            app.publish("outer 2");
        });
        assertThat(app.stored()).containsExactly("inner", "inner again", "outer 1", "outer 2");
    }

    @ParameterizedTest
    @EnumSource
    void outsideATransactionPublishingFailsWithAdvice(Publishing app) {
        assertRefused(() -> app.publish("x"), "No transaction is open", "@Transactional", "TransactionTemplate");
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            app.publish("outer");
            app.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                    .executeWithoutResult(suspended -> assertRefused(() -> app.publish("x"), "No transaction is open"));
            app.publish("outer, too");
        });
        app.transaction(TransactionDefinition.PROPAGATION_SUPPORTS)
                .executeWithoutResult(none -> assertRefused(() -> app.publish("x"), "No transaction is open"));
        assertThat(app.stored()).containsExactly("outer", "outer, too");
    }

    @ParameterizedTest
    @EnumSource
    void aReadOnlyTransactionIsRefusedWithAdvice(Publishing app) {
        TransactionTemplate readOnly = app.transaction();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(
                status -> assertRefused(() -> app.publish("x"), "read-only", "without readOnly = true"));
    }

    @ParameterizedTest
    @EnumSource
    void anEventAfterTheCommitIsRefusedAndNeverSilentlyLost(Publishing app) {
        app.clear();
        AtomicInteger refused = new AtomicInteger();
        for (boolean published : List.of(true, false)) {
            app.transaction().executeWithoutResult(status -> {
                if (published) {
                    app.publish("in time");
                }
                Callbacks.afterCommit(() -> {
                    assertRefused(() -> app.publish("late"), "already committed", "REQUIRES_NEW");
                    refused.incrementAndGet();
                });
                Callbacks.afterCompletion(() -> {
                    assertRefused(() -> app.publish("late"), "already committed", "REQUIRES_NEW");
                    refused.incrementAndGet();
                });
            });
        }
        assertThat(refused).hasValue(4);
        assertThat(app.stored()).containsExactly("in time");
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfItsOwnAfterTheCommitPublishes(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            app.publish("in time");
            Callbacks.afterCommit(() -> app.requiresNew().executeWithoutResult(own -> app.publish("afterwards")));
        });
        assertThat(app.stored()).containsExactly("in time", "afterwards");
    }

    @ParameterizedTest
    @EnumSource
    void callbacksBeforeTheCommitPublish(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            Callbacks.beforeCommit(() -> app.publish("first, in a callback"));
            Callbacks.beforeCompletion(() -> app.publish("second, before completion"));
        });
        app.transaction().executeWithoutResult(status -> {
            app.publish("first, early");
            Callbacks.beforeCommit(() -> app.publish("second, in a callback"));
        });
        assertThat(app.stored())
                .containsExactly(
                        "first, in a callback", "second, before completion", "first, early", "second, in a callback");
    }

    @ParameterizedTest
    @EnumSource
    void aManagerThatIsNoBeanLosesNothing(Publishing app) {
        app.clear();
        TransactionTemplate own = new TransactionTemplate(Callbacks.managerThatIsNoBean(app));
        own.executeWithoutResult(status -> app.publish("as usual"));
        own.executeWithoutResult(status -> {
            app.publish("before");
            Callbacks.afterCommit(() -> assertRefused(() -> app.publish("late"), "already committed"));
        });
        own.executeWithoutResult(status -> Callbacks.afterCommit(() -> app.publish("late, and first")));
        assertThat(app.stored()).containsExactly("as usual", "before", "late, and first");
    }

    @ParameterizedTest
    @EnumSource
    void aSignalThatFailsDoesNotReachTheCaller(Publishing app) {
        AtomicInteger signals = new AtomicInteger();
        boolean[] failing = {true};
        app.unit().commits().afterCommit(shards -> {
            if (failing[0]) {
                signals.incrementAndGet();
                throw new IllegalStateException("signal");
            }
        });
        app.clear();
        assertThatCode(() -> app.transaction().executeWithoutResult(status -> app.publish("stored")))
                .doesNotThrowAnyException();
        assertThat(app.stored()).containsExactly("stored");
        assertThat(signals).hasValue(1);
        assertThatThrownBy(() -> app.transaction().executeWithoutResult(status -> {
                    app.publish("stored, too");
                    Callbacks.afterCommit(() -> {
                        throw new IllegalStateException("somebody else's callback");
                    });
                }))
                .hasMessage("somebody else's callback");
        assertThat(signals)
                .as("another callback that fails does not take the signal with it")
                .hasValue(2);
        app.transaction().executeWithoutResult(status -> {});
        app.transaction().executeWithoutResult(status -> {
            app.publish("never");
            status.setRollbackOnly();
        });
        assertThat(signals).as("nothing was committed").hasValue(2);
        failing[0] = false;
    }

    @ParameterizedTest
    @EnumSource
    void anEventThatIsRefusedTakesNoneOfItsCallWithIt(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            app.publish("before");
            Event fine =
                    Event.to("purchases").type("t").json("{\"text\":\"never\"}").build();
            Event large =
                    Event.to("purchases").type("t").payload(new byte[2_000_000]).build();
            assertThatThrownBy(() -> app.outbox().publishAll(List.of(fine, large)))
                    .isInstanceOf(OutboxLimitException.class);
            app.publish("after");
        });
        assertThat(app.stored()).containsExactly("before", "after");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2_JDBC", "POSTGRES_JDBC"})
    void aDelayedEventIsCancelledInItsOwnTransactionOrLater(Publishing app) {
        app.clear();
        UUID[] kept = new UUID[1];
        app.transaction().executeWithoutResult(status -> {
            UUID cancelled = app.outbox().publish(delayed("cancelled at once"));
            assertThat(app.outbox().cancel(cancelled)).isTrue();
            assertThat(app.outbox().cancel(cancelled)).isFalse();
            kept[0] = app.outbox().publish(delayed("cancelled in vain"));
            app.nested().executeWithoutResult(inner -> {
                assertThat(app.outbox().cancel(kept[0])).isTrue();
                inner.setRollbackOnly();
            });
            UUID due = app.outbox().publish(new PurchaseMade("k", "due"));
            assertThat(app.outbox().cancel(due)).isFalse();
        });
        assertThat(app.stored()).containsExactly("cancelled in vain", "due");
        app.transaction()
                .executeWithoutResult(
                        status -> assertThat(app.outbox().cancel(kept[0])).isTrue());
        assertThat(app.stored()).containsExactly("due");
    }

    private static Event delayed(String text) {
        return Event.to("purchases")
                .type("t")
                .json("{\"text\":\"" + text + "\"}")
                .availableIn(Duration.ofHours(1))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void applicationEventsWithTheAnnotationArePublishedInTheTransaction(Publishing app) {
        app.clear();
        app.transaction().executeWithoutResult(status -> {
            app.context().publishEvent(new PurchaseMade("1", "by Spring"));
            app.context().publishEvent("no event of ours");
        });
        app.transaction().executeWithoutResult(status -> {
            app.context().publishEvent(new PurchaseMade("1", "never"));
            status.setRollbackOnly();
        });
        assertThat(app.stored()).containsExactly("by Spring");
        assertRefused(() -> app.context().publishEvent(new PurchaseMade("1", "x")), "No transaction is open");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2_JPA", "POSTGRES_JPA"})
    void aServiceStoresItsEntityAndItsEventTogether(Publishing app) {
        app.clear();
        PurchaseService service = app.context().getBean(PurchaseService.class);
        service.buy("bought " + app);
        assertThat(app.stored()).containsExactly("service");
        assertThatThrownBy(() -> service.buyAndFail("failed " + app)).hasMessage("no money");
        assertRefused(() -> service.look("x"), "read-only");
        assertRefused(() -> service.buyByItself("alone " + app), "this.method()");
        assertThat(app.stored()).containsExactly("service");
        service.tell("x", true);
        assertThat(app.stored()).containsExactly("service", "early");
        service.tell("late", false);
        assertThat(service.refused()).containsExactly("late");
        assertThat(app.stored()).containsExactly("service", "early");
    }

    /** Hibernate flushes within the commit, after all callbacks before it. */
    @ParameterizedTest
    @EnumSource(names = {"H2_JPA", "POSTGRES_JPA"})
    void anEntityListenerPublishesDuringTheFlushOfTheCommit(Publishing app) {
        app.clear();
        Purchases purchases = app.context().getBean(Purchases.class);
        app.transaction().executeWithoutResult(status -> purchases.save(Purchase.announced("flush 1 " + app)));
        app.transaction().executeWithoutResult(status -> {
            app.publish("before");
            purchases.save(Purchase.announced("flush 2 " + app));
        });
        assertThatThrownBy(() -> app.transaction().executeWithoutResult(status -> {
                    purchases.save(Purchase.announced("flush 3 " + app));
                    purchases.save(new Purchase("flush 1 " + app));
                }))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(app.stored()).containsExactly("listener", "before", "listener");
    }

    /** Flyway refuses a schema that has tables already and no history. */
    @Test
    void theMigrationsOfTheApplicationGoFirst() {
        assertThat(Publishing.H2_JDBC
                        .context()
                        .getBeanFactory()
                        .getBeanDefinition("waybillUnit")
                        .getDependsOn())
                .contains("dataSourceScriptDatabaseInitializer");
    }

    private static void assertRefused(Runnable publish, String... advice) {
        assertThatThrownBy(publish::run)
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContainingAll(advice);
    }
}
