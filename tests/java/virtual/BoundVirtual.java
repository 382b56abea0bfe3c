// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads without continuations: each has a platform thread of its own.
// since: 25
// jvm: -XX:+UnlockExperimentalVMOptions -XX:-VMContinuations
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class BoundVirtual {
    public static void main(String[] arguments) throws Exception {
        Object lock = new Object();
        AtomicInteger count = new AtomicInteger();
        CyclicBarrier all = new CyclicBarrier(50);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    all.await();
                    synchronized (lock) {
                        lock.wait(1);
                    }
                    Thread.sleep(1);
                } catch (InterruptedException | BrokenBarrierException e) {
                    return;
                }
                if (Thread.currentThread().isVirtual()) count.incrementAndGet();
            }));
        }
        System.out.println(threads.get(0).getClass().getName());
        for (Thread thread : threads) thread.join();
        System.out.println(count + " " + threads.get(0).getState());
    }
}
