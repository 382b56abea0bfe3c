// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Lists of records sorted by several comparators, and searched.
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

public class SortedRecords extends Kernel {
    static final class Item implements Comparable<Item> {
        final int weight;
        final String name;
        final double price;
        Item(int weight, String name, double price) {
            this.weight = weight;
            this.name = name;
            this.price = price;
        }
        public int compareTo(Item other) { return Integer.compare(weight, other.weight); }
    }
    protected long work() {
        List<Item> items = new ArrayList<>();
        int seed = 99;
        for (int i = 0; i < 1500; i++) {
            seed = seed * 1103515245 + 12345;
            items.add(new Item((seed >>> 10) % 500, "item" + (seed >>> 22), (seed >>> 4) * 0.25));
        }
        long sum = 0;
        Collections.sort(items);
        for (Item item : items) sum = sum * 31 + item.weight;
        items.sort((a, b) -> Double.compare(b.price, a.price));
        sum = sum * 31 + items.get(7).weight;
        items.sort(Comparator.comparing((Item item) -> item.name).thenComparing(Comparator.reverseOrder()));
        for (int i = 0; i < 200; i++) {
            Item wanted = items.get(i * 7 % items.size());
            int found = Collections.binarySearch(items, wanted, Comparator.comparing((Item item) -> item.name));
            sum = sum * 31 + found / 8;
        }
        return sum;
    }
    public static void main(String[] arguments) { new SortedRecords().measure(arguments); }
}
