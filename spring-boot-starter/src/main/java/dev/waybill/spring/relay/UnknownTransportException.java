package dev.waybill.spring.relay;

import dev.waybill.WaybillException;
import java.util.Set;

/** A setting names a transport that is not there. */
public class UnknownTransportException extends WaybillException {
    private static final long serialVersionUID = 1L;

    UnknownTransportException(String name, String setting, Set<String> known) {
        super(setting + " is \"" + name + "\", but there is no such transport; there are " + known
                + ". For kafka, add waybill-transport-kafka and set waybill.kafka.bootstrap-servers; for one of your own,"
                + " add a Transport bean of that name.");
    }
}
