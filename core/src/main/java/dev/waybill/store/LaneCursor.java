package dev.waybill.store;

/**
 * Where one destination of one shard is read on, when it is behind the shard's scan.
 *
 * @param position read beyond this sequence
 * @param limit    read at most so many entries, all lanes of a destination together at most a quarter more
 */
public record LaneCursor(int shard, String destination, long position, int limit, long maxBytes) {}
