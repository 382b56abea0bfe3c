// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.reflect.Proxy.
import java.lang.reflect.*;
import java.util.*;

public class Proxies {
    interface Greeter {
        String greet(String n);

        default int len(String s) {
            return s.length();
        }

        void nothing();

        int prim(long l, double d);
    }

    public static void main(String[] args) {
        List<String> calls = new ArrayList<>();
        InvocationHandler h =
                (p, m, as) -> {
                    calls.add(m.getName() + Arrays.toString(as));
                    switch (m.getName()) {
                        case "greet":
                            return "hi " + as[0];
                        case "prim":
                            return 7;
                        case "len":
                            return 99;
                        case "hashCode":
                            return 5;
                        case "toString":
                            return "proxy!";
                        case "equals":
                            return p == as[0];
                    }
                    return null;
                };
        Greeter g =
                (Greeter)
                        Proxy.newProxyInstance(
                                Proxies.class.getClassLoader(),
                                new Class<?>[] {Greeter.class, Runnable.class},
                                h);
        System.out.println(
                g.greet("bob")
                        + " "
                        + g.prim(1L, 2.0)
                        + " "
                        + g.len("abc")
                        + " "
                        + g
                        + " "
                        + g.hashCode()
                        + " "
                        + g.equals(g));
        g.nothing();
        ((Runnable) g).run();
        System.out.println(
                calls
                        + " "
                        + Proxy.isProxyClass(g.getClass())
                        + " "
                        + (Proxy.getInvocationHandler(g) == h));
        Greeter bad =
                (Greeter)
                        Proxy.newProxyInstance(
                                Proxies.class.getClassLoader(),
                                new Class<?>[] {Greeter.class},
                                (p, m, as) -> {
                                    throw new java.io.IOException("checked");
                                });
        try {
            bad.greet("x");
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause());
        }
        try {
            ((Greeter)
                            Proxy.newProxyInstance(
                                    Proxies.class.getClassLoader(),
                                    new Class<?>[] {Greeter.class},
                                    (p, m, as) -> null))
                    .prim(1, 2);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
    }
}
