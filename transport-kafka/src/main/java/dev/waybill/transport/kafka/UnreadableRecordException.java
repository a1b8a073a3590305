package dev.waybill.transport.kafka;

import dev.waybill.OneLine;
import dev.waybill.WaybillException;
import org.jspecify.annotations.Nullable;

/** A record that is no event of ours; the message says where it is and what is wrong with it. */
public class UnreadableRecordException extends WaybillException {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final int partition;
    private final long offset;

    UnreadableRecordException(String topic, int partition, long offset, String problem, @Nullable Throwable cause) {
        super(
                "Record " + topic + "-" + partition + "@" + offset + " is not an event: " + OneLine.of(problem) + ".",
                cause);
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
    }

    public String topic() {
        return topic;
    }

    public int partition() {
        return partition;
    }

    public long offset() {
        return offset;
    }
}
