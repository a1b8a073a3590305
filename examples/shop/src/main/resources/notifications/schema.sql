CREATE TABLE mail (
    id SERIAL PRIMARY KEY,
    order_id BIGINT NOT NULL,
    customer VARCHAR(40) NOT NULL,
    subject VARCHAR(20) NOT NULL
);
CREATE INDEX mail_order ON mail (order_id);
