// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of mutexbench in Java: threads that work for a while, take one lock, work inside, and release it.
//
//   Load THREADS ROUNDS INSIDE OUTSIDE     times in ns: INSIDE fixed, OUTSIDE random with this mean
public class Load {
    static final Object lock = new Object();
    static volatile long sink;

    // The number of iterations of steps() that this machine executes in a nanosecond.
    static double speed;

    static long steps(long count) {
        long value = count;
        for (long i = 0; i < count; i++) value = value * 6364136223846793005L + 1442695040888963407L;
        return value;
    }

    static void work(double nanoseconds) { sink = steps((long) (nanoseconds * speed)); }

    static void calibrate() {
        for (int i = 0; i < 2000; i++) sink = steps(1000);
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 2000; i++) {
            long begin = System.nanoTime();
            sink = steps(10_000);
            best = Math.min(best, System.nanoTime() - begin);
        }
        speed = 10_000.0 / best;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[1]), inside = Integer.parseInt(args[2]), outside = Integer.parseInt(args[3]);
        calibrate();
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        for (int t = 0; t < threads.length; t++) {
            var random = new java.util.SplittableRandom(t);
            threads[t] = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    work(random.nextDouble() * 2 * outside);
                    synchronized (lock) {
                        if (inside != 0) work(inside);
                    }
                }
            });
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
