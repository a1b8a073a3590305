package dev.waybill.examples.shop.payments;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service that charges customers. */
@SpringBootApplication
public class PaymentsApplication {}
