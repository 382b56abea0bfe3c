// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Several threads call static, private and final methods while these are compiled and recompiled, in classes that come
// and go. Code of an unloaded class does not affect later classes.
// expected: 40 classes, all right
// expected: unloaded
// timeout: 120

import java.lang.ref.WeakReference;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

public class CallsWhileCompiling {
    public interface Work { int run(int x); }

    public static class Plugin implements Work {
        int limit = 5;

        static int even(int x) { return x < 2 ? 1 : odd(x - 1) + odd(x - 2); }
        static int odd(int x) { return x < 2 ? 2 : even(x - 1) + even(x - 2); }

        private int part(int x) {
            if (x > limit) return rest(x - 1) + 1;
            return x;
        }

        public final int rest(int x) {
            if (x > limit) return part(x - 1) + 2;
            return -x;
        }

        @Override
        public int run(int x) { return even(x % 7) * 1000 + part(x % 12) + rest(x % 9); }
    }

    static final class Loader extends ClassLoader {
        Work make(byte[] bytes) throws Exception {
            return (Work) defineClass(null, bytes, 0, bytes.length).getDeclaredConstructor().newInstance();
        }
    }

    static final int CLASSES = 40;
    static final int THREADS = 3;
    static final int CALLS = 500;
    static Work current;

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = CallsWhileCompiling.class.getResourceAsStream("CallsWhileCompiling$Plugin.class").readAllBytes();
        int[] right = new int[CALLS];
        for (int i = 0; i < CALLS; i++) right[i] = new Plugin().run(i);
        CyclicBarrier barrier = new CyclicBarrier(THREADS + 1);
        AtomicInteger wrong = new AtomicInteger();
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            threads[t] = new Thread(() -> {
                try {
                    for (int round = 0; round < CLASSES; round++) {
                        barrier.await();
                        for (int i = 0; i < CALLS; i++) {
                            if (current.run(i) != right[i]) wrong.incrementAndGet();
                        }
                        barrier.await();
                    }
                } catch (Exception e) {
                    e.printStackTrace(System.out);
                }
            });
            threads[t].start();
        }
        WeakReference<?> first = null;
        for (int round = 0; round < CLASSES; round++) {
            current = new Loader().make(bytes);
            if (round == 0) first = new WeakReference<>(current.getClass());
            barrier.await();
            barrier.await();
            if (round % 8 == 7) System.gc();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(CLASSES + " classes, " + (wrong.get() == 0 ? "all right" : wrong + " calls wrong"));
        System.out.println(first.get() == null ? "unloaded" : "still there");
    }
}
