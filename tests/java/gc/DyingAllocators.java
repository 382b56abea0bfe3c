// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx32m
// stress: no
// Hundreds of threads end: by an uncaught OutOfMemoryError, by another exception, or with an allocation buffer (TLAB)
// that is only partly used. Afterwards the memory of all these threads is free.
public class DyingAllocators {
    static class Hog extends Thread {
        Hog(String name) { super(name); }
        @Override public void run() {
            // `mine` is garbage when the error leaves this method, so that there is memory for printing the error's
            // trace.
            Object[] mine = null;
            while (true) mine = new Object[] {mine, new byte[20_000]};
        }
    }

    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        // No handler catches this thread's error: the VM prints its stack trace, and still exits with 0. Only one
        // thread dies in this way, because java gives only its first few OutOfMemoryErrors a stack trace.
        Hog first = new Hog("first");
        first.start();
        first.join();
        for (int i = 0; i < 3; i++) {
            Hog thread = new Hog("hog " + i);
            thread.setUncaughtExceptionHandler(
                    (dead, error) -> System.out.println(dead.getName() + " died of " + error));
            thread.start();
            thread.join();
        }
        Thread inSilence =
                new Thread(() -> { throw new IllegalStateException("dies " + new byte[10].length); }, "thrower");
        inSilence.start();
        inSilence.join();
        for (int round = 0; round < 100; round++) {
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                int size = 10 + 40 * t;
                threads[t] = new Thread(() -> { for (int i = 0; i < 300; i++) sink = new byte[size]; });
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
        }
        byte[] large = new byte[15_000_000];
        System.out.println("room for " + large.length);
        System.out.println("main ends");
    }
}
