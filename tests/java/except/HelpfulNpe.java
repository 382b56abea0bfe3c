// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpful NullPointerException messages (JEP 358) for every kind of access.
public class HelpfulNpe {
    static class N {
        N next;
        int v;
        int[] arr;
        N[] ns;
        String s;

        N get() {
            return next;
        }

        void set(N n) {
            next = n;
        }

        static N make() {
            return null;
        }

        static N field;
        long l;
    }

    static void run(Runnable r) {
        try {
            r.run();
            System.out.println("no exception");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    static void param(N p, String q) {
        q.length();
    }

    static N sink;

    public static void main(String[] args) {
        N n = new N();
        int i = 2;
        run(() -> n.next.next = null);
        run(() -> System.out.println(n.next.v));
        run(() -> n.get().get());
        run(() -> N.make().v = 3);
        run(() -> N.field.set(null));
        run(() -> System.out.println(n.arr[1]));
        run(() -> n.arr[1] = 4);
        run(() -> System.out.println(n.arr.length));
        run(
                () -> {
                    n.ns = new N[3];
                    n.ns[i].v++;
                });
        run(() -> n.ns[i - 1].get());
        run(() -> n.s.length());
        run(() -> param(n, null));
        run(
                () -> {
                    synchronized (n.next) {
                    }
                });
        run(
                () -> {
                    RuntimeException e = null;
                    throw e;
                });
        run(
                () -> {
                    Integer boxed = null;
                    int x = boxed;
                });
        run(
                () -> {
                    N local = null;
                    local.l = 5L;
                });
        run(
                () -> {
                    int[][] grid = new int[2][];
                    grid[1][0] = 1;
                });
        run(
                () -> {
                    long[] ls = null;
                    ls[0]++;
                });
        run(
                () -> {
                    Object o = null;
                    o.toString();
                });
        run(
                () -> {
                    throw new NullPointerException();
                });
        run(
                () -> {
                    throw new NullPointerException("own message");
                });
        run(() -> java.util.Objects.requireNonNull(null, "required"));
        // An exception in a method of the library names the local variable that is null.
        run(() -> String.valueOf((char[]) null));
        run(() -> "a".concat(null));
        run(() -> new java.util.TreeMap<String, String>().putAll(null));
    }
}
