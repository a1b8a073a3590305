package dev.waybill.spring.boot;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.relay.RelayProbe;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Settings of a Spring Boot service, in a file or as variables of the environment. */
public final class SettingsTarget implements FuzzTarget {
    private final UnknownSettings unknown = new UnknownSettings();
    private final BindHandler handler = new SectionValues().apply(BindHandler.DEFAULT);

    @Override
    public void check(Input input) {
        boolean variables = input.flag();
        Map<String, Object> given = new LinkedHashMap<>(input.map());
        ConfigurableEnvironment environment = environment(variables, given);
        try {
            unknown.check(environment);
            use(Binder.get(environment).bindOrCreate("waybill", Bindable.of(WaybillProperties.class), handler));
        } catch (SetupException e) {
            checkRefusal(e, given.size());
        } catch (BindException e) {
            Expect.that(e.getName().toString().startsWith("waybill"), "It names another setting");
        }
    }

    private static ConfigurableEnvironment environment(boolean variables, Map<String, Object> given) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        sources.remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        sources.addFirst(
                variables
                        ? new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, given)
                        : new MapPropertySource("file", given));
        return environment;
    }

    /** What is accepted at the start must work afterwards. */
    private static void use(WaybillProperties settings) {
        CoreConfigs.outbox(settings);
        CoreConfigs.store(settings);
        RelayProbe.check(new WaybillRelayAutoConfiguration().waybillRelayConfig(settings));
        RelayProbe.check(new WaybillConsumerAutoConfiguration()
                .waybillInboxConfig(settings)
                .retry());
        new WaybillResilienceAutoConfiguration().waybillResilienceConfig(settings);
    }

    /** One line, or a list with one line for each setting. */
    private static void checkRefusal(SetupException refused, int settings) {
        Expect.that(!refused.description().isBlank() && !refused.action().isBlank(), "It is refused without a reason");
        String[] lines = refused.description().split("\n", -1);
        Expect.that(lines.length <= 1 + settings, "A setting pretends to be several: " + refused.description());
        for (String line : lines) {
            Expect.oneLine(line);
        }
        Expect.oneLine(refused.action());
    }
}
