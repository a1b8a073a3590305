CREATE TABLE stock (
    article VARCHAR(40) PRIMARY KEY,
    quantity INT NOT NULL
);
-- Nothing here keeps an order from being reserved twice: that is what the inbox is for.
CREATE TABLE reservation (
    id SERIAL PRIMARY KEY,
    order_id BIGINT NOT NULL,
    customer VARCHAR(40) NOT NULL,
    article VARCHAR(40) NOT NULL,
    quantity INT NOT NULL,
    state VARCHAR(20) NOT NULL
);
CREATE INDEX reservation_order ON reservation (order_id);
