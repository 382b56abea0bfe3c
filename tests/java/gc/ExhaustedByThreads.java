// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx32m -XX:-UseGCOverheadLimit
// stress: no
// timeout: 60
// Several threads run out of memory at the same time. A thread that requests more than there is gets an
// OutOfMemoryError of its own, and no other thread's. When all drop their objects, everything works again.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class ExhaustedByThreads {
    static final int THREADS = 4;
    static final AtomicInteger errors = new AtomicInteger(), wrong = new AtomicInteger();
    static final String HEAP_SPACE = new String("Java heap space");
    static final AtomicInteger ready = new AtomicInteger();

    static void exhaust(int size) {   // sizes differ between threads, so one may find room when another does not
        Object[] hog = null;
        try {
            while (true) hog = new Object[] {hog, new byte[size]};
        } catch (OutOfMemoryError e) {
            hog = null;
            count(e);
        }
    }

    static void count(OutOfMemoryError e) {
        if (HEAP_SPACE.equals(e.getMessage())) errors.incrementAndGet();
        else wrong.incrementAndGet();
    }

    public static void main(String[] args) throws Exception {
        // Calls count() once in advance, because the first call of a method may need memory to resolve it.
        count(new OutOfMemoryError(HEAP_SPACE));
        count(new OutOfMemoryError("another"));
        for (int round = 0; round < 3; round++) {
            ready.set(0);
            Thread[] threads = new Thread[THREADS];
            for (int t = 0; t < THREADS; t++) {
                int size = new int[] {100, 3_000, 70_000, 900_000}[t];
                threads[t] = new Thread(() -> {
                    ready.incrementAndGet();
                    // Spins, because other ways of waiting might need memory.
                    while (ready.get() < THREADS) Thread.onSpinWait();
                    exhaust(size);
                });
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
        }
        System.out.println(errors + " errors, " + wrong + " wrong");
        byte[] large = new byte[10_000_000];
        Map<Integer, byte[]> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 5000; i++) map.put(i, new byte[1000]);
        System.out.println(large.length + " " + map.size());
    }
}
