package dev.waybill.fuzz;

import java.util.Arrays;

/** How an input of Jazzer's says which target it is for: with its first byte. */
final class Address {

    private Address() {}

    /** An input for the n-th target. */
    static byte[] to(int index, byte[] input) {
        byte[] data = new byte[input.length + 1];
        data[0] = (byte) index;
        System.arraycopy(input, 0, data, 1, input.length);
        return data;
    }

    /** Which of so many targets it is for. */
    static int target(byte[] data, int targets) {
        return data.length == 0 ? 0 : (data[0] & 0xff) % targets;
    }

    /** What the target gets of it. */
    static byte[] input(byte[] data) {
        return data.length == 0 ? data : Arrays.copyOfRange(data, 1, data.length);
    }
}
