// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ping-pong with wait and notify; notifyAll releases everybody; timeouts expire.
public class WaitNotify {
    static final Object lock = new Object();
    static boolean ping = true;
    static int rounds;

    static void play(boolean mine) {
        try {
            for (int i = 0; i < 2000; i++)
                synchronized (lock) {
                    while (ping != mine) lock.wait();
                    rounds++;
                    ping = !mine;
                    lock.notify();
                }
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> play(true)), b = new Thread(() -> play(false));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(rounds);
        int[] woken = {0}, waiting = {0};
        boolean[] go = {false};
        Thread[] ts = new Thread[6];
        Object gate = new Object();
        for (int i = 0; i < 6; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                synchronized (gate) {
                                    waiting[0]++;
                                    while (!go[0])
                                        try {
                                            gate.wait();
                                        } catch (InterruptedException e) {
                                        }
                                    woken[0]++;
                                }
                            });
            ts[i].start();
        }
        while (true)
            synchronized (gate) {
                if (waiting[0] == 6) {
                    go[0] = true;
                    gate.notifyAll();
                    break;
                }
                Thread.yield();
            }
        for (Thread t : ts) t.join();
        System.out.println(woken[0]);
        long t0 = System.nanoTime();
        synchronized (lock) {
            lock.wait(30);
        }
        System.out.println(System.nanoTime() - t0 >= 29_000_000L);
        synchronized (lock) {
            lock.wait(0, 500000);
            lock.wait(1, 1);
        }
        System.out.println("timed out");
    }
}
