package dev.waybill.store;

/** All that a relay needs of a store. Methods throw {@link StoreException} when the store cannot be reached. */
public interface OutboxStore extends LeaseStore, EntryReader, EntrySettler, Housekeeping {}
