package dev.waybill.transport.kafka;

/**
 * How a topic that does not exist is created. Immutable.
 *
 * @param partitions        the number of partitions; raising it later moves keys to other partitions
 * @param replicationFactor the number of copies; the cluster needs as many brokers
 */
public record TopicCreation(int partitions, short replicationFactor) {

    public TopicCreation {
        if (partitions < 1 || replicationFactor < 1) {
            throw new IllegalArgumentException("partitions " + partitions + " and replicationFactor "
                    + replicationFactor + " must be at least 1.");
        }
    }
}
