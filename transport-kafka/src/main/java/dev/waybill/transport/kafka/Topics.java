package dev.waybill.transport.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster about topics, without waiting, and creates what is missing if it may. Thread-safe.
 *
 * <p>A producer that gets a record for a missing topic blocks its caller, and then the other destinations too. So a topic is
 * looked up here before its first record, and again after a failure that may be the topic's.
 */
final class Topics {
    static final Duration LONGEST_LOOK = Duration.ofSeconds(4);

    private final @Nullable TopicCreation creation;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    /** Those under way: a thousand deliveries to a topic ask once. */
    private final Map<String, CompletableFuture<TopicState>> looks = new ConcurrentHashMap<>();

    Topics(@Nullable TopicCreation creation) {
        this.creation = creation;
    }

    /** Whether the topic existed when it was last looked at, and nothing has failed since. */
    boolean isKnown(String topic) {
        return known.contains(topic);
    }

    void forget(String topic) {
        known.remove(topic);
    }

    /** What the cluster says about the topic; never fails. */
    CompletionStage<TopicState> look(Admin admin, String topic) {
        CompletableFuture<TopicState> answer = new CompletableFuture<>();
        CompletableFuture<TopicState> underWay = looks.putIfAbsent(topic, answer);
        if (underWay != null) {
            return underWay;
        }
        CompletionStage<TopicState> asked;
        try {
            asked = describe(admin, topic);
        } catch (RuntimeException e) {
            // Otherwise everybody after this one would wait for an answer that never comes.
            asked = CompletableFuture.failedStage(e);
        }
        asked.handle((state, failure) ->
                        failure == null ? CompletableFuture.completedStage(state) : failed(admin, topic, failure))
                .thenCompose(Function.identity())
                .exceptionally(failure -> ofFailure(topic, failure))
                .thenAccept(state -> {
                    if (state.usable()) {
                        known.add(topic);
                    }
                    // Before the answer: who asks after it wants news.
                    looks.remove(topic, answer);
                    answer.complete(state);
                });
        return answer;
    }

    private static CompletionStage<TopicState> describe(Admin admin, String topic) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) LONGEST_LOOK.toMillis());
        return admin.describeTopics(List.of(topic), options)
                .allTopicNames()
                .toCompletionStage()
                .thenApply(topics -> ofDescription(topics.values().iterator().next()));
    }

    private CompletionStage<TopicState> failed(Admin admin, String topic, Throwable failure) {
        if (creation == null || !(unwrapped(failure) instanceof UnknownTopicOrPartitionException)) {
            return CompletableFuture.completedStage(ofFailure(topic, failure));
        }
        NewTopic missing = new NewTopic(topic, creation.partitions(), creation.replicationFactor());
        CreateTopicsOptions options = new CreateTopicsOptions().timeoutMs((int) LONGEST_LOOK.toMillis());
        return admin.createTopics(List.of(missing), options)
                .all()
                .toCompletionStage()
                .handle((created, problem) -> ofCreation(topic, problem));
    }

    private static TopicState ofCreation(String topic, @Nullable Throwable problem) {
        if (problem == null || unwrapped(problem) instanceof TopicExistsException) {
            return TopicState.whole();
        }
        return TopicState.unavailable(
                "Topic " + topic + " does not exist and could not be created: " + Failures.text(unwrapped(problem)));
    }

    private static TopicState ofDescription(TopicDescription topic) {
        for (TopicPartitionInfo partition : topic.partitions()) {
            String name = topic.name() + "-" + partition.partition();
            if (partition.leader() == null || partition.leader().isEmpty()) {
                return TopicState.degraded("Partition " + name + " has no leader; a broker is away");
            }
            if (partition.isr().size() < partition.replicas().size()) {
                return TopicState.degraded(
                        "Partition " + name + " has " + partition.isr().size() + " of "
                                + partition.replicas().size() + " replicas in sync; a broker is away");
            }
        }
        return TopicState.whole();
    }

    private static TopicState ofFailure(String topic, Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof UnknownTopicOrPartitionException) {
            return TopicState.unavailable(
                    "Topic " + topic
                            + " does not exist; create it, or switch topic creation on (KafkaTransportConfig.withTopicCreation)");
        }
        if (cause instanceof AuthorizationException || cause instanceof InvalidTopicException) {
            return TopicState.forbidden("Topic " + topic + ": " + Failures.text(cause));
        }
        if (cause instanceof TimeoutException) {
            return TopicState.unavailable("No broker could be reached: " + Failures.text(cause));
        }
        return TopicState.unavailable("Topic " + topic + " could not be looked up: " + Failures.text(cause));
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
