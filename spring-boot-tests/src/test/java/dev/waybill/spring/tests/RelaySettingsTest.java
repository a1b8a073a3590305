package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

class RelaySettingsTest {

    @PublishedEvent(destination = "notes", key = "text")
    record Note(String text) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Effects effects(JdbcTemplate jdbc) {
            return new Effects(jdbc);
        }

        @Bean
        Reader reader(Effects effects) {
            return new Reader(effects);
        }
    }

    static class Reader {
        final CountDownLatch slow = new CountDownLatch(1);
        final CountDownLatch called = new CountDownLatch(1);
        private final Effects effects;

        Reader(Effects effects) {
            this.effects = effects;
        }

        @EventHandler(consumer = "reader")
        void read(Note note) throws InterruptedException {
            effects.add("read " + note.text());
            called.countDown();
            if (note.text().equals("slow")) {
                slow.await();
            }
        }
    }

    @Test
    @Setting({"waybill.relay.enabled", "waybill.relay.signals"})
    void aCommitInAnotherProcessWakesTheRelayWithoutAPoll() {
        String url = Databases.postgres();
        try (RunningApp publishing = RunningApp.on(url, App.class, "waybill.relay.enabled=false");
                RunningApp delivering = RunningApp.on(url, App.class, "waybill.relay.poll-interval=10m")) {
            assertThat(publishing.bean(Relays.class).relays()).isEmpty();
            assertThat(delivering.bean(Relays.class).relays()).hasSize(1);
            // It has the shards, and looked into them for the last time for ten minutes.
            await().until(() ->
                    delivering.bean(Relays.class).relays().get(0).status().ownedShards() > 0);
            publishing.publish(new Note("from elsewhere"));
            await().untilAsserted(() ->
                    assertThat(delivering.bean(Effects.class).of("read")).containsExactly("read from elsewhere"));
        }
        try (RunningApp silent = RunningApp.on(url, App.class, "waybill.relay.signals=false")) {
            assertThat(silent.bean(OutboxUnit.class).signals()).isFalse();
        }
    }

    @Test
    @Setting("waybill.relay.shutdown-timeout")
    void theEndWaitsNoLongerThanItMayForAHandlerThatHangs() throws InterruptedException {
        RunningApp app = RunningApp.onH2(App.class, "waybill.relay.shutdown-timeout=200ms");
        app.publish(new Note("slow"));
        app.bean(Reader.class).called.await();
        long start = System.nanoTime();
        app.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
}
