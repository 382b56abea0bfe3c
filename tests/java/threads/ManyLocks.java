// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Deep nesting of monitors (more than the lock-stack holds), interleaved recursion, out-of-order
// nesting, hash while held.
public class ManyLocks {
    static Object[] locks = new Object[40];
    static int depth;

    static void nest(int i) {
        if (i == locks.length) {
            depth++;
            for (Object o : locks) if (!Thread.holdsLock(o)) throw new AssertionError();
            return;
        }
        synchronized (locks[i]) {
            nest(i + 1);
        }
    }

    static void aba(Object a, Object b, int n) {
        if (n == 0) return;
        synchronized (a) {
            synchronized (b) {
                aba(b, a, n - 1);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < locks.length; i++) locks[i] = new Object();
        int h = System.identityHashCode(locks[3]);
        Thread[] ts = new Thread[3];
        for (int t = 0; t < 3; t++) {
            ts[t] =
                    new Thread(
                            () -> {
                                for (int r = 0; r < 50; r++) {
                                    synchronized (ManyLocks.class) {
                                        nest(0);
                                    }
                                    aba(locks[1], locks[2], 10);
                                }
                            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(depth + " " + (System.identityHashCode(locks[3]) == h));
        for (Object o : locks) if (Thread.holdsLock(o)) System.out.println("still held");
        Object x = new Object();
        synchronized (x) {
            int h1 = x.hashCode();
            synchronized (x) {
                synchronized (locks[0]) {
                    synchronized (x) {
                        System.out.println(h1 == x.hashCode());
                        x.wait(1);
                        System.out.println(h1 == x.hashCode() && Thread.holdsLock(x));
                    }
                }
            }
        }
        System.out.println(Thread.holdsLock(x));
    }
}
