// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads that take one lock in turn. Between two acquisitions, a thread yields its carrier or sleeps.
//
//   VirtualLoad THREADS ROUNDS
import java.util.ArrayList;
import java.util.List;

public class VirtualLoad {
    static final class Lock {
        long count;
    }

    static final Lock lock = new Lock();

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[1]);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < Integer.parseInt(arguments[0]); t++) {
            threads.add(Thread.ofVirtual().name("taker " + t).unstarted(() -> {
                for (int i = 0; i < rounds; i++) {
                    synchronized (lock) {
                        lock.count++;
                    }
                    if (i % 50 != 0) {
                        Thread.yield();
                        continue;
                    }
                    try {
                        Thread.sleep(1);   // the simulated load repeats a sleep, but not a yield
                    } catch (InterruptedException impossible) {
                        throw new AssertionError(impossible);
                    }
                }
            }));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(lock.count);
    }
}
