// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Gatherers of a program's own: state, an early end, a finisher, a combiner in parallel, composition.
// since: 25
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Gatherer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class GatherersOwn {
    static <T> Gatherer<T, ?, T> distinctByText() {
        return Gatherer.<T, Set<String>, T>ofSequential(HashSet::new,
            (seen, element, down) -> !seen.add(element.toString()) || down.push(element));
    }

    static <T> Gatherer<T, ?, T> untilSeen(T last) {
        return Gatherer.ofSequential((_, element, down) -> down.push(element) && !element.equals(last));
    }

    static Gatherer<Integer, ?, Integer> sumOfAll() {
        return Gatherer.<Integer, int[], Integer>of(() -> new int[1],
            Gatherer.Integrator.ofGreedy((state, element, down) -> {
            state[0] += element;
            return true;
        }), (left, right) -> {
            left[0] += right[0];
            return left;
        }, (state, down) -> down.push(state[0]));
    }

    static <T> Gatherer<T, ?, T> reversed() {
        return Gatherer.<T, List<T>, T>ofSequential(ArrayList::new, (list, element, down) -> list.add(element),
            (list, down) -> {
                for (T element : list.reversed()) if (down.isRejecting() || !down.push(element)) break;
            });
    }

    public static void main(String[] arguments) {
        System.out.println(Stream.of(1, 1L, 2, "2", 3).gather(distinctByText()).toList());
        System.out.println(Stream.iterate(0, i -> i + 1).gather(untilSeen(4)).toList());
        System.out.println(IntStream.rangeClosed(1, 1000).boxed().gather(sumOfAll()).findFirst().get());
        System.out.println(IntStream.rangeClosed(1, 1000).boxed().parallel().gather(sumOfAll()).findFirst().get());
        System.out.println(Stream.of("x", "y", "z").gather(reversed()).limit(2).toList());
        Gatherer<Integer, ?, Integer> both = GatherersOwn.<Integer>untilSeen(6).andThen(reversed());
        System.out.println(Stream.iterate(1, i -> i + 1).gather(both).toList());
        System.out.println(Stream.of(1, 2, 3).gather(Gatherer.<Integer, String>of((_, i, down) -> down.push("a" + i)))
                               .gather(reversed()).toList());
        var stateless = Gatherer.<Integer, Integer>of((_, i, down) -> true);
        System.out.println((Object) stateless.initializer() == Gatherer.defaultInitializer());
    }
}
