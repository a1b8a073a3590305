package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.DeliveryResult.Rejected;
import dev.waybill.transport.DeliveryResult.Unavailable;
import dev.waybill.transport.Term;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that knows its users and what they may do. */
class KafkaAuthorizationTest {
    @TempDir
    static Path folder;

    private static @Nullable KafkaBroker broker;

    private final String topic = "guarded." + UUID.randomUUID();
    private final Answers answers = new Answers();
    private @Nullable Admin admin;

    @BeforeAll
    static void startBroker() {
        String module = "org.apache.kafka.common.security.plain.PlainLoginModule required";
        broker = KafkaBroker.start(
                folder,
                Map.of(
                        "listener.security.protocol.map", "CLIENT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "sasl.enabled.mechanisms", "PLAIN",
                        "sasl.mechanism.inter.broker.protocol", "PLAIN",
                        "listener.name.client.plain.sasl.jaas.config",
                                module + " username=\"admin\" password=\"pw\" user_admin=\"pw\" user_writer=\"pw\""
                                        + " user_looker=\"pw\";",
                        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        "super.users", "User:admin;User:ANONYMOUS"));
    }

    @AfterAll
    static void stopBroker() {
        broker().close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        Map<String, Object> properties = new HashMap<>(as("admin", "pw").properties());
        properties.put("bootstrap.servers", broker().bootstrapServers());
        admin = Admin.create(properties);
        admin().createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void closeAdmin() {
        admin().close();
    }

    @Test
    void aTopicThatTheUserMayNotWriteToRejectsAndOthersDoNot() throws Exception {
        String open = topic + ".open";
        admin().createTopics(List.of(new NewTopic(open, 1, (short) 1))).all().get(20, TimeUnit.SECONDS);
        grant("writer", open, AclOperation.WRITE);
        grant("writer", topic, AclOperation.DESCRIBE);
        try (KafkaTransport transport = KafkaTransport.create(as("writer", "pw"))) {
            awaitDelivered(transport, open);

            assertThat(answers.of(transport, event(topic)))
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.reason()).contains("TopicAuthorization", topic));
            assertThat(answers.of(transport, event(open))).isEqualTo(DeliveryResult.delivered());
        }
    }

    @Test
    void aTopicThatTheUserMayNotSeeRejects() {
        try (KafkaTransport transport = KafkaTransport.create(as("looker", "pw"))) {
            assertThat(answers.of(transport, event(topic)))
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.reason()).contains("TopicAuthorization", topic));
        }
    }

    /** Without any right to write the broker refuses the producer as such, not only the record. */
    @Test
    void aProducerThatTheClusterRefusesWorksWhenItMayWrite() throws Exception {
        grant("looker", topic, AclOperation.DESCRIBE);
        try (KafkaTransport transport = KafkaTransport.create(as("looker", "pw"))) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> answers.of(transport, event(topic)) instanceof Rejected rejected
                            && rejected.reason().contains("ClusterAuthorization"));

            grant("looker", topic, AclOperation.WRITE);
            awaitDelivered(transport, topic);
        }
    }

    @Test
    void aWrongPasswordIsAnOutageAndNoEventsFault() {
        try (KafkaTransport transport = KafkaTransport.create(as("writer", "wrong"))) {
            assertThat(answers.of(transport, event(topic)))
                    .isInstanceOfSatisfying(
                            Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("Authentication"));
        }
    }

    /** Without rights to transactional ids: at least once, as before. */
    @Test
    void aUserWhoMayNotUseTransactionsDeliversAtLeastOnce() throws Exception {
        grant("writer", topic, AclOperation.WRITE);
        grant("writer", topic, AclOperation.DESCRIBE);
        try (ExactlyOnceKafkaTransport transport = ExactlyOnceKafkaTransport.create(as("writer", "pw"), "forbidden")) {
            Term term = transport.begin(0).toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(term).isInstanceOf(PlainTerm.class);
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                Event event = event(topic);
                term.send(List.of(answers.delivery(event)), answers);
                return answers.of(event).equals(DeliveryResult.delivered());
            });
        }
    }

    /** Rights take a moment to reach the broker. */
    private void awaitDelivered(KafkaTransport transport, String destination) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> answers.of(transport, event(destination)).equals(DeliveryResult.delivered()));
    }

    private void grant(String user, String name, AclOperation operation) throws Exception {
        admin().createAcls(List.of(new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL),
                        new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW))))
                .all()
                .get(20, TimeUnit.SECONDS);
    }

    private static Event event(String destination) {
        return Event.to(destination).key("k").type("t").build();
    }

    private static KafkaTransportConfig as(String user, String password) {
        return KafkaTransportConfig.of(broker().bootstrapServers())
                .withProperties(Map.of(
                        "security.protocol", "SASL_PLAINTEXT",
                        "sasl.mechanism", "PLAIN",
                        "sasl.jaas.config",
                                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user
                                        + "\" password=\"" + password + "\";"));
    }

    private Admin admin() {
        return Objects.requireNonNull(admin);
    }

    private static KafkaBroker broker() {
        return Objects.requireNonNull(broker);
    }
}
