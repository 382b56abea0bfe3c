// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Identity hashes that are asked for while objects are locked, contended, waited on and deflated.
import java.util.*;

public class HashesOfLockedObjects {
    static final class P {
        int a;
        long b;
    }

    public static void main(String[] x) throws Exception {
        int bad = 0;
        for (int round = 0; round < 40; round++) {
            Object[] o = new Object[60];
            for (int i = 0; i < 60; i++)
                o[i] =
                        i % 4 == 0
                                ? new P()
                                : i % 4 == 1 ? new byte[i] : i % 4 == 2 ? "k" + i : new Object();
            int[] h = new int[60];
            Thread[] t = new Thread[3];
            for (int k = 0; k < 3; k++) {
                int z = k;
                t[k] =
                        new Thread(
                                () -> {
                                    for (int n = 0; n < 40; n++)
                                        for (int i = z; i < 60; i += 1 + z)
                                            synchronized (o[i]) {
                                                int q = System.identityHashCode(o[i]);
                                                if (h[i] == 0) h[i] = q;
                                                else if (h[i] != q) h[i] = -1;
                                                if (n % 9 == 0 && i % 11 == 3)
                                                    try {
                                                        o[i].wait(0, 100);
                                                    } catch (InterruptedException e) {
                                                    }
                                                else if (n % 5 == 1) o[i].notify();
                                            }
                                });
                t[k].start();
            }
            byte[][] junk = new byte[50][];
            for (int i = 0; i < 300; i++) junk[i % 50] = new byte[3000];
            if (round % 10 == 3) System.gc();
            for (Thread q : t) q.join();
            for (int i = 0; i < 60; i++) {
                if (h[i] == -1 || h[i] != System.identityHashCode(o[i])) bad++;
                synchronized (o[i]) {
                    if (h[i] != System.identityHashCode(o[i])) bad++;
                }
            }
            IdentityHashMap<Object, Integer> m = new IdentityHashMap<>();
            for (int i = 0; i < 60; i++) m.put(o[i], i);
            if (round % 10 == 5) System.gc();
            for (int i = 0; i < 60; i++) if (m.get(o[i]) != i) bad++;
        }
        System.out.println("bad " + bad);
        HashSet<Integer> d = new HashSet<>();
        for (int i = 0; i < 20000; i++) d.add(System.identityHashCode(new Object()));
        System.out.println(d.size() > 19900);
        System.out.println(
                System.identityHashCode(null)
                        + " "
                        + (Objects.hashCode(null))
                        + " "
                        + (new Object().hashCode() >= 0));
        Object c = new int[] {1};
        int hc;
        synchronized (c) {
            hc = c.hashCode();
        }
        Object cl = ((int[]) c).clone();
        System.out.println((cl.hashCode() == hc) + " " + (c.hashCode() == hc));
        class Q implements Cloneable {
            Object cp() throws Exception {
                return clone();
            }
        }
        Q q = new Q();
        synchronized (q) {
            int qh = q.hashCode();
            Object w = q.cp();
            System.out.println(Thread.holdsLock(w) + " " + (w.hashCode() == qh));
            synchronized (w) {
            }
        }
    }
}
