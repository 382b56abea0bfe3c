// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads run one after the other. Each works for 20 ms in all, between many acquisitions; none contends.
public class InTurn {
    static int count;
    static volatile long sink;

    static synchronized void step() { count++; }

    static void work(long nanoseconds) {
        long end = System.nanoTime() + nanoseconds;
        while (System.nanoTime() < end) sink++;
    }

    public static void main(String[] args) throws InterruptedException {
        for (int t = 0; t < Integer.parseInt(args[0]); t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i <= 20_000; i++) {
                    step();
                    work(1000);
                }
            });
            thread.start();
            thread.join();
        }
        System.out.println("count " + count);
    }
}
