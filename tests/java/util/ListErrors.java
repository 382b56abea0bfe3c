// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of collections: immutability, concurrent modification, bounds, wrong casts, inconsistent comparators.
import java.util.*;

public class ListErrors {
    interface Step { Object run(); }
    static void attempt(String what, Step s) {
        try {
            System.out.println(what + " " + s.run());
        } catch (RuntimeException e) {
            System.out.println(what + " " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(1, 2, 3));
        attempt("get", () -> l.get(3));
        attempt("set", () -> l.set(-1, 0));
        attempt("add", () -> { l.add(5, 0); return ""; });
        attempt("modified", () -> { for (Integer i : l) l.remove(i); return l; });
        attempt("modified map", () -> {
            Map<Integer, Integer> m = new HashMap<>(Map.of(1, 1, 2, 2));
            for (Integer k : m.keySet()) m.put(k + 10, 0);
            return m.size();
        });
        attempt("List.of add", () -> List.of(1).add(2));
        attempt("List.of null", () -> {
            try {
                return List.of(1, null);
            } catch (NullPointerException e) {
                return "NPE";
            }
        });
        attempt("contains null", () -> {
            try {
                return List.of(1).contains(null);
            } catch (NullPointerException e) {
                return "NPE";
            }
        });
        attempt("Set.of twice", () -> Set.of(1, 1));
        attempt("Map.of twice", () -> Map.of("k", 1, "k", 2));
        attempt("asList add", () -> Arrays.asList(1, 2).add(3));
        attempt("unmodifiable", () -> Collections.unmodifiableList(l).remove(0));
        attempt("subList", () -> l.subList(2, 1));
        attempt("stale subList", () -> { List<Integer> s = l.subList(0, 1); l.add(9); return s.size(); });
        attempt("empty deque", () -> new ArrayDeque<>().pop());
        attempt("null in deque", () -> {
            try {
                return new ArrayDeque<>().add(null);
            } catch (NullPointerException e) {
                return "NPE";
            }
        });
        attempt("next", () -> new TreeSet<>().iterator().next());
        attempt("first", () -> new TreeMap<>().firstKey());
        attempt("not comparable", () -> {
            Set<Object> s = new TreeSet<>();
            s.add(new Object() {
                public String toString() {
                    return "o";
                }
            });
            return s;
        });
        attempt("mixed", () -> { Set<Object> s = new TreeSet<>(); s.add(1); s.add("x"); return s; });
        attempt("checked", () -> {
            @SuppressWarnings({"unchecked", "rawtypes"})
            List raw = Collections.checkedList(new ArrayList<>(), String.class);
            raw.add(5);
            return raw;
        });
        attempt("capacity", () -> new ArrayList<>(-1));
        attempt("load factor", () -> new HashMap<>(1, Float.NaN));
        attempt("lying comparator", () -> {
            Integer[] a = new Integer[100];
            for (int i = 0; i < 100; i++) a[i] = i * 37 % 100;
            Arrays.sort(a, (x, y) -> x % 3 == 0 ? 1 : x < y ? -1 : 1);
            return "sorted somehow";
        });
        attempt("iterator remove", () -> { Iterator<Integer> it = l.iterator(); it.remove(); return ""; });
        attempt("optional", () -> Optional.empty().get());
        attempt("array range", () -> { Arrays.sort(new int[3], 2, 5); return ""; });
        attempt("range", () -> Arrays.copyOfRange(new int[3], 2, 1));
        attempt("nCopies", () -> Collections.nCopies(-1, ""));
        attempt("requireNonNull", () -> Objects.requireNonNull(null, "given message"));
        attempt("checkIndex", () -> Objects.checkIndex(5, 5));
        attempt("priority null", () -> {
            try {
                return new PriorityQueue<>().offer(null);
            } catch (NullPointerException e) {
                return "NPE";
            }
        });
        attempt("scanner", () -> new Scanner("abc").nextInt());
        attempt("formatter", () -> String.format("%d", "x"));
        attempt("formatter missing", () -> String.format("%s %s", "x"));
        attempt("formatter unknown", () -> String.format("%q"));
    }
}
