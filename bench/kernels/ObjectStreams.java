// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Streams of objects: filters, maps, flattening, grouping, sorting, reduction.
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class ObjectStreams extends Kernel {
    record Order(int customer, int amount, List<String> goods) {}
    private final List<Order> orders = new ArrayList<>();
    protected long work() {
        if (orders.isEmpty()) {
            for (int i = 0; i < 1000; i++) {
                orders.add(new Order(i * 17 % 50, i * 31 % 211, List.of("a" + i % 7, "b" + i % 5)));
            }
        }
        long sum = 0;
        for (int round = 0; round < 4; round++) {
            int least = round * 10;
            sum = sum * 31 + orders.stream().filter(order -> order.amount() > least).mapToInt(Order::amount).sum();
            Map<Integer, Integer> totals = orders.stream().collect(
                Collectors.groupingBy(Order::customer, Collectors.summingInt(Order::amount)));
            sum = sum * 31 + totals.values().stream().max(Comparator.naturalOrder()).get();
            sum = sum * 31 + orders.stream().flatMap(order -> order.goods().stream()).distinct().count();
            Stream<Order> sorted = orders.stream().sorted(Comparator.comparingInt(Order::amount));
            sum = sum * 31 + sorted.skip(100).findFirst().get().customer();
            sum = sum * 31 + Stream.iterate(1, value -> value * 3 % 1009).limit(300).reduce(0, Integer::sum);
        }
        return sum;
    }
    public static void main(String[] arguments) { new ObjectStreams().measure(arguments); }
}
