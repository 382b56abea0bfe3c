// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An exception leaves many frames, releasing each synchronized method and block on its way.
public class DeepUnwind {
    static final Object lock = new Object();

    synchronized void down(int n) {
        synchronized (lock) {
            if (n == 0) throw new RuntimeException("deep");
            down(n - 1);
        }
    }

    static synchronized void sdown(int n) {
        if (n == 0) throw new IllegalArgumentException("static deep");
        sdown(n - 1);
    }

    public static void main(String[] args) throws Exception {
        DeepUnwind d = new DeepUnwind();
        for (int i = 0; i < 20; i++) {
            try {
                d.down(i);
            } catch (RuntimeException e) {
            }
            try {
                sdown(i);
            } catch (IllegalArgumentException e) {
            }
        }
        System.out.println(
                Thread.holdsLock(d)
                        + " "
                        + Thread.holdsLock(lock)
                        + " "
                        + Thread.holdsLock(DeepUnwind.class));
        Thread t =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                synchronized (d) {
                                    synchronized (DeepUnwind.class) {
                                        System.out.println("all free");
                                    }
                                }
                            }
                        });
        t.start();
        t.join();
    }
}
