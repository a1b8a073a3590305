CREATE TABLE customer_order (
    id SERIAL PRIMARY KEY,
    customer VARCHAR(40) NOT NULL,
    article VARCHAR(40) NOT NULL,
    quantity INT NOT NULL,
    amount BIGINT NOT NULL,
    state VARCHAR(20) NOT NULL,
    version INT NOT NULL
);
