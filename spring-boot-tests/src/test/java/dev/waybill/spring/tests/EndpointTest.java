package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.audit.AuditRecord;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint over HTTP, on a real web server. */
class EndpointTest {
    private static final String LETTERS = "/actuator/waybill/siding/dead-letters";
    private static WebService service;

    @Configuration(proxyBeanMethods = false)
    static class WithLogin extends Warehouse {

        /** Stands for whatever the application authenticates with. */
        @Bean
        Filter login() {
            return (request, response, chain) -> {
                HttpServletRequest http = (HttpServletRequest) request;
                String user = http.getHeader("X-User");
                chain.doFilter(
                        new HttpServletRequestWrapper(http) {
                            @Override
                            public Principal getUserPrincipal() {
                                return user == null ? super.getUserPrincipal() : () -> user;
                            }
                        },
                        response);
            };
        }
    }

    @BeforeAll
    static void start() {
        service = WebService.start(WithLogin.class, "waybill.endpoint.writable=true");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void reset() {
        stock().mended = false;
        stock().reserved.clear();
        siding().deadLetters()
                .list(DeadLetterFilter.all(), Long.MIN_VALUE, 100)
                .forEach(letter ->
                        siding().deadLetters().discard(letter.entry().sequence(), Signature.of("test", "over")));
    }

    @Test
    void allOutboxesAreShownWithTheirRelays() {
        service.bean(Warehouse.Orders.class).place("1");

        await().until(() -> outbox("dataSource").at("/ownedShards").asInt() == 64
                && outbox("dataSource").at("/relays/0/delivered").asLong() > 0);
        JsonNode shown = outbox("dataSource");
        assertThat(shown.at("/pending").asInt()).isZero();
        assertThat(shown.at("/shards").asInt()).isEqualTo(64);
        assertThat(shown.at("/liveRelays").asInt()).isEqualTo(1);
        assertThat(shown.at("/destinations/0/destination").asText()).isEqualTo("orders");
        assertThat(shown.at("/destinations/0/deliveredLately").asInt()).isPositive();
        assertThat(service.json("/actuator/waybill")
                        .at("/outboxes/siding/relays")
                        .size())
                .isEqualTo(1);
        JsonNode owners = service.json("/actuator/waybill/dataSource/shards").at("/owners");
        assertThat(owners).hasSize(64);
        assertThat(owners.at("/17").asText()).isEqualTo(shown.at("/relays/0/id").asText());
    }

    @Test
    void aDeadLetterIsShownWithoutItsContentUnlessThatIsAskedFor() {
        long sequence = deadLetter("bad-1");
        deadLetter("bad-2");

        JsonNode list = service.json(LETTERS + "?destination=stock&type=OrderPlaced&key=bad-1&reason=ARTICLE");
        assertThat(list.at("/count").asInt()).isEqualTo(1);
        JsonNode letter = list.at("/deadLetters/0");
        assertThat(letter.at("/consumer").asText()).isEqualTo("stock");
        assertThat(letter.at("/publishedTo").asText()).isEqualTo("orders");
        assertThat(letter.at("/state").asText()).isEqualTo("PENDING");
        assertThat(letter.at("/reason").asText()).contains("no such article");
        assertThat(letter.at("/content").isNull()).isTrue();
        assertThat(service.json(LETTERS + "?limit=1").at("/deadLetters")).hasSize(1);
        assertThat(service.json(LETTERS + "?after=" + sequence).at("/deadLetters"))
                .hasSize(1);
        assertThat(service.json(LETTERS + "?destination=nobody").at("/count").asInt())
                .isZero();

        assertThat(service.get(LETTERS + "/" + sequence).body()).doesNotContain("payload", "headers");
        JsonNode content =
                service.json(LETTERS + "/" + sequence + "?content=true").at("/content");
        assertThat(content.at("/payload").asText()).isEqualTo("{\"orderId\":\"bad-1\"}");
        assertThat(content.at("/contentType").asText()).isEqualTo("application/json");
        assertThat(content.at("/base64").asBoolean()).isFalse();
    }

    @Test
    void aDeadLetterIsTriedAgainByWhoIsLoggedIn() {
        long sequence = deadLetter("bad-3");
        stock().mended = true;

        HttpResponse<String> answer = postAs("alice", LETTERS + "/" + sequence, """
                {"action": "redrive", "why": "the article is there now", "by": "somebody else"}""");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(WebService.json(answer).at("/changed").asInt()).isEqualTo(1);
        await().until(() -> stock().reserved.contains("bad-3"));
        AuditRecord record = siding().auditTrail().records(Long.MAX_VALUE, 1).get(0);
        assertThat(record.signature().who()).isEqualTo("alice");
        assertThat(record.signature().why()).isEqualTo("the article is there now");
        assertThat(WebService.json(postAs("alice", LETTERS + "/" + sequence, """
                {"action": "redrive", "why": "again"}"""))
                        .at("/changed")
                        .asInt())
                .as("there is nothing to decide any more")
                .isZero();
    }

    @Test
    void deadLettersOfAConsumerAreDiscardedTogether() {
        deadLetter("bad-4");
        deadLetter("bad-5");

        assertThat(service.post(LETTERS, """
                {"action": "discard", "why": "test data", "by": "bob"}""").body()).contains("needs a destination");
        JsonNode answer = WebService.json(service.post(LETTERS, """
                {"action": "discard", "destination": "stock", "why": "test data", "by": "bob"}"""));

        assertThat(answer.at("/changed").asInt()).isEqualTo(2);
        assertThat(service.json(LETTERS).at("/count").asInt()).isZero();
        assertThat(service.json(LETTERS + "?state=discarded").at("/count").asInt())
                .isPositive();
    }

    @Test
    void aPausedDestinationGetsNothingUntilItIsResumed() {
        String path = "/actuator/waybill/dataSource/destinations";
        service.post(path, """
                {"action": "pause", "destination": "orders", "why": "stocktaking", "by": "bob"}""");
        await().until(() -> outbox("dataSource").at("/relays/0/unavailable").has("orders"));
        service.bean(Warehouse.Orders.class).place("6");

        JsonNode shown = outbox("dataSource");
        assertThat(shown.at("/paused/0/by").asText()).isEqualTo("bob");
        assertThat(shown.at("/paused/0/why").asText()).isEqualTo("stocktaking");
        assertThat(shown.at("/destinations/0/pending").asInt()).isEqualTo(1);
        assertThat(stock().reserved).isEmpty();

        service.post(path, """
                {"action": "resume", "destination": "orders", "why": "done", "by": "bob"}""");
        await().until(() -> stock().reserved.contains("6"));
    }

    @Test
    void whatCannotBeDoneIsSaidInWords() {
        long sequence = deadLetter("bad-7");
        String path = LETTERS + "/" + sequence;

        requireProblem(service.get("/actuator/waybill/nowhere"), 404, "there is [dataSource, siding]");
        requireProblem(service.get("/actuator/waybill/siding/letters"), 404, "dead-letters");
        requireProblem(service.get(LETTERS + "/4711"), 404, "no dead letter 4711");
        requireProblem(service.get(LETTERS + "?state=lost"), 400, "lost");
        requireProblem(service.post(path, """
                {"action": "redrive", "by": "bob"}"""), 400, "needs \"why\"");
        requireProblem(service.post(path, """
                {"action": "redrive", "why": "because"}"""), 400, "needs \"by\"");
        requireProblem(service.post(path, """
                {"action": "forget", "why": "because", "by": "bob"}"""), 400, "redrive or discard");
        assertThat(service.json(path).at("/state").asText()).isEqualTo("PENDING");
    }

    @Test
    @Setting("waybill.endpoint.writable")
    void nothingIsDecidedAndNoContentShownUnlessItIsAllowed() {
        try (WebService readOnly = WebService.start(Warehouse.class)) {
            readOnly.bean(Warehouse.Orders.class).place("bad");
            await().until(() -> readOnly.json(LETTERS).at("/count").asInt() == 1);
            String path = LETTERS + "/"
                    + readOnly.json(LETTERS).at("/deadLetters/0/sequence").asLong();

            requireProblem(readOnly.get(path + "?content=true"), 403, "waybill.endpoint.writable=true");
            for (String where : List.of(path, LETTERS, "/actuator/waybill/dataSource/destinations")) {
                requireProblem(readOnly.post(where, """
                        {"action": "discard", "destination": "stock", "why": "because", "by": "bob"}"""), 403, "waybill.endpoint.writable=true");
            }
            assertThat(readOnly.json(path).at("/state").asText()).isEqualTo("PENDING");
            assertThat(readOnly.bean(OutboxUnit.class).store().operations().pauses())
                    .isEmpty();
        }
    }

    private static void requireProblem(HttpResponse<String> answer, int status, String part) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(WebService.json(answer).at("/problem").asText()).contains(part);
    }

    private static HttpResponse<String> postAs(String user, String path, String json) {
        return service.send(service.request(path)
                .header("Content-Type", "application/json")
                .header("X-User", user)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    private static JsonNode outbox(String name) {
        return service.json("/actuator/waybill/" + name);
    }

    private static long deadLetter(String order) {
        service.bean(Warehouse.Orders.class).place(order);
        String path = LETTERS + "?key=" + order;
        await().until(() -> service.json(path).at("/count").asInt() == 1);
        return service.json(path).at("/deadLetters/0/sequence").asLong();
    }

    private static Warehouse.Stock stock() {
        return service.bean(Warehouse.Stock.class);
    }

    private static JdbcOutboxStore siding() {
        return service.bean(Consumers.class).siding().orElseThrow();
    }
}
