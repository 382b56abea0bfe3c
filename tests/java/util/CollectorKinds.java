// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectors: grouping, partitioning, joining, teeing, maps, summaries, errors of duplicates.
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class CollectorKinds {
    record P(String name, int age, double pay) {}
    public static void main(String[] args) {
        List<P> all = List.of(new P("ann", 30, 10.5), new P("bob", 20, 7), new P("cid", 30, 3.25), new P("dan", 40, 8));
        System.out.println(""
                + all.stream().collect(Collectors.groupingBy(
                        P::age, TreeMap::new, Collectors.mapping(P::name, Collectors.joining("+", "<", ">")))));
        System.out.println(""
                + all.stream().collect(Collectors.partitioningBy(p -> p.pay() > 7.5, Collectors.averagingInt(P::age))));
        System.out.println(""
                + all.stream().collect(Collectors.teeing(
                        Collectors.counting(), Collectors.summingDouble(P::pay), (n, s) -> n + "/" + s)));
        DoubleSummaryStatistics stats = all.stream().collect(Collectors.summarizingDouble(P::pay));
        System.out.println(stats.getMax() + " " + stats.getAverage());
        try {
            all.stream().collect(Collectors.toMap(P::age, P::name));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("" + all.stream().collect(Collectors.toMap(P::age, P::name, (a, b) -> a + b, TreeMap::new)));
        System.out.println("" + all.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size))
                + " " + all.stream().map(P::name).collect(Collectors.reducing("", (a, b) -> b + a)));
        System.out.println(""
                + Stream.of("a", "bb", "cc", "ddd")
                        .collect(Collectors.groupingBy(String::length, TreeMap::new,
                                Collectors.filtering(s -> !s.equals("bb"), Collectors.toList()))));
        System.out.println(""
                + Stream.of(1, 2, 3).collect(
                        Collectors.flatMapping(i -> Stream.of(i, -i), Collectors.toUnmodifiableList())));
        Map<String, Long> count =
                Stream.of("x", "y", "x")
                        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        System.out.println(count + " " + Stream.of(5, 1, 4).collect(Collectors.minBy(Integer::compare)));
        System.out.println(Stream.iterate(1, i -> i < 50, i -> i * 3).toList() + " "
                + Stream.of(1, 2, 3, 4, 1).takeWhile(i -> i < 4).dropWhile(i -> i < 2).toList());
        Stream<String> once = Stream.of("a");
        once.count();
        try {
            once.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
