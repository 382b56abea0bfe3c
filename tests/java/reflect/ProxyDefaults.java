// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// InvocationHandler.invokeDefault, a default method that calls the default it overrides, refused proxies.
// since: 21
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

public class ProxyDefaults {
    public interface Named {
        String name();
        default String greet() { return "hello " + name(); }
    }
    public interface Loud extends Named {
        @Override default String greet() { return Named.super.greet() + "!"; }
    }
    public sealed interface Closed permits Open {}
    public non-sealed interface Open extends Closed {}

    public static void main(String[] arguments) throws Throwable {
        InvocationHandler handler = (proxy, method, args) -> {
            if (method.isDefault()) return InvocationHandler.invokeDefault(proxy, method, args) + " (default)";
            return method.getName().equals("name") ? "proxy" : null;
        };
        Loud loud = (Loud) Proxy.newProxyInstance(ProxyDefaults.class.getClassLoader(), new Class<?>[] {Loud.class},
            handler);
        System.out.println(loud.greet() + " " + loud.name());
        System.out.println(InvocationHandler.invokeDefault(loud, Loud.class.getMethod("greet")));
        for (Runnable wrong : new Runnable[] {
                () -> Proxy.newProxyInstance(ProxyDefaults.class.getClassLoader(), new Class<?>[] {Closed.class},
                    handler),
                () -> Proxy.newProxyInstance(ProxyDefaults.class.getClassLoader(), new Class<?>[] {String.class},
                    handler)}) {
            try {
                wrong.run();
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            InvocationHandler.invokeDefault(loud, Named.class.getMethod("name"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Proxy.isProxyClass(Proxy.newProxyInstance(ProxyDefaults.class.getClassLoader(),
            new Class<?>[] {Open.class}, handler).getClass()));
    }
}
