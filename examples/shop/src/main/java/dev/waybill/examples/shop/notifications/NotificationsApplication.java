package dev.waybill.examples.shop.notifications;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service that writes to customers. */
@SpringBootApplication
public class NotificationsApplication {}
