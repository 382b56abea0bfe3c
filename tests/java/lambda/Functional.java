// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Composition, Optional, currying, recursion through a field.
import java.util.*;
import java.util.function.*;

public class Functional {
    static Function<Integer, Integer> fact;

    public static void main(String[] args) {
        Function<Integer, Integer> inc = x -> x + 1, dbl = x -> x * 2;
        System.out.println(
                inc.andThen(dbl).apply(5)
                        + " "
                        + inc.compose(dbl).apply(5)
                        + " "
                        + Function.<Integer>identity().apply(3));
        Predicate<String> p = String::isEmpty;
        System.out.println(
                p.negate().or(s -> s == null).and(s -> s.length() > 2).test("abc")
                        + " "
                        + Predicate.not(p).test(""));
        fact = n -> n <= 1 ? 1 : n * fact.apply(n - 1);
        System.out.println(fact.apply(10));
        System.out.println(
                Optional.of("x").map(s -> s + "y").filter(s -> s.length() == 2).orElse("none")
                        + Optional.ofNullable((String) null)
                                .map(String::length)
                                .or(() -> Optional.of(7))
                                .get()
                        + Optional.empty()
                        + Optional.of(List.of(1)));
        try {
            Optional.empty().orElseThrow();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        System.out.println(add.andThen(x -> "r" + x).apply(2, 3));
        UnaryOperator<String> up = String::toUpperCase;
        System.out.println(up.apply("u"));
        Supplier<List<String>> ls = ArrayList::new;
        System.out.println(ls.get().isEmpty());
        Comparator<String> c =
                Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());
        List<String> l = new ArrayList<>(List.of("ccc", "a", "bb", "aa"));
        l.sort(c.reversed());
        System.out.println(l);
        l.removeIf(s -> s.length() == 2);
        l.replaceAll(s -> s + "!");
        l.forEach(System.out::print);
        System.out.println();
    }
}
