package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waybill.event.PayloadCodec;
import dev.waybill.spring.tests.purchases.PurchaseMade;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The JSON of payloads is that of the application. */
class JsonTest {

    private record Timed(Instant at) {}

    /** Jackson 2 on Boot 3.5, Jackson 3 on Boot 4.1: whatever the application's own settings have made. */
    @Test
    void theMapperThatBootHasMadeIsUsed() throws Exception {
        assertThat(json(Publishing.H2_JPA.context(), new PurchaseMade("1", "x")))
                .contains("\"purchase_id\":\"1\"");
    }

    @Configuration(proxyBeanMethods = false)
    static class Jackson2 {
        @Bean
        ObjectMapper mapper() {
            return JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                    .build();
        }
    }

    @Test
    void aMapperOfJackson2IsUsed() {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class, Jackson2.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .run(context ->
                        assertThat(json(context, new PurchaseMade("1", "x"))).contains("\"purchase-id\":\"1\""));
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherMapper {
        @Bean
        ObjectMapper another() {
            return new ObjectMapper();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MapperOfTheUsualName {
        @Bean
        ObjectMapper objectMapper() {
            return new Jackson2().mapper();
        }
    }

    @Test
    void ofSeveralMappersThatOfTheUsualNameIsUsed() {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class, AnotherMapper.class, MapperOfTheUsualName.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .run(context ->
                        assertThat(json(context, new PurchaseMade("1", "x"))).contains("\"purchase-id\":\"1\""));
    }

    @Test
    void severalMappersFailTheStartWithAdvice() {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class, Jackson2.class, AnotherMapper.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContainingAll("several ObjectMapper beans", "@Primary", "PayloadCodec"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnCodec {
        @Bean
        PayloadCodec codec() {
            return new PayloadCodec() {
                @Override
                public String contentType() {
                    return "text/plain";
                }

                @Override
                public byte[] encode(Object value) {
                    return "mine".getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public <T> T decode(byte[] bytes, Class<T> type) {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }

    @Test
    void aCodecOfTheApplicationReplacesAll() {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class, Jackson2.class, OwnCodec.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .run(context -> assertThat(json(context, "x")).isEqualTo("mine"));
    }

    @Test
    void withoutAMapperTimesAreTextAndUnknownFieldsArePassedOver() {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .run(context -> {
                    Timed value = new Timed(Instant.parse("2026-01-02T03:04:05Z"));
                    assertThat(json(context, value)).isEqualTo("{\"at\":\"2026-01-02T03:04:05Z\"}");
                    assertThat(context.getBean(PayloadCodec.class)
                                    .decode(
                                            "{\"at\":\"2026-01-02T03:04:05Z\",\"more\":1}"
                                                    .getBytes(StandardCharsets.UTF_8),
                                            Timed.class))
                            .isEqualTo(value);
                });
    }

    private static String json(ApplicationContext context, Object value) throws Exception {
        return new String(context.getBean(PayloadCodec.class).encode(value), StandardCharsets.UTF_8);
    }
}
