// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual thread that waits in Object.wait is interrupted again and again, on its carrier (pinned) and off it.
// since: 25
// javac: --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
import jdk.internal.vm.Continuation;

public class InterruptedAgain {
    static int woken;

    static void waitFor(Object lock, int times) {
        synchronized (lock) {
            while (woken < times) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    woken++;
                    lock.notifyAll();
                }
            }
        }
    }
    static void run(boolean pins) throws InterruptedException {
        Object lock = new Object();
        int times = 5;
        woken = 0;
        Thread thread = Thread.ofVirtual().start(() -> {
            if (pins) Continuation.pin();
            waitFor(lock, times);
            if (pins) Continuation.unpin();
        });
        for (int i = 1; i <= times; i++) {
            while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
            thread.interrupt();
            synchronized (lock) {
                while (woken < i) lock.wait();
            }
        }
        thread.join();
        System.out.println((pins ? "pinned " : "unpinned ") + woken + " " + thread.isInterrupted());
    }

    public static void main(String[] arguments) throws Exception {
        run(false);
        run(true);
    }
}
