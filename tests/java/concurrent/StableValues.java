// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stable values, a preview of 25: set once, computed once by many threads, lists, maps and functions of them.
// since: 25
// javac: --enable-preview
// jvm: --enable-preview
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

public class StableValues {
    public static void main(String[] arguments) throws Exception {
        StableValue<String> value = StableValue.of();
        System.out.println(value.isSet() + " " + value.trySet("first") + value.trySet("second") + " "
            + value.orElseThrow());
        try {
            value.setOrThrow("third");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(value + " " + StableValue.of());
        AtomicInteger calls = new AtomicInteger();
        StableValue<Integer> computed = StableValue.of();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) threads[i] =
            Thread.startVirtualThread(() -> computed.orElseSet(calls::incrementAndGet));
        for (Thread thread : threads) thread.join();
        System.out.println(computed.orElseThrow() + " " + calls);
        Supplier<String> supplier = StableValue.supplier(() -> "made " + calls.incrementAndGet());
        System.out.println(supplier.get() + " " + supplier.get());
        IntFunction<Integer> squares = StableValue.intFunction(5, i -> i * i * calls.incrementAndGet());
        System.out.println(squares.apply(3) + " " + squares.apply(3));
        Function<String, Integer> lengths = StableValue.function(Set.of("a", "bb"), String::length);
        System.out.println(lengths.apply("bb"));
        try {
            lengths.apply("ccc");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        List<Integer> list = StableValue.list(4, i -> i * 10);
        System.out.println(list.get(2) + " " + list + " " + list.reversed());
        Map<String, Integer> map = StableValue.map(Set.of("key"), String::length);
        System.out.println(map.get("key") + " " + map);
        try {
            StableValue<Integer> self = StableValue.of();
            self.orElseSet(() -> self.orElseSet(() -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
