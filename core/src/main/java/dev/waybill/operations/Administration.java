package dev.waybill.operations;

import dev.waybill.audit.AuditTrail;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.replay.Replays;

/** All that the people who run an outbox can do with it. Thread-safe. */
public interface Administration {

    Operations operations();

    DeadLetters deadLetters();

    Replays replays();

    AuditTrail auditTrail();
}
