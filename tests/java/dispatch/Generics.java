// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Bridges, bounded types, wildcard capture and heap pollution.
import java.util.*;

public class Generics {
    static <T extends Comparable<? super T>> T max(Collection<? extends T> c) {
        Iterator<? extends T> i = c.iterator();
        T best = i.next();
        while (i.hasNext()) {
            T n = i.next();
            if (n.compareTo(best) > 0) best = n;
        }
        return best;
    }

    abstract static class Shape<T extends Shape<T>> implements Comparable<T> {
        abstract double area();

        public int compareTo(T o) {
            return Double.compare(area(), o.area());
        }
    }

    static class Sq extends Shape<Sq> {
        double s;

        Sq(double s) {
            this.s = s;
        }

        double area() {
            return s * s;
        }

        public String toString() {
            return "Sq" + s;
        }
    }

    @SafeVarargs
    static <T> List<T> listOf(T... xs) {
        return new ArrayList<>(Arrays.asList(xs));
    }

    public static void main(String[] args) {
        System.out.println(
                max(listOf(3, 9, 4))
                        + max(listOf("b", "z", "y"))
                        + max(listOf(new Sq(2), new Sq(5), new Sq(1))));
        List<Integer> ints = new ArrayList<>();
        @SuppressWarnings({"unchecked", "rawtypes"})
        List<Object> raw = (List) ints;
        raw.add("not an int");
        try {
            int x = ints.get(0);
        } catch (ClassCastException e) {
            System.out.println("polluted: " + e.getMessage());
        }
    }
}
