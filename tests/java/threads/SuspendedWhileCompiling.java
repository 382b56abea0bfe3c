// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that is suspended while its methods become hot must not continue. Each round has its own class, so that the
// methods are compiled again.
// until: 17
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

public class SuspendedWhileCompiling {
    public static final AtomicLong steps = new AtomicLong();
    public static volatile boolean end;

    public static class Worker implements Runnable {
        static long sum;

        long count(long x) { return steps.incrementAndGet() + x; }
        long mix(long x) { return steps.incrementAndGet() ^ x; }
        long both(long x) { return count(x) + mix(x); }

        public void run() {
            while (!end) sum += both(sum) + count(1);
        }
    }

    static class Loader extends ClassLoader {
        private final byte[] worker;

        Loader(byte[] worker) {
            super(SuspendedWhileCompiling.class.getClassLoader());
            this.worker = worker;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.endsWith("$Worker")) return super.loadClass(name, resolve);
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, worker, 0, worker.length);
        }
    }

    static byte[] worker() throws IOException {
        try (InputStream file = SuspendedWhileCompiling.class.getResourceAsStream("SuspendedWhileCompiling$Worker.class")) {
            return file.readAllBytes();
        }
    }

    static void waitUntil(long nanos) {
        while (System.nanoTime() < nanos) Thread.onSpinWait();
    }

    @SuppressWarnings("removal")
    public static void main(String[] arguments) throws Exception {
        byte[] worker = worker();
        int moved = 0;
        for (int round = 0; round < 60; round++) {
            Class<?> fresh = new Loader(worker).loadClass("SuspendedWhileCompiling$Worker");
            end = false;
            steps.set(0);
            Thread thread = new Thread((Runnable) fresh.getConstructor().newInstance());
            thread.start();
            while (steps.get() == 0) Thread.onSpinWait();
            waitUntil(System.nanoTime() + round % 20 * 500_000L);
            for (int suspension = 0; suspension < 3; suspension++) {
                thread.suspend();
                long before = steps.get();
                Thread.sleep(15);   // longer than a compilation
                if (steps.get() != before) moved++;
                thread.resume();
                waitUntil(System.nanoTime() + 1_000_000);
            }
            end = true;
            thread.join();
        }
        System.out.println("steps of suspended threads: " + moved);
    }
}
