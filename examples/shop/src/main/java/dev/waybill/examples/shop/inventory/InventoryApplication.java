package dev.waybill.examples.shop.inventory;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service that knows what is on the shelves. */
@SpringBootApplication
public class InventoryApplication {}
