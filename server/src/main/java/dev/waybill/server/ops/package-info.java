/** The operator's commands: what is stuck, why, and the decisions about it. */
@NullMarked
package dev.waybill.server.ops;

import org.jspecify.annotations.NullMarked;
