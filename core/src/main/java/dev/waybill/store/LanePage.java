package dev.waybill.store;

import java.util.List;

/**
 * What a lane held.
 *
 * @param position the sequence up to which the lane has been read now; there may be no entry there
 * @param more     whether there may be more beyond it
 */
public record LanePage(LaneCursor cursor, List<Entry> entries, long position, boolean more) {
    public LanePage {
        entries = List.copyOf(entries);
    }
}
