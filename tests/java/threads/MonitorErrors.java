// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// IllegalMonitorStateException, negative timeouts, null monitors.
public class MonitorErrors {
    static void run(String n, Action a) {
        try {
            a.go();
            System.out.println(n + " fine");
        } catch (Exception e) {
            System.out.println(n + " " + e);
        }
    }

    interface Action {
        void go() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Object o = new Object();
        run("wait", o::wait);
        run("notify", o::notify);
        run("notifyAll", o::notifyAll);
        run("timed", () -> o.wait(5));
        run(
                "negative",
                () -> {
                    synchronized (o) {
                        o.wait(-1);
                    }
                });
        run(
                "nanos",
                () -> {
                    synchronized (o) {
                        o.wait(1, 1000000);
                    }
                });
        run(
                "held",
                () -> {
                    synchronized (o) {
                        o.notify();
                        o.notifyAll();
                        o.wait(1);
                    }
                });
        run(
                "null",
                () -> {
                    Object n = null;
                    synchronized (n) {
                    }
                });
        Thread t =
                new Thread(
                        () -> {
                            synchronized (o) {
                                try {
                                    Thread.sleep(1_000_000);   // sleeps until it is interrupted
                                } catch (InterruptedException e) {
                                }
                            }
                        });
        t.start();
        while (t.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        run("held by other", o::notify);
        System.out.println(Thread.holdsLock(o));
        t.interrupt();
        t.join();
        synchronized (o) {
            System.out.println(Thread.holdsLock(o));
        }
        try {
            Thread.holdsLock(null);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
    }
}
