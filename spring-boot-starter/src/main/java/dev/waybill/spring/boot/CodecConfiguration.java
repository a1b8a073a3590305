package dev.waybill.spring.boot;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.event.PayloadCodec;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of the events: that of the application's own mapper. */
@Configuration(proxyBeanMethods = false)
class CodecConfiguration {
    private static final String JSON_MAPPER = "tools.jackson.databind.json.JsonMapper";

    /** Goes before Jackson 2, which is on the class path of every application by the starter. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = JSON_MAPPER)
    static class Jackson3 {

        @Bean
        @ConditionalOnBean(JsonMapper.class)
        @ConditionalOnMissingBean(PayloadCodec.class)
        PayloadCodec waybillCodec(BeanFactory beans) {
            return new Jackson3Codec(
                    Objects.requireNonNull(mapper(beans, JsonMapper.class, "jacksonJsonMapper", "jsonMapper")));
        }
    }

    /** The only or primary one, or that of a usual name; null if there is none. */
    private static <M> @Nullable M mapper(BeanFactory beans, Class<M> type, String... usual) {
        try {
            return beans.getBeanProvider(type).getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            Collection<String> names = Objects.requireNonNullElse(several.getBeanNamesFound(), List.of());
            String name = Arrays.stream(usual)
                    .filter(names::contains)
                    .findFirst()
                    .orElseThrow(() -> new SetupException(
                            "The application has several " + type.getSimpleName() + " beans " + names
                                    + ", and none of them is primary.",
                            "Make the one for events @Primary, or define a PayloadCodec bean."));
            return beans.getBean(name, type);
        }
    }

    /** Of the application, or one that is made here. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
    static class Jackson2 {

        /** The condition names the other mapper, because which of the two classes is looked at first is left to chance. */
        @Bean
        @ConditionalOnMissingBean(value = PayloadCodec.class, type = JSON_MAPPER)
        PayloadCodec waybillCodec(BeanFactory beans) {
            ObjectMapper own = mapper(beans, ObjectMapper.class, "jacksonObjectMapper", "objectMapper");
            return own == null ? Jackson2Codec.own() : new Jackson2Codec(own);
        }
    }
}
