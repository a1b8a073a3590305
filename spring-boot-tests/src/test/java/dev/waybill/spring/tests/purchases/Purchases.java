package dev.waybill.spring.tests.purchases;

import org.springframework.data.jpa.repository.JpaRepository;

/** Spring Data's side of the tests. */
public interface Purchases extends JpaRepository<Purchase, String> {}
