// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lambdas and method references of every kind.
import java.util.*;
import java.util.function.*;

public class Basics {
    int f = 10;

    int add(int x) {
        return f + x;
    }

    static int twice(int x) {
        return 2 * x;
    }

    Basics(int f) {
        this.f = f;
    }

    Basics() {}

    interface Tri<A, B, C, R> {
        R apply(A a, B b, C c);
    }

    interface LongOp {
        long go(int a, long b, double c);
    }

    Supplier<Integer> capturingThis() {
        return () -> f * 2;
    }

    <T> Function<T, String> generic(String p) {
        return t -> p + t + f;
    }

    public static void main(String[] args) {
        Basics o = new Basics();
        Function<Integer, Integer> a = o::add;
        IntUnaryOperator b = Basics::twice;
        Function<Integer, Basics> c = Basics::new;
        Supplier<Basics> d = Basics::new;
        BiFunction<Basics, Integer, Integer> e = Basics::add;
        IntFunction<int[]> arr = int[]::new;
        Function<String, Integer> len = String::length;
        BinaryOperator<Integer> max = Math::max;
        Comparator<String> cmp = String::compareTo;
        System.out.println(
                a.apply(5)
                        + " "
                        + b.applyAsInt(21)
                        + " "
                        + c.apply(7).f
                        + " "
                        + d.get().f
                        + " "
                        + e.apply(o, 1)
                        + " "
                        + arr.apply(3).length
                        + " "
                        + len.apply("four")
                        + " "
                        + max.apply(3, 9)
                        + " "
                        + cmp.compare("a", "b"));
        int n = 3;
        long l = 1L << 40;
        double q = 2.5;
        String s = "cap";
        byte by = 1;
        Supplier<String> cap = () -> n + " " + l + " " + q + " " + s + " " + by;
        System.out.println(cap.get());
        LongOp lo = (x, y, z) -> x + y + (long) z;
        System.out.println(lo.go(1, 2, 3.9));
        Tri<Integer, Long, String, String> tri = (x, y, z) -> x + y + z;
        System.out.println(tri.apply(1, 2L, "z"));
        System.out.println(o.capturingThis().get() + o.<Long>generic("p").apply(4L));
        Runnable r1 = () -> {};
        Runnable[] same = new Runnable[2];
        for (int i = 0; i < 2; i++) same[i] = () -> System.out.print("");
        System.out.println(same[0] == same[1]);
        Function<Integer, Function<Integer, Integer>> curried = x -> y -> x * y;
        System.out.println(curried.apply(6).apply(7));
        ToLongFunction<Integer> widen = x -> x;
        IntToDoubleFunction w2 = x -> x;
        Function<Object, String> obj = Object::toString;
        System.out.println(widen.applyAsLong(5) + " " + w2.applyAsDouble(2) + " " + obj.apply(12));
        Supplier<Supplier<String>> nested = () -> () -> "nested";
        System.out.println(nested.get().get());
        Callback cb = System.out::println;
        cb.call("bound receiver");
        try {
            String nul = null;
            Supplier<Integer> bad = nul::length;
        } catch (NullPointerException x) {
            System.out.println("npe at capture");
        }
    }

    interface Callback {
        void call(String s);
    }
}
