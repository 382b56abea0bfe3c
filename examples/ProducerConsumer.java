// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A bounded buffer with wait and notifyAll: two producers, two consumers, nothing lost and nothing doubled.
//
// Run: ./keyhole examples/ProducerConsumer.java

public class ProducerConsumer {
    /** A ring of fixed capacity. All state is guarded by `this`. */
    static final class BoundedBuffer {
        private final int[] ring = new int[16];
        private int head;
        private int count;

        synchronized void put(int value) throws InterruptedException {
            while (count == ring.length) {   // a loop: a woken thread must look again
                wait();
            }
            ring[(head + count++) % ring.length] = value;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            int value = ring[head];
            head = (head + 1) % ring.length;
            count--;
            notifyAll();
            return value;
        }
    }

    static final int ITEMS_PER_PRODUCER = 5_000;

    public static void main(String[] arguments) throws InterruptedException {
        BoundedBuffer buffer = new BoundedBuffer();
        long[] sums = new long[2];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 2; i++) {
            int base = i * ITEMS_PER_PRODUCER;
            int consumer = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int n = 1; n <= ITEMS_PER_PRODUCER; n++) {
                        buffer.put(base + n);
                    }
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }, "producer-" + i);
            threads[2 + i] = new Thread(() -> {
                try {
                    for (int n = 0; n < ITEMS_PER_PRODUCER; n++) {
                        sums[consumer] += buffer.take();
                    }
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }, "consumer-" + i);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long total = 2L * ITEMS_PER_PRODUCER;
        System.out.println("items:    " + total);
        System.out.println("sum:      " + (sums[0] + sums[1]));
        System.out.println("expected: " + total * (total + 1) / 2);
    }
}
