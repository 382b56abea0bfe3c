// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ConcurrentHashMap, skip lists, copy on write: atomic updates under contention, weak iterators, bulk operations.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

public class ConcurrentMaps {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
        LongAdder computed = new LongAdder();
        Thread[] t = new Thread[4];
        for (int i = 0; i < 4; i++) {
            t[i] = new Thread(() -> {
                for (int k = 0; k < 500; k++) {
                    m.merge(k % 50, 1, Integer::sum);
                    m.computeIfAbsent(1000 + k, x -> {
                        computed.increment();
                        return x;
                    });
                }
            });
            t[i].start();
        }
        for (Thread x : t) x.join();
        System.out.println(m.size() + " " + computed + " " + m.get(7) + " " + m.reduceValues(10, Integer::sum) + " "
                + m.search(1, (k, v) -> k == 1499 ? v : null));
        try {
            // `own` is a new, small map. In the large map `m`, a bin may be a tree, and in a tree computeIfAbsent does
            // not detect that it is called recursively.
            ConcurrentHashMap<Integer, Integer> own = new ConcurrentHashMap<>();
            own.computeIfAbsent(-1, k -> own.computeIfAbsent(-1, z -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            m.put(1, null);
        } catch (NullPointerException e) {
            System.out.println("null value");
        }
        ConcurrentSkipListMap<String, Integer> s =
                new ConcurrentSkipListMap<>(java.util.Map.of("a", 1, "c", 3, "e", 5));
        for (String k : s.keySet()) if (k.equals("a")) s.put("d", 4);
        System.out.println(
                s + " " + s.headMap("d") + s.ceilingKey("b") + s.descendingMap().firstKey() + s.pollFirstEntry());
        CopyOnWriteArrayList<Integer> l = new CopyOnWriteArrayList<>(new Integer[] {1, 2});
        for (int x : l) l.add(x * 10);
        System.out.println(
                l + " " + l.addIfAbsent(1) + " " + ConcurrentHashMap.newKeySet().add("k") + m.keySet(9).add(9999));
    }
}
