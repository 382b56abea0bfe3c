// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Streams: map, filter, reduce, collect, flatMap, sorted, distinct, primitives, iterate, infinite
// ones, grouping.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Streams {
    public static void main(String[] args) {
        System.out.println(
                IntStream.rangeClosed(1, 10)
                        .filter(x -> x % 2 == 0)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(",", "[", "]")));
        System.out.println(
                Stream.of("b", "a", "c", "a")
                        .distinct()
                        .sorted(Comparator.reverseOrder())
                        .toList());
        System.out.println(
                Stream.iterate(1, x -> x * 2).limit(10).reduce(0, Integer::sum)
                        + " "
                        + IntStream.iterate(1, x -> x < 100, x -> x * 3).sum());
        Map<Integer, List<String>> g =
                Stream.of("one", "two", "three", "four", "five")
                        .collect(
                                Collectors.groupingBy(
                                        String::length, TreeMap::new, Collectors.toList()));
        System.out.println(g);
        System.out.println(
                Stream.of(List.of(1, 2), List.of(3), List.<Integer>of())
                        .flatMap(List::stream)
                        .map(x -> x * x)
                        .collect(Collectors.toSet()));
        System.out.println(
                IntStream.range(0, 100)
                                .boxed()
                                .collect(
                                        Collectors.partitioningBy(
                                                x -> x % 3 == 0, Collectors.counting()))
                        + " "
                        + DoubleStream.of(1, 2, 3.5).summaryStatistics());
        System.out.println(
                Stream.of(5, 3, 8).max(Comparator.naturalOrder()).get()
                        + " "
                        + Stream.empty().findFirst().isPresent()
                        + " "
                        + IntStream.of(1, 2, 3).average().getAsDouble()
                        + " "
                        + Stream.of(1, 2, 3, 4).anyMatch(x -> x > 3)
                        + Stream.of(1).allMatch(x -> x > 3)
                        + LongStream.range(0, 5)
                                .mapToObj(Long::toString)
                                .collect(Collectors.toCollection(ArrayDeque::new)));
        System.out.println(
                Stream.of("a", "bb", "ccc")
                                .collect(
                                        Collectors.toMap(
                                                Function.identity(),
                                                String::length,
                                                (x, y) -> x,
                                                LinkedHashMap::new))
                        + " "
                        + Stream.of(1, 2, 3, 4, 5)
                                .skip(1)
                                .takeWhile(x -> x < 5)
                                .dropWhile(x -> x < 3)
                                .peek(x -> System.out.print("<" + x + ">"))
                                .count());
        System.out.println(
                IntStream.range(0, 1000).parallel().map(x -> x * 2).sum()
                        + " "
                        + Arrays.asList(3, 1, 2).parallelStream()
                                .sorted()
                                .map(String::valueOf)
                                .collect(Collectors.joining()));
        System.out.println(
                Stream.of(1, 2, 3, 4)
                                .collect(
                                        Collectors.teeing(
                                                Collectors.summingInt(x -> x),
                                                Collectors.counting(),
                                                (s, c) -> s + "/" + c))
                        + " "
                        + Stream.of(1, 2)
                                .mapMulti(
                                        (Integer x, Consumer<Object> sink) -> {
                                            sink.accept(x);
                                            sink.accept("m" + x);
                                        })
                                .toList());
        try {
            Stream<Integer> s = Stream.of(1);
            s.count();
            s.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Stream.of("k", "k").collect(Collectors.toMap(x -> x, x -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
