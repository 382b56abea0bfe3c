// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Publication through volatile fields, and long values that never tear.
public class Volatile {
    static int data;
    static volatile boolean ready;
    static volatile long shared;

    public static void main(String[] args) throws Exception {
        Thread r =
                new Thread(
                        () -> {
                            while (!ready) Thread.onSpinWait();
                            System.out.println(data);
                        });
        r.start();
        data = 42;
        ready = true;
        r.join();
        boolean[] torn = {false};
        Thread w =
                new Thread(
                        () -> {
                            for (int i = 0; i < 200000; i++) shared = (i & 1) == 0 ? 0L : -1L;
                        });
        Thread c =
                new Thread(
                        () -> {
                            while (w.isAlive()) {
                                long v = shared;
                                if (v != 0 && v != -1) torn[0] = true;
                            }
                        });
        w.start();
        c.start();
        w.join();
        c.join();
        System.out.println(torn[0]);
    }
}
