CREATE TABLE payment (
    id SERIAL PRIMARY KEY,
    order_id BIGINT NOT NULL,
    customer VARCHAR(40) NOT NULL,
    amount BIGINT NOT NULL,
    state VARCHAR(20) NOT NULL
);
CREATE INDEX payment_order ON payment (order_id);
