// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lambdas and method references: all capture kinds, constructors, varargs, super, generic and intersection targets,
// recursion.
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.*;

public class Captures {
    interface Many { String of(byte b, char c, short s, int i, long l, float f, double d, boolean z, Object o); }
    interface Var { int sum(int... x); }
    interface Throwing<E extends Exception> { void run() throws E; }
    static class Base { String name() { return "base"; } }
    static class Sub extends Base {
        String name() {
            return "sub";
        }
        Supplier<String> up() {
            return super::name;
        }
        Supplier<String> own() {
            return this::name;
        }
    }
    static int total(int... x) { int t = 0; for (int i : x) t += i; return t; }
    static long boxed(Integer a, Long b) { return a + b; }
    int field = 1;
    Runnable increments() { return () -> field++; }
    static Function<Integer, Integer> factorial;
    static <T extends Runnable & java.io.Serializable> T both(T t) { return t; }
    public static void main(String[] args) throws Exception {
        byte b = 1;
        char c = 'c';
        short s = 2;
        int i = 3;
        long l = 4;
        float f = 5;
        double d = 6;
        boolean z = true;
        Object o = "o";
        Callable<String> all = () -> "" + b + c + s + i + l + f + d + z + o;
        Many many = (b1, c1, s1, i1, l1, f1, d1, z1, o1) -> "" + d1 + f1 + l1 + b1 + z1 + o1;
        System.out.println(all.call() + " " + many.of(b, c, s, i, l, f, d, z, o));
        IntFunction<int[][]> arrays = int[][]::new;
        Function<String, Integer> parse = Integer::valueOf;
        BiFunction<String, Integer, Character> at = String::charAt;
        Supplier<List<String>> make = ArrayList::new;
        IntBinaryOperator var = Captures::total;
        ToLongBiFunction<Integer, Long> widened = Captures::boxed;
        Var v = Captures::total;
        System.out.println(arrays.apply(3).length + " " + parse.andThen(x -> x + 1).apply("41") + at.apply("hello", 1)
                + make.get() + var.applyAsInt(1, 2) + widened.applyAsLong(1, 2L) + v.sum(1, 2, 3) + new Sub().up().get()
                + new Sub().own().get());
        Captures me = new Captures();
        Runnable r = me.increments();
        r.run();
        r.run();
        factorial = n -> n <= 1 ? 1 : n * factorial.apply(n - 1);
        System.out.println(me.field + " " + factorial.apply(10) + " "
                + Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()).compare("ab", "cd")
                + " " + (both((Runnable & java.io.Serializable) () -> {}) instanceof java.io.Serializable));
        String nothing = null;
        try {
            Supplier<Integer> length = nothing::length;
        } catch (NullPointerException e) {
            System.out.println("at once");
        }
        Function<String, Integer> later = String::length;
        try {
            later.apply(null);
        } catch (NullPointerException e) {
            System.out.println("later");
        }
        Throwing<java.io.IOException> t = () -> { throw new java.io.IOException("io"); };
        try {
            t.run();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[1].getMethodName());
        }
        Supplier<Supplier<Supplier<String>>> nested = () -> () -> () -> "deep" + i + l;
        System.out.println(nested.get().get().get() + " " + (all.getClass() == all.getClass())
                + all.getClass().isSynthetic() + all.getClass().isHidden() + " " + all.getClass().getInterfaces()[0]
                + " " + ((Predicate<String>) String::isEmpty).negate().or(x -> true).test(""));
        @SuppressWarnings({"unchecked", "rawtypes"}) Function raw = (Function<String, Integer>) String::length;
        try {
            raw.apply(5);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
