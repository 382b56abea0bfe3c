// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// interrupt() of sleeping, waiting, parked, joining and running threads.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

public class Interrupts {
    static volatile boolean runs;

    static void await(Thread t, Thread.State... states) {
        while (true) {
            Thread.State s = t.getState();
            for (Thread.State w : states) if (s == w) return;
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread s =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(100000);
                            } catch (InterruptedException e) {
                                System.out.println(
                                        "sleep: "
                                                + e.getMessage()
                                                + " "
                                                + Thread.currentThread().isInterrupted());
                            }
                        });
        s.start();
        await(s, Thread.State.TIMED_WAITING);
        s.interrupt();
        s.join();
        Object o = new Object();
        Thread w =
                new Thread(
                        () -> {
                            synchronized (o) {
                                try {
                                    o.wait();
                                } catch (InterruptedException e) {
                                    System.out.println(
                                            "wait: " + e.getMessage() + " " + Thread.holdsLock(o));
                                }
                            }
                        });
        w.start();
        await(w, Thread.State.WAITING);
        w.interrupt();
        w.join();
        Thread p =
                new Thread(
                        () -> {
                            LockSupport.park();
                            System.out.println(
                                    "park: " + Thread.interrupted() + " " + Thread.interrupted());
                        });
        p.start();
        await(p, Thread.State.WAITING);
        p.interrupt();
        p.join();
        Thread main = Thread.currentThread();
        CountDownLatch told = new CountDownLatch(1);
        Thread j =
                new Thread(
                        () -> {
                            await(main, Thread.State.WAITING);
                            main.interrupt();
                            try {
                                told.await();   // keeps this thread alive, because its end would also wake main
                            } catch (InterruptedException e) {
                            }
                        });
        j.start();
        try {
            j.join();
        } catch (InterruptedException e) {
            System.out.println("join: " + main.isInterrupted());
            told.countDown();
            j.join();
        }
        Thread r =
                new Thread(
                        () -> {
                            long n = 0;
                            while (!Thread.currentThread().isInterrupted()) {
                                n++;
                                runs = true;
                            }
                            System.out.println("ran until interrupted " + (n > 0));
                        });
        r.start();
        while (!runs) Thread.sleep(1);
        r.interrupt();
        r.join();
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            System.out.println("pending: " + e.getMessage());
        }
        Thread.currentThread().interrupt();
        synchronized (o) {
            try {
                o.wait(10);
            } catch (InterruptedException e) {
                System.out.println("pending wait");
            }
        }
        System.out.println(Thread.interrupted());
    }
}
