package dev.waybill.examples.shop.orders;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service that takes orders. */
@SpringBootApplication
public class OrdersApplication {}
