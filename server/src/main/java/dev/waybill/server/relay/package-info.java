/** The standalone relay process. */
@NullMarked
package dev.waybill.server.relay;

import org.jspecify.annotations.NullMarked;
