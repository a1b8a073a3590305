package dev.waybill.examples.shop.orders;

import org.springframework.data.repository.CrudRepository;

/** All orders. */
interface OrderRepository extends CrudRepository<Order, Long> {}
