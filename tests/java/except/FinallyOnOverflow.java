// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finally blocks and monitors when the stack overflows or exceptions leave compiled regions.
import java.util.*;

public class FinallyOnOverflow {
    static int depth, fin, ent;
    static final Object A = new Object(), B = new Object();
    static List<String> log = new ArrayList<>();

    static int rec(int d) {
        int r;
        ent++;
        try {
            synchronized (A) {
                r = d == 0 ? 0 : 1 + rec(d - 1);
            }
        } finally {
            fin++;
        }
        return r;
    }

    static synchronized void inf() {
        depth++;
        synchronized (B) {
            inf();
        }
    }

    synchronized int infI(int n) {
        depth++;
        try {
            return infI(n + 1) + 1;
        } finally {
            fin++;
        }
    }

    static int nest(int k) {
        int r = 0;
        for (int i = 0; i < 6; i++) {
            try {
                synchronized (A) {
                    try {
                        synchronized (B) {
                            if (i == k) throw new IllegalStateException("" + i);
                            r += i;
                        }
                    } finally {
                        r += 10;
                        if (i == 4) continue;
                    }
                }
            } catch (IllegalStateException e) {
                r += 1000;
                if (k == 3) break;
            } finally {
                r += 100000;
            }
        }
        return r;
    }

    static int ret(int k) {
        try {
            synchronized (A) {
                if (k == 1) return 1;
                if (k == 2) throw new RuntimeException("r");
            }
        } catch (RuntimeException e) {
            return 2;
        } finally {
            if (k == 3) return 9;
        }
        return 5;
    }

    static int swallow(int k) {
        for (; ; ) {
            try {
                synchronized (new Object()) {
                    if (k-- > 0) throw new Error("e" + k);
                    return k;
                }
            } catch (Error e) {
                continue;
            } finally {
                if (k < -5) return 7;
            }
        }
    }

    static int aioobe(int[] a, int k) {
        int r = 0;
        synchronized (A) {
            try {
                synchronized (a) {
                    r += a[k];
                    r += 100 / a[k];
                }
            } catch (ArithmeticException e) {
                r += 7;
            }
        }
        return r;
    }

    static boolean free(Object o) {
        return !Thread.holdsLock(o);
    }

    public static void main(String[] x) throws Exception {
        System.out.println(rec(500) + " " + (ent == fin) + free(A));
        for (int k = 0; k < 30; k++) {
            depth = 0;
            try {
                inf();
            } catch (StackOverflowError e) {
            }
            if (!free(B) || !free(FinallyOnOverflow.class)) {
                System.out.println("held " + k);
                break;
            }
        }
        System.out.println(depth > 100);
        for (int k = 0; k < 20; k++) {
            fin = depth = 0;
            FinallyOnOverflow t = new FinallyOnOverflow();
            try {
                t.infI(0);
            } catch (StackOverflowError e) {
            }
            if (!free(t)) {
                System.out.println("held i " + k);
                break;
            }
            if (depth - fin > 3 || fin > depth) System.out.println("finally " + (depth - fin));
        }
        long last = 0;
        for (int k = 0; k < 20000; k++) {
            long h = 0;
            for (int i = 0; i < 7; i++) h = h * 31 + nest(i);
            for (int i = 0; i < 5; i++) h = h * 31 + ret(i);
            h = h * 31 + swallow(4);
            int[] a = {1, 0, 5};
            for (int i = -1; i < 4; i++)
                try {
                    h = h * 31 + aioobe(a, i);
                } catch (ArrayIndexOutOfBoundsException e) {
                    h = h * 31 + e.getMessage().length();
                }
            if (h != last) System.out.println(k + " " + h);
            last = h;
            if (!free(A) || !free(B)) {
                System.out.println("held");
                break;
            }
        }
        Thread t =
                new Thread(
                        () -> {
                            synchronized (A) {
                                synchronized (B) {
                                    System.out.println("other thread got both");
                                }
                            }
                        });
        t.start();
        t.join();
    }
}
