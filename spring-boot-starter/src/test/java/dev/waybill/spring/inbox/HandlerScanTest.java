package dev.waybill.spring.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.transport.Delivery;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

class HandlerScanTest {
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    record Plain(String id) {}

    @PublishedEvent(destination = "orders", type = "order.placed", version = 3)
    record Published(String id) {}

    record Wrapped<T>(T value) {}

    static class Good {
        @EventHandler(consumer = "a")
        void plain(Plain value) {}

        @EventHandler(consumer = "a")
        void published(Delivery delivery, Published value) {}

        @EventHandler(consumer = "b", type = "raw", destination = "elsewhere", leased = true)
        void raw(Event event) {}
    }

    @Test
    void theAnnotationAndTheClassOfTheValueSayWhatAHandlerTakes() {
        List<HandlerMethod> found = scan(Good.class);
        assertThat(found)
                .extracting(HandlerMethod::consumer, HandlerMethod::type, HandlerMethod::version)
                .containsExactly(tuple("a", "Plain", 1), tuple("a", "order.placed", 3), tuple("b", "raw", 1));
        assertThat(found).extracting(HandlerMethod::destination).containsExactly("", "orders", "elsewhere");
        assertThat(found).extracting(HandlerMethod::leased).containsExactly(false, false, true);
        assertThat(found.get(1).arguments())
                .containsExactly(HandlerMethod.Argument.DELIVERY, HandlerMethod.Argument.VALUE);
    }

    @Test
    void aBeanThatIsLazyOrAPrototypeIsFoundAndNotMade() {
        RootBeanDefinition lazy = new RootBeanDefinition(Good.class, () -> {
            throw new AssertionError("made");
        });
        lazy.setLazyInit(true);
        beans.registerBeanDefinition("lazy", lazy);
        assertThat(new HandlerScan(beans).find()).hasSize(3);
        lazy.setScope(BeanDefinition.SCOPE_PROTOTYPE);
        assertThat(new HandlerScan(beans).find()).hasSize(3);
    }

    interface Handling {
        @EventHandler(consumer = "interface")
        void on(Plain value);
    }

    static class ByInterface implements Handling {
        @Override
        public void on(Plain value) {}
    }

    abstract static class Generic<T> {
        @EventHandler(consumer = "generic")
        public void on(T value) {}
    }

    static class Specific extends Generic<Plain> {}

    @Test
    void aMethodOfAnInterfaceOrAGenericClassIsAHandlerOfTheBean() {
        assertThat(scan(ByInterface.class))
                .singleElement()
                .extracting(HandlerMethod::type)
                .isEqualTo("Plain");
        assertThat(scan(Specific.class))
                .extracting(HandlerMethod::consumer, HandlerMethod::type)
                .contains(tuple("generic", "Plain"));
    }

    @Test
    void aProxyByInterfacesWithoutTheMethodIsRefused() {
        ProxyFactory factory = new ProxyFactory(new Good());
        factory.setInterfaces(Runnable.class);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(
                    "proxied",
                    Object.class,
                    () -> factory.getProxy(),
                    definition -> definition.setAttribute(
                            "org.springframework.aop.framework.autoproxy.AutoProxyUtils.originalTargetClass",
                            Good.class));
            context.refresh();
            assertThatThrownBy(() -> new HandlerScan(context.getBeanFactory()).find())
                    .isInstanceOf(InvalidHandlerException.class)
                    .hasMessageContaining("proxy-target-class");
        }
    }

    static class NoParameter {
        @EventHandler(consumer = "a")
        void on() {}
    }

    static class Static {
        @EventHandler(consumer = "a")
        static void on(Plain value) {}
    }

    static class GenericParameter {
        @EventHandler(consumer = "a")
        void on(Wrapped<Plain> value) {}
    }

    static class TwoValues {
        @EventHandler(consumer = "a")
        void on(Plain value, Published other) {}
    }

    static class RawWithoutType {
        @EventHandler(consumer = "a")
        void on(Event event) {}
    }

    static class BadConsumer {
        @EventHandler(consumer = "no good")
        void on(Plain value) {}
    }

    static class Asynchronous {
        @EventHandler(consumer = "a")
        CompletableFuture<Void> on(Plain value) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class WithAResult {
        @EventHandler(consumer = "a")
        String on(Plain value) {
            return value.id();
        }
    }

    static class InTheBackground {
        @EventHandler(consumer = "a")
        @Async
        void on(Plain value) {}
    }

    @Async
    static class AllInTheBackground {
        @EventHandler(consumer = "a", leased = true)
        void on(Plain value) {}
    }

    static class Never {
        @EventHandler(consumer = "a")
        @Transactional(propagation = Propagation.NEVER)
        void on(Plain value) {}
    }

    static class Apart {
        @EventHandler(consumer = "a")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void on(Plain value) {}
    }

    @Test
    void whatCannotBeAHandlerIsNamedWithWhatToChange() {
        refuses(NoParameter.class, "has no parameter");
        refuses(Static.class, "is private or static");
        refuses(GenericParameter.class, "generic type");
        refuses(TwoValues.class, "two parameters of the same kind");
        refuses(RawWithoutType.class, "set type");
        refuses(BadConsumer.class, "names a consumer that is not allowed");
        refuses(Asynchronous.class, "returns a CompletableFuture");
        refuses(WithAResult.class, "returns a String, which would be dropped");
        refuses(InTheBackground.class, "is @Async");
        refuses(AllInTheBackground.class, "is @Async");
        refuses(Apart.class, "apart from the record");
        refuses(Never.class, "apart from the record");
    }

    static class Optional {}

    static class OfALibrary {
        void needs(Optional part) {}
    }

    @Test
    void aBeanWhoseClassNeedsAnotherThatIsMissingIsPassedOver() throws Exception {
        Class<?> broken = new WithoutOptional().loadClass(OfALibrary.class.getName());
        assertThatThrownBy(broken::getDeclaredMethods).isInstanceOf(NoClassDefFoundError.class);
        beans.registerBeanDefinition("broken", new RootBeanDefinition(broken));
        beans.registerBeanDefinition("good", new RootBeanDefinition(Good.class));
        assertThat(new HandlerScan(beans).find()).hasSize(3);
    }

    /** Has the class of a library, and not what it needs. */
    private static final class WithoutOptional extends ClassLoader {
        WithoutOptional() {
            super(HandlerScanTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Optional.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            if (!name.equals(OfALibrary.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream file = OfALibrary.class.getResourceAsStream("HandlerScanTest$OfALibrary.class")) {
                byte[] bytes = Objects.requireNonNull(file).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private void refuses(Class<?> beanClass, String why) {
        assertThatThrownBy(() -> scan(beanClass))
                .isInstanceOf(InvalidHandlerException.class)
                .hasMessageContaining(beanClass.getSimpleName() + ".on()")
                .hasMessageContaining(why);
    }

    private List<HandlerMethod> scan(Class<?> beanClass) {
        DefaultListableBeanFactory own = new DefaultListableBeanFactory();
        own.registerBeanDefinition("bean", new RootBeanDefinition(beanClass));
        return new HandlerScan(own).find();
    }

    private static Tuple tuple(Object... values) {
        return Tuple.tuple(values);
    }
}
