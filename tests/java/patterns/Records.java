// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records: accessors, equals, hashCode, toString, compact constructors, generics, nesting, arrays
// and floating point.
import java.util.*;

public class Records {
    record Point(int x, int y) {
        Point {
            if (x < 0) throw new IllegalArgumentException("x");
        }

        Point(int both) {
            this(both, both);
        }

        double norm() {
            return Math.sqrt(x * x + y * y);
        }

        static Point origin() {
            return new Point(0);
        }
    }

    record All(
            byte b,
            short s,
            char c,
            int i,
            long l,
            float f,
            double d,
            boolean z,
            String str,
            int[] arr,
            List<String> list) {}

    record Pair<A, B>(A a, B b) implements Comparable<Pair<A, B>> {
        public int compareTo(Pair<A, B> o) {
            return a.hashCode() - o.a.hashCode();
        }
    }

    record Empty() {}

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(
                p
                        + " "
                        + p.norm()
                        + " "
                        + p.equals(new Point(3, 4))
                        + " "
                        + p.equals(null)
                        + " "
                        + p.equals("p")
                        + " "
                        + p.hashCode()
                        + " "
                        + Point.origin()
                        + " "
                        + new HashSet<>(List.of(p, new Point(4, 3))).contains(new Point(4, 3)));
        int[] arr = {1};
        All a = new All((byte) 1, (short) 2, 'c', 4, 5, 6f, 7, true, "s", arr, List.of("x"));
        All b = new All((byte) 1, (short) 2, 'c', 4, 5, 6f, 7, true, "s", arr, List.of("x"));
        System.out.println(
                a.equals(b)
                        + " "
                        + (a.hashCode() == b.hashCode())
                        + " "
                        + a.toString().replaceAll("@[0-9a-f]+", "@"));
        System.out.println(
                new All((byte) 0, (short) 0, 'x', 0, 0, Float.NaN, -0.0, false, null, null, null)
                        .equals(
                                new All(
                                        (byte) 0, (short) 0, 'x', 0, 0, Float.NaN, 0.0, false, null,
                                        null, null)));
        System.out.println(
                new Pair<>("a", new Pair<>(1, null))
                        + " "
                        + new Pair<>(null, null).equals(new Pair<>(null, null))
                        + " "
                        + new Empty()
                        + " "
                        + new Empty().equals(new Empty())
                        + " "
                        + new Empty().hashCode());
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
