// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that was notified, timed out or interrupted in Object.wait is BLOCKED until it has its monitor again.
public class BlockedAfterWait {
    interface Body { void run() throws InterruptedException; }
    static final Object lock = new Object();
    static volatile boolean inside, done;
    static Thread target;

    static void check(String what, Body wait, Body end) throws Exception {
        inside = done = false;
        target = new Thread(() -> {
            synchronized (lock) {
                inside = true;
                try { while (!done) wait.run(); System.out.println(what + ": returned"); }
                catch (InterruptedException e) { System.out.println(what + ": interrupted"); }
            }
        });
        target.start();
        while (!inside) Thread.onSpinWait();
        synchronized (lock) {   // it waits now
            end.run();
            while (target.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            done = true;
        }
        target.join();
    }

    public static void main(String[] args) throws Exception {
        check("notified", () -> lock.wait(), () -> lock.notify());
        check("notified, timed", () -> lock.wait(1000000), () -> lock.notifyAll());
        check("timed out", () -> lock.wait(5), () -> { });
        check("interrupted", () -> lock.wait(), () -> target.interrupt());
    }
}
