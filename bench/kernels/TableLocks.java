// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the throughput of threads that share a few hot synchronized maps.
//
//     java TableLocks THREADS MAPS [MILLISECONDS]
//
// In each operation, a thread chooses one of the maps and one of 1024 keys by its own random generator. Four times in
// five it looks the key up, otherwise it increments the key's count. Prints one line: operations per second, the
// largest and the smallest number of operations of a thread, and Jain's index over the threads.
//
// At the end, the sum of the counts in the maps must equal the number of increments. Otherwise mutual exclusion was
// violated.
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

public class TableLocks {
    static final int KEYS = 1024;

    static volatile boolean stopped;
    static final CountDownLatch start = new CountDownLatch(1);

    static final class Worker extends Thread {
        final Map<Integer, Integer>[] maps;
        int state;
        long operations, counted, found;

        Worker(Map<Integer, Integer>[] maps, int seed) {
            this.maps = maps;
            state = seed;
        }

        int next() {
            int x = state;
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            return state = x;
        }

        @Override public void run() {
            try {
                start.await();
            } catch (InterruptedException impossible) {
                return;
            }
            while (!stopped) operate();
        }

        void operate() {
            int random = next();
            Map<Integer, Integer> map = maps[(random >>> 8) % maps.length];
            Integer key = random & KEYS - 1;
            if ((random >>> 24) % 5 == 0) {
                map.merge(key, 1, Integer::sum);
                counted++;
            } else if (map.get(key) != null) {
                found++;
            }
            operations++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length < 2) {
            System.err.println("usage: TableLocks THREADS MAPS [MILLISECONDS]");
            System.exit(2);
        }
        Worker[] workers = new Worker[Integer.parseInt(arguments[0])];
        @SuppressWarnings("unchecked") Map<Integer, Integer>[] maps = new Map[Integer.parseInt(arguments[1])];
        long milliseconds = arguments.length > 2 ? Long.parseLong(arguments[2]) : 1000;

        for (int i = 0; i < maps.length; i++) {
            maps[i] = Collections.synchronizedMap(new HashMap<>());
            for (int key = 0; key < KEYS; key += 2) maps[i].put(key, 0);
        }
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(maps, 4711 + 7 * i);
            workers[i].start();
        }
        // Begins to measure after the warm-up, when the code is compiled.
        start.countDown();
        Thread.sleep(milliseconds / 2);
        long[] before = new long[workers.length];
        for (int i = 0; i < workers.length; i++) before[i] = workers[i].operations;
        long begin = System.nanoTime();
        Thread.sleep(milliseconds);
        long[] done = new long[workers.length];
        for (int i = 0; i < workers.length; i++) done[i] = workers[i].operations - before[i];
        double seconds = (System.nanoTime() - begin) * 1e-9;
        stopped = true;
        long counted = 0;
        for (Worker worker : workers) {
            worker.join();
            counted += worker.counted;
        }
        for (Map<Integer, Integer> map : maps) {
            for (int count : map.values()) counted -= count;
        }
        if (counted != 0) {
            System.err.println("two threads were in one map: " + counted + " counts are missing");
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
        System.out.printf("T=%d maps=%d: %.0f operations/s, most %d, least %d, Jain %.4f%n", workers.length,
                maps.length, total / seconds, most, least, (double) total * total / (workers.length * squares));
    }
}
