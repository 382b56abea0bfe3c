// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Proxies: several interfaces, Object's methods, checked exceptions, defaults, wrong results.
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.function.IntSupplier;

public class ProxiesDeep {
    interface A {
        int number(long a, double b, String... c) throws java.io.IOException;
        default String hello() {
            return "hello from A";
        }
        void nothing();
    }
    interface B { boolean flag(); Object any(); }
    public static void main(String[] args) throws Exception {
        InvocationHandler h = (p, m, a) -> switch (m.getName()) {
            case "number" -> (int) ((long) a[0] + (double) a[1] + ((String[]) a[2]).length);
            case "hello" -> InvocationHandler.invokeDefault(p, m, a);
            case "flag" -> null;
            case "any" -> { throw new Exception("checked"); }
            case "toString" -> "proxy!";
            case "hashCode" -> 12;
            case "equals" -> p == a[0];
            case "getAsInt" -> "not an int";
            default -> 5;
        };
        Object p = Proxy.newProxyInstance(
                ProxiesDeep.class.getClassLoader(), new Class<?>[] {A.class, B.class, IntSupplier.class}, h);
        System.out.println(((A) p).number(1, 2.5, "x", "y") + " " + ((A) p).hello() + " " + p + " " + p.hashCode() + " "
                + p.equals(p) + p.equals("x"));
        ((A) p).nothing();
        for (Runnable r :
                new Runnable[] {() -> ((B) p).flag(), () -> ((B) p).any(), () -> ((IntSupplier) p).getAsInt()}) {
            try {
                r.run();
            } catch (UndeclaredThrowableException e) {
                System.out.println(e + " " + e.getCause());
            } catch (NullPointerException | ClassCastException e) {
                System.out.println(e.getClass());
            }
        }
        System.out.println(Proxy.isProxyClass(p.getClass()) + " " + (Proxy.getInvocationHandler(p) == h) + " "
                + p.getClass().getInterfaces().length + " "
                + java.lang.reflect.Modifier.toString(p.getClass().getModifiers()));
        try {
            Proxy.newProxyInstance(null, new Class<?>[] {String.class}, h);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Proxy.getInvocationHandler("x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (Method m : A.class.getDeclaredMethods()) if (m.isVarArgs()) System.out.println(m);
    }
}
