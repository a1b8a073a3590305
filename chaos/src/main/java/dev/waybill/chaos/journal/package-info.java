/** What processes that may die at any moment write down, and reading it after their end. */
@NullMarked
package dev.waybill.chaos.journal;

import org.jspecify.annotations.NullMarked;
