// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The built-in gatherers: windows, folds, scans, concurrent mapping, chained gatherers, parallel streams.
// since: 25
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class GatherersBuiltIn {
    public static void main(String[] arguments) {
        System.out.println(IntStream.range(0, 7).boxed().gather(Gatherers.windowFixed(3)).toList());
        System.out.println(IntStream.range(0, 5).boxed().gather(Gatherers.windowSliding(2)).toList());
        System.out.println(Stream.of(1).gather(Gatherers.windowSliding(3)).toList());
        System.out.println(Stream.empty().gather(Gatherers.windowFixed(3)).toList());
        System.out.println(Stream.of("a", "b", "c").gather(Gatherers.fold(() -> "", (a, b) -> a + b)).toList());
        System.out.println(Stream.of(1, 2, 3, 4).gather(Gatherers.scan(() -> 10, Integer::sum)).toList());
        AtomicInteger running = new AtomicInteger(), most = new AtomicInteger();
        System.out.println(IntStream.range(0, 20).boxed().gather(Gatherers.mapConcurrent(4, i -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                Thread.sleep(2);   // at most three other calls of this lambda may run meanwhile
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            running.decrementAndGet();
            return i * i;
        })).toList());
        System.out.println(most.get() <= 4);
        System.out.println(Stream.iterate(1, i -> i + 1).gather(Gatherers.windowFixed(2)).limit(3).toList());
        System.out.println(IntStream.range(0, 100).boxed().parallel().gather(Gatherers.windowFixed(10))
            .mapToInt(w -> w.size()).sum());
        System.out.println(Stream.of(5, 6, 7).gather(Gatherers.<Integer, Integer>scan(() -> 0, Integer::sum)
            .andThen(Gatherers.windowFixed(2))).toList());
        try {
            Gatherers.windowFixed(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Stream.of(1, 2).gather(Gatherers.mapConcurrent(2, i -> 1 / (i - 1))).toList();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            Stream.of(1, 2, 3).gather(Gatherers.windowFixed(2)).forEach(window -> window.add(9));
        } catch (UnsupportedOperationException e) {
            System.out.println("windows are immutable");
        }
    }
}
