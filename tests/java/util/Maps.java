// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HashMap, LinkedHashMap, TreeMap, their views and their default methods; collisions turned into
// trees.
import java.util.*;

public class Maps {
    record Bad(int v) implements Comparable<Bad> {
        public int hashCode() {
            return v % 3;
        }

        public int compareTo(Bad o) {
            return Integer.compare(v, o.v);
        }
    }

    public static void main(String[] args) {
        Map<String, Integer> h = new HashMap<>();
        for (String w : "the quick brown fox jumps over the lazy dog the end".split(" "))
            h.merge(w, 1, Integer::sum);
        System.out.println(new TreeMap<>(h));
        System.out.println(
                h.getOrDefault("cat", -1)
                        + " "
                        + h.computeIfAbsent("cat", String::length)
                        + " "
                        + h.computeIfPresent("the", (k, v) -> null)
                        + " "
                        + h.containsKey("the")
                        + " "
                        + h.putIfAbsent("dog", 9)
                        + " "
                        + h.compute("fox", (k, v) -> v == null ? 1 : v + 10));
        Map<Bad, Integer> t = new HashMap<>();
        for (int i = 0; i < 300; i++) t.put(new Bad(i), i);
        int sum = 0;
        for (int i = 0; i < 300; i++) sum += t.get(new Bad(i));
        for (int i = 0; i < 290; i++) t.remove(new Bad(i));
        System.out.println(sum + " " + t.size());
        LinkedHashMap<Integer, String> lru =
                new LinkedHashMap<>(16, .75f, true) {
                    protected boolean removeEldestEntry(Map.Entry<Integer, String> e) {
                        return size() > 3;
                    }
                };
        for (int i = 0; i < 5; i++) {
            lru.put(i, "v" + i);
            lru.get(2);
        }
        System.out.println(lru);
        TreeMap<String, Integer> tm = new TreeMap<>(Comparator.reverseOrder());
        for (String s : "delta alpha charlie bravo echo".split(" ")) tm.put(s, s.length());
        System.out.println(
                tm
                        + " "
                        + tm.firstKey()
                        + " "
                        + tm.headMap("charlie", true)
                        + " "
                        + tm.ceilingKey("c")
                        + " "
                        + tm.pollLastEntry()
                        + " "
                        + tm.descendingMap()
                        + " "
                        + tm.subMap("echo", "bravo"));
        Iterator<Map.Entry<String, Integer>> it = tm.entrySet().iterator();
        it.next();
        it.remove();
        System.out.println(tm);
        try {
            for (String k : tm.keySet()) tm.put(k + "x", 1);
        } catch (ConcurrentModificationException e) {
            System.out.println("cme");
        }
        System.out.println(
                Map.of("k", 1)
                        + " "
                        + Map.entry("a", 2)
                        + " "
                        + new IdentityHashMap<>(Map.of("z", 1)).size()
                        + " "
                        + new WeakHashMap<>(Map.of("w", 1)));
        try {
            Map.of("a", 1, "a", 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Map.of("a", 1).put("b", 2);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        Map<Integer, Integer> big = new HashMap<>();
        for (int i = 0; i < 20000; i++) big.put(i * 31, i);
        long x = 0;
        for (Map.Entry<Integer, Integer> e : big.entrySet()) x += e.getKey() ^ e.getValue();
        System.out.println(x + " " + big.size() + " " + big.hashCode());
    }
}
