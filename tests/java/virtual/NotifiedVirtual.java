// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual thread in Object.wait is BLOCKED from its notification on, while the notifier still holds the lock.
// since: 25
public class NotifiedVirtual {
    static boolean hasState(Thread thread, Thread.State state) throws InterruptedException {
        long end = System.nanoTime() + 3_000_000_000L;
        while (System.nanoTime() < end) {
            // The thread need not stay in `state`: a spurious wake-up may put the thread into another state.
            if (thread.getState() == state) return true;
            Thread.sleep(1);
        }
        return false;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Object lock = new Object();
        for (long milliseconds : new long[] {0, 1_000_000}) {
            Thread waiter = Thread.ofVirtual().start(() -> {
                synchronized (lock) {
                    try {
                        lock.wait(milliseconds);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            Thread.State waits = milliseconds == 0 ? Thread.State.WAITING : Thread.State.TIMED_WAITING;
            System.out.println(waits + ": " + hasState(waiter, waits));
            synchronized (lock) {
                lock.notify();
                System.out.println("blocked: " + hasState(waiter, Thread.State.BLOCKED));
            }
            waiter.join();
        }
    }
}
