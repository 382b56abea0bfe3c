// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters guarded by synchronized methods, blocks and static methods, hammered by eight threads.
public class MutualExclusion {
    int a;
    static int b;
    int c;
    final Object lock = new Object();

    synchronized void incA() {
        a++;
    }

    static synchronized void incB() {
        b++;
    }

    void incC() {
        synchronized (lock) {
            synchronized (lock) {
                c++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        MutualExclusion m = new MutualExclusion();
        Thread[] ts = new Thread[8];
        for (int i = 0; i < 8; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                for (int k = 0; k < 5000; k++) {
                                    m.incA();
                                    incB();
                                    m.incC();
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(m.a + " " + b + " " + m.c);
    }
}
