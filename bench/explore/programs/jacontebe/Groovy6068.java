// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A cache of results counts its entries in a field that is not atomic, and keeps more entries than it may.
import java.util.concurrent.ConcurrentHashMap;

public class Groovy6068 {
    static final int CAPACITY = 1;

    final ConcurrentHashMap<Integer, Integer> results = new ConcurrentHashMap<>();
    volatile int entries;

    int square(int number) {
        Integer known = results.get(number);
        if (known != null) return known;
        int result = number * number;
        if (entries < CAPACITY) {
            entries++;
            results.put(number, result);
        }
        return result;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Groovy6068 cache = new Groovy6068();
        Thread one = new Thread(() -> cache.square(1)), two = new Thread(() -> cache.square(2));
        one.start();
        two.start();
        one.join();
        two.join();
        assert cache.results.size() <= CAPACITY : cache.results.size() + " entries";
    }
}
