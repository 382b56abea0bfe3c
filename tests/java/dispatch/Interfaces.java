// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Default methods, static and private interface methods, diamonds, bridges.
import java.util.function.*;

public class Interfaces {
    interface I {
        default String hi() {
            return "I" + helper();
        }

        private String helper() {
            return "-helper";
        }

        static String util() {
            return "util";
        }
    }

    interface J extends I {
        default String hi() {
            return "J" + I.super.hi();
        }
    }

    interface K extends I {}

    static class A implements I {}

    static class B implements J, K {}

    static class C extends B {
        public String hi() {
            return "C" + super.hi();
        }
    }

    interface Num<T extends Number> {
        T get();

        default int twice() {
            return get().intValue() * 2;
        }
    }

    static class Five implements Num<Integer> {
        public Integer get() {
            return 5;
        }
    }

    abstract static class Abs implements Supplier<String> {
        String call() {
            return get();
        }
    }

    public static void main(String[] args) {
        for (I x : new I[] {new A(), new B(), new C()}) System.out.println(x.hi());
        System.out.println(I.util() + new Five().twice());
        Num<?> n = new Five();
        System.out.println(n.get());
        System.out.println(
                new Abs() {
                    public String get() {
                        return "got";
                    }
                }.call());
        I anon = new I() {};
        System.out.println(anon.hi() + " " + anon.toString().startsWith("Interfaces$"));
        Object o = new B();
        System.out.println(((K) o).hi() + ((J) o).hi());
    }
}
