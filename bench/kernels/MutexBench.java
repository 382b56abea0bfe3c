// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the throughput of threads that share one lock. It is the MutexBench of Dice & Kogan for a VM's locks:
// synchronized, ReentrantLock, fair ReentrantLock.
//
//     java MutexBench LOCK THREADS CSL NCSL [MILLISECONDS]       LOCK: synchronized, reentrant, fair
//
// Each thread repeats: lock, CSL steps of the shared generator, unlock, then 0 to 2 x NCSL - 1 steps (uniform) of its
// own generator. Prints one line: iterations per second, the largest and the smallest number of iterations of a thread,
// Jain's index, and the mean number of acquisitions in a row by one thread. bench/mutexbench does the same without a
// VM.
//
// The generators are 32-bit Mersenne twisters, as in the paper. At the end, the shared generator must be in the state
// that a new generator reaches after the same number of steps. Otherwise mutual exclusion was violated.
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

public class MutexBench {
    /** MT19937. */
    static final class Twister {
        private final int[] state = new int[624];
        private int index = 624;

        Twister(int seed) {
            state[0] = seed;
            for (int i = 1; i < 624; i++) state[i] = 1812433253 * (state[i - 1] ^ state[i - 1] >>> 30) + i;
        }

        int next() {
            if (index == 624) {
                for (int i = 0; i < 624; i++) {
                    int y = state[i] & 0x80000000 | state[(i + 1) % 624] & 0x7FFFFFFF;
                    state[i] = state[(i + 397) % 624] ^ y >>> 1 ^ ((y & 1) == 0 ? 0 : 0x9908B0DF);
                }
                index = 0;
            }
            int y = state[index++];
            y ^= y >>> 11;
            y ^= y << 7 & 0x9D2C5680;
            y ^= y << 15 & 0xEFC60000;
            return y ^ y >>> 18;
        }

        boolean isWhere(Twister other) {
            return index == other.index && Arrays.equals(state, other.state);
        }
    }

    static final int SEED = 4711;

    // Protected by the lock.
    final Twister shared = new Twister(SEED);
    long acquisitions, ownerships;
    int lastOwner = -1;

    volatile boolean stopped;
    final int csl, ncsl;
    final CountDownLatch start = new CountDownLatch(1);

    MutexBench(int csl, int ncsl) {
        this.csl = csl;
        this.ncsl = ncsl;
    }

    int critical(int self) {
        acquisitions++;
        if (lastOwner != self) {
            lastOwner = self;
            ownerships++;
        }
        int value = 0;
        for (int i = 0; i < csl; i++) value = shared.next();
        return value;
    }

    int outside(Twister own) {
        if (ncsl == 0) return 0;
        int value = 0;
        for (int left = (own.next() >>> 1) % (2 * ncsl); left > 0; left--) value = own.next();
        return value;
    }

    interface Body { long run(MutexBench bench, int self, Twister own); }

    static int sink;

    static long withMonitor(MutexBench bench, int self, Twister own) {
        long iterations = 0;
        int value = 0;
        while (!bench.stopped) {
            synchronized (bench) {
                value ^= bench.critical(self);
            }
            value ^= bench.outside(own);
            iterations++;
        }
        sink = value;
        return iterations;
    }

    static Body withLock(ReentrantLock lock) {
        return (bench, self, own) -> {
            long iterations = 0;
            int value = 0;
            while (!bench.stopped) {
                lock.lock();
                try {
                    value ^= bench.critical(self);
                } finally {
                    lock.unlock();
                }
                value ^= bench.outside(own);
                iterations++;
            }
            sink = value;
            return iterations;
        };
    }

    static Body bodyOf(String lock) {
        switch (lock) {
            case "synchronized": return MutexBench::withMonitor;
            case "reentrant": return withLock(new ReentrantLock());
            case "fair": return withLock(new ReentrantLock(true));
            default: throw new IllegalArgumentException("no lock '" + lock + "': synchronized, reentrant or fair");
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length < 4) {
            System.err.println("usage: MutexBench synchronized|reentrant|fair THREADS CSL NCSL [MILLISECONDS]");
            System.exit(2);
        }
        Body body = bodyOf(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        MutexBench bench = new MutexBench(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        long milliseconds = arguments.length > 4 ? Long.parseLong(arguments[4]) : 1000;

        long[] iterations = new long[threads];
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int self = i;
            all[i] = new Thread(() -> {
                Twister own = new Twister(SEED + 1 + self);
                try {
                    bench.start.await();
                } catch (InterruptedException impossible) {
                    return;
                }
                iterations[self] = body.run(bench, self, own);
            });
            all[i].start();
        }
        long begin = System.nanoTime();
        bench.start.countDown();
        Thread.sleep(milliseconds);
        bench.stopped = true;
        double seconds = (System.nanoTime() - begin) * 1e-9;
        for (Thread thread : all) thread.join();

        long total = 0, least = Long.MAX_VALUE, most = 0;
        double squares = 0;
        for (long one : iterations) {
            total += one;
            least = Math.min(least, one);
            most = Math.max(most, one);
            squares += (double) one * one;
        }
        Twister replay = new Twister(SEED);
        for (long i = 0; i < bench.acquisitions * bench.csl; i++) replay.next();
        if (total != bench.acquisitions || !replay.isWhere(bench.shared)) {
            System.err.println("two threads were in the critical section");
            System.exit(1);
        }
        System.out.printf("%s T=%d %d/%d: %.0f iterations/s, most %d, least %d, Jain %.4f, in a row %.2f%n",
                arguments[0], threads, bench.csl, bench.ncsl, total / seconds, most, least,
                (double) total * total / (threads * squares),
                (double) bench.acquisitions / Math.max(1, bench.ownerships));
    }
}
