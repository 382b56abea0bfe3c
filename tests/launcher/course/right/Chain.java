// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.1: third waits for second, which has b and waits for first, which has a.
public class Chain {
    static final Object a = new Object(), b = new Object();

    static Thread begin(String name, Runnable what) {
        Thread thread = new Thread(what, name);
        thread.start();
        return thread;
    }

    static void until(Thread thread, Thread.State state) {
        try {
            while (thread.getState() != state) Thread.sleep(1);
        } catch (InterruptedException nobodyInterrupts) {
            throw new AssertionError(nobodyInterrupts);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        synchronized (a) {
            Thread second = begin("second", () -> {
                synchronized (b) {
                    synchronized (a) {
                    }
                }
            });
            until(second, Thread.State.BLOCKED);
            Thread third = begin("third", () -> {
                synchronized (b) {
                }
            });
            until(third, Thread.State.BLOCKED);
            Thread.sleep(50);
        }
    }
}
