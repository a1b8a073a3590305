package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PayloadTest {

    @Test
    void bytesAreCopiedOnTheWayInAndOut() {
        byte[] bytes = {1, 2, 3};
        Payload payload = Payload.of(bytes);

        bytes[0] = 9;
        payload.bytes()[1] = 9;

        assertThat(payload.bytes()).containsExactly(1, 2, 3);
        assertThat(payload.size()).isEqualTo(3);
        assertThat(payload.buffer().isReadOnly()).isTrue();
    }

    @Test
    void payloadsWithEqualBytesAreEqual() {
        assertThat(Payload.utf8("ü")).isEqualTo(Payload.of(new byte[] {(byte) 0xc3, (byte) 0xbc}));
        assertThat(Payload.utf8("ü")).hasSameHashCodeAs(Payload.of(new byte[] {(byte) 0xc3, (byte) 0xbc}));
        assertThat(Payload.utf8("")).isEqualTo(Payload.empty());
        assertThat(Payload.utf8("a")).isNotEqualTo(Payload.utf8("b"));
    }

    @Test
    void theContentIsNeverPrinted() {
        assertThat(Payload.utf8("secret").toString()).isEqualTo("6 bytes");
    }
}
