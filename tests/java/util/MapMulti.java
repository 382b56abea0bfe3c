// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stream.mapMulti of streams of objects and numbers, also in parallel; toList, iterate, and an Enumeration as an
// Iterator.
// since: 21
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

public class MapMulti {
    record Node(String name, List<Node> below) {
        void flatten(java.util.function.Consumer<? super String> sink) {
            sink.accept(name);
            below.forEach(node -> node.flatten(sink));
        }
    }

    public static void main(String[] arguments) {
        Node tree = new Node("root", List.of(new Node("a", List.of(new Node("a1", List.of()))),
            new Node("b", List.of())));
        System.out.println(Stream.of(tree).<String>mapMulti(Node::flatten).toList());
        System.out.println(Stream.of(1, "x", 2L, 3).<Integer>mapMulti((o, sink) -> {
            if (o instanceof Integer i) for (int k = 0; k < i; k++) sink.accept(i);
        }).toList());
        System.out.println(IntStream.range(0, 5).mapMulti((i, sink) -> {
            if (i % 2 == 0) {
                sink.accept(i);
                sink.accept(-i);
            }
        }).boxed().toList());
        System.out.println(Stream.of("ab", "c").mapMultiToInt((s, sink) -> s.chars().forEach(sink)).sum());
        System.out.println(LongStream.of(3).mapMulti((n, sink) -> LongStream.range(0, n).forEach(sink)).sum());
        System.out.println(DoubleStream.of(1.5, 2).mapMulti((d, sink) -> sink.accept(d * d)).boxed().toList());
        System.out.println(Stream.iterate(1, i -> i < 50, i -> i * 3)
            .mapMultiToDouble((i, sink) -> sink.accept(i / 2.0)).sum());
        System.out.println(Stream.of("x", "y").parallel().<String>mapMulti((s, sink) -> {
            sink.accept(s);
            sink.accept(s + s);
        }).collect(Collectors.joining(",")));
        Iterator<Integer> counted = Collections.enumeration(List.of(1, 2)).asIterator();
        counted.forEachRemaining(System.out::println);
        PrimitiveIterator.OfInt numbers = IntStream.of(4, 5).iterator();
        System.out.println(numbers.nextInt() + numbers.nextInt());
        try {
            Stream.of(1, 2).toList().add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        System.out.println(Stream.of("a", null).toList());
    }
}
