// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Recursion counts, and a thread that holds many locks at a time.
import java.util.*;

public class RecursiveLocks {
    static final Object A = new Object();
    static int max;

    static int deep(int n) {
        synchronized (A) {
            if (n == 0) {
                A.hashCode();
                return 1;
            }
            return deep(n - 1) + 1;
        }
    }

    static int alt(Object[] o, int n) {
        if (n == o.length) {
            int c = 0;
            for (Object p : o) if (Thread.holdsLock(p)) c++;
            return c;
        }
        synchronized (o[n]) {
            synchronized (o[n / 2]) {
                synchronized (A) {
                    int r = alt(o, n + 1);
                    if (n % 37 == 5) System.identityHashCode(o[n]);
                    return r;
                }
            }
        }
    }

    static int waitDeep(int n) throws InterruptedException {
        synchronized (A) {
            if (n == 0) {
                A.wait(1);
                return Thread.holdsLock(A) ? 1 : 0;
            }
            return waitDeep(n - 1);
        }
    }

    static int inter(Object p, Object q, int n) {
        synchronized (p) {
            synchronized (q) {
                synchronized (p) {
                    if (n > 0) return inter(q, p, n - 1) + 1;
                    return 0;
                }
            }
        }
    }

    static void check(Object o, String s) throws Exception {
        boolean[] got = new boolean[1];
        Thread t =
                new Thread(
                        () -> {
                            synchronized (o) {
                                got[0] = true;
                            }
                        });
        t.setDaemon(true);
        t.start();
        t.join(5000);
        if (!got[0]) System.out.println("still locked " + s);
    }

    public static void main(String[] x) throws Exception {
        Thread t =
                new Thread(
                        null,
                        () -> {
                            try {
                                System.out.println(deep(70000));
                                System.out.println(waitDeep(30000));
                            } catch (Throwable e) {
                                System.out.println(e);
                            }
                        },
                        "big",
                        1L << 27);
        t.start();
        t.join();
        check(A, "A");
        for (int n : new int[] {3, 8, 9, 33, 300, 1500}) {
            Object[] o = new Object[n];
            for (int i = 0; i < n; i++)
                o[i] = i % 5 == 0 ? new int[3] : i % 7 == 0 ? ("s" + i) : new Object();
            Thread u = new Thread(null, () -> System.out.println(alt(o, 0)), "u", 1L << 26);
            u.start();
            u.join();
            for (int i = 0; i < n; i += Math.max(1, n / 9)) check(o[i], "o" + i);
        }
        Object p = new Object(), q = new Object();
        for (int k = 0; k < 3000; k++) max += inter(p, q, 20);
        System.out.println(max);
        check(p, "p");
        check(q, "q");
        // Other threads want the lock while its owner holds it on many levels.
        Object c = new Object();
        Thread[] w = new Thread[4];
        int[] sum = new int[1];
        for (int i = 0; i < 4; i++) {
            w[i] =
                    new Thread(
                            () -> {
                                for (int k = 0; k < 300; k++) rec(c, 40, sum);
                            });
            w[i].start();
        }
        for (Thread v : w) v.join();
        System.out.println(sum[0]);
    }

    static void rec(Object c, int n, int[] s) {
        synchronized (c) {
            if (n == 0) {
                s[0]++;
                return;
            }
            rec(c, n - 1, s);
            s[0]++;
        }
    }
}
