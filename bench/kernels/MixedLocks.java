// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the throughput of threads that share one monitor. Inside the monitor they count, and depending on the load
// they also wait, sleep and work.
//
//     java MixedLocks LOAD THREADS [MILLISECONDS]
//
//     short     nothing but short visits
//     outside   short visits, some microseconds of work between two
//     long      visits as long as the work between two
//     sleep     short visits; in one of 2048 the thread sleeps for 1 ms inside
//     wait      short visits that notify; in one of 64 the thread waits for at most 1 ms
//     buffer    half of the threads put into a buffer with 16 places, half take; they wait while it is full, or empty
//     ring      the threads come one after the other, and wait for their turn
//     mixed     outside, sleep and wait in one
//
// Prints one line: operations per second, the largest and the smallest number of operations of a thread, and Jain's
// index over the threads.
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;

public class MixedLocks {
    static final int PLACES = 16;

    static volatile boolean stopped;
    static final CountDownLatch start = new CountDownLatch(1);
    static final Object monitor = new Object();
    static final ArrayDeque<Integer> buffer = new ArrayDeque<>();
    static long counter;
    static int next;

    static final class Worker extends Thread {
        final String load;
        final int index, threads;
        int state;
        long operations;

        Worker(String load, int index, int threads) {
            this.load = load;
            this.index = index;
            this.threads = threads;
            state = 4711 + 7 * index;
        }

        int random() {
            int x = state;
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            return state = x;
        }

        void work(int steps) {
            for (int i = 0; i < steps; i++) random();
        }

        @Override public void run() {
            try {
                start.await();
                while (!stopped) {
                    operate();
                    operations++;
                }
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        void operate() throws InterruptedException {
            switch (load) {
                case "short": visit(0, false, false); break;
                case "outside": work(500 + (random() & 1023)); visit(0, false, false); break;
                case "long": work(5000); visit(5000, false, false); break;
                case "sleep": visit(0, one(2048), false); break;
                case "wait": visit(0, false, true); break;
                case "mixed": work(random() & 1023); visit(0, one(2048), true); break;
                case "buffer": if (index % 2 == 0) put(); else take(); break;
                case "ring": pass(); break;
                default: throw new IllegalArgumentException(load);
            }
        }

        boolean one(int of) {
            return (random() >>> 8) % of == 0;
        }

        void visit(int steps, boolean sleeps, boolean notifies) throws InterruptedException {
            synchronized (monitor) {
                counter++;
                work(steps);
                if (sleeps) Thread.sleep(1);
                if (notifies) {
                    monitor.notify();
                    if (one(64)) monitor.wait(1);
                }
            }
        }

        void put() throws InterruptedException {
            synchronized (monitor) {
                while (buffer.size() == PLACES && !stopped) monitor.wait();
                buffer.add(index);
                counter++;
                monitor.notifyAll();
            }
        }

        void take() throws InterruptedException {
            synchronized (monitor) {
                while (buffer.isEmpty() && !stopped) monitor.wait();
                buffer.poll();
                counter++;
                monitor.notifyAll();
            }
        }

        void pass() throws InterruptedException {
            synchronized (monitor) {
                while (next != index && !stopped) monitor.wait();
                next = (index + 1) % threads;
                counter++;
                monitor.notifyAll();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length < 2) {
            System.err.println("usage: MixedLocks LOAD THREADS [MILLISECONDS]");
            System.exit(2);
        }
        Worker[] workers = new Worker[Integer.parseInt(arguments[1])];
        long milliseconds = arguments.length > 2 ? Long.parseLong(arguments[2]) : 1000;

        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(arguments[0], i, workers.length);
            workers[i].start();
        }
        // Begins to measure after the warm-up, when the code is compiled.
        start.countDown();
        Thread.sleep(milliseconds / 2);
        long[] done = new long[workers.length];
        for (int i = 0; i < workers.length; i++) done[i] = -workers[i].operations;
        long begin = System.nanoTime();
        Thread.sleep(milliseconds);
        for (int i = 0; i < workers.length; i++) done[i] += workers[i].operations;
        double seconds = (System.nanoTime() - begin) * 1e-9;
        long counted = 0;
        synchronized (monitor) {
            stopped = true;
            monitor.notifyAll();
        }
        for (Worker worker : workers) {
            worker.join();
            counted += worker.operations;
        }
        if (counted != counter) {
            System.err.println("two threads were in the monitor: " + (counted - counter) + " visits are missing");
            System.exit(1);
        }
        long total = 0, least = Long.MAX_VALUE, most = 0;
        double squares = 0;
        for (long one : done) {
            total += one;
            least = Math.min(least, one);
            most = Math.max(most, one);
            squares += (double) one * one;
        }
        System.out.printf("%s T=%d: %.0f operations/s, most %d, least %d, Jain %.4f%n", arguments[0], workers.length,
                total / seconds, most, least, (double) total * total / (workers.length * squares));
    }
}
