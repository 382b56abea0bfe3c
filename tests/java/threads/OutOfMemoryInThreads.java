// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Several threads run out of heap at once: each gets its error, some end by it, and the other threads continue.
// jvm: -Xmx32m
// stress: no
// virtual: no
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class OutOfMemoryInThreads {
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        AtomicInteger errors = new AtomicInteger(), uncaught = new AtomicInteger();
        for (int round = 0; round < 10; round++) {
            // No thread begins before all are started: starting a thread may enlarge the array of its thread group,
            // which would fail on a full heap.
            CountDownLatch started = new CountDownLatch(1);
            Thread[] group = new Thread[4];
            for (int k = 0; k < group.length; k++) {
                boolean catches = k % 2 == 0;
                group[k] = new Thread(() -> {
                    List<Object> kept = new ArrayList<>();
                    try {
                        started.await();
                        for (;;) kept.add(new byte[10_000]);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    } catch (OutOfMemoryError e) {
                        kept = null;
                        errors.incrementAndGet();
                        if (!catches) throw e;
                    }
                });
                group[k].setUncaughtExceptionHandler((t, e) -> uncaught.incrementAndGet());
            }
            for (Thread t : group) t.start();
            started.countDown();
            for (Thread t : group) t.join();
        }
        // While the heap is full, an OutOfMemoryError may also be thrown where no handler catches it, so exact counts
        // depend on the VM.
        System.out.println(errors.get() >= 20 && uncaught.get() >= 10);
        for (int i = 0; i < 10_000; i++) sink = new byte[1000];
        System.out.println("still alive");
    }
}
