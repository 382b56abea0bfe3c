// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A waiter is either notified or interrupted, and no notification is lost.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class NotifyOrInterrupt {
    static int lost, wrong;

    static void round(int k) throws Exception {
        Object o = new Object();
        AtomicInteger notified = new AtomicInteger(),
                interrupted = new AtomicInteger(),
                ready = new AtomicInteger();
        Thread[] t = new Thread[2];
        for (int i = 0; i < 2; i++) {
            t[i] =
                    new Thread(
                            () -> {
                                synchronized (o) {
                                    ready.incrementAndGet();
                                    try {
                                        o.wait();
                                        notified.incrementAndGet();
                                        if (Thread.currentThread().isInterrupted()) {}
                                    } catch (InterruptedException e) {
                                        interrupted.incrementAndGet();
                                        if (Thread.currentThread().isInterrupted()) wrong++;
                                    }
                                }
                            });
            t[i].start();
        }
        while (true) {
            synchronized (o) {
                if (ready.get() == 2) break;
            }
            Thread.onSpinWait();
        }
        Thread
                a =
                        new Thread(
                                () -> {
                                    synchronized (o) {
                                        o.notify();
                                    }
                                }),
                b = new Thread(() -> t[k & 1].interrupt());
        if ((k & 2) == 0) {
            a.start();
            b.start();
        } else {
            b.start();
            a.start();
        }
        a.join();
        b.join();
        // One thread was notified, and one was interrupted. If these were the same thread, that thread returned with
        // its interrupt flag set, and the other thread still waits.
        t[k & 1].join();
        Thread other = t[1 - (k & 1)];
        if (interrupted.get() == 1) {
            other.join(5000);
            if (other.isAlive()) {
                lost++;
                other.interrupt();
            }
        } else {
            if (other.isAlive()) {
                Thread.sleep(0, 1000);
                if (notified.get() == 2) wrong++;
                synchronized (o) {
                    o.notifyAll();
                }
                other.join(5000);
                if (other.isAlive()) {
                    lost++;
                    other.interrupt();
                }
            }
        }
        other.join();
    }

    public static void main(String[] x) throws Exception {
        for (int k = 0; k < 400; k++) round(k);
        System.out.println("lost " + lost + " wrong " + wrong);
        Object o = new Object();
        Thread.currentThread().interrupt();
        try {
            synchronized (o) {
                o.wait();
            }
        } catch (InterruptedException e) {
            System.out.println("at once " + Thread.currentThread().isInterrupted());
        }
        Thread.currentThread().interrupt();
        try {
            synchronized (o) {
                o.wait(10, 5);
            }
        } catch (InterruptedException e) {
            System.out.println("timed " + e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            o.wait();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage() + " " + Thread.interrupted());
        } catch (InterruptedException e) {
            System.out.println("order");
        }
        try {
            o.wait(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            o.wait(1, 1000000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            o.wait(-1, -1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            o.wait(0, 1);
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        synchronized (o) {
            synchronized (o) {
                o.wait(1);
                o.wait(0, 1);
            }
            System.out.println(Thread.holdsLock(o));
        }
        System.out.println(Thread.holdsLock(o));
        try {
            Thread.holdsLock(null);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(0);
            System.out.println("slept");
        } catch (InterruptedException e) {
            System.out.println(e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            new CountDownLatch(0).await();
            System.out.println("latch");
        } catch (InterruptedException e) {
            System.out.println("latch " + e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            Thread u = new Thread();
            u.join();
            System.out.println("join ok " + Thread.interrupted());
        } catch (InterruptedException e) {
            System.out.println("join " + e.getMessage());
        }
    }
}
