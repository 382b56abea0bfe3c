// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Repeats all operations that could leak memory in a VM, with a live set of constant size. It uses objects of many
// shapes, monitors, references and cleaners, threads, strings, large arrays, and classes whose loaders are dropped. It
// verifies its live data all the time. Used by bench/soak.
//
//     java Soak SECONDS
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.IntUnaryOperator;

public class Soak {
    static final int LIVE = 20_000;
    static final AtomicLong cleaned = new AtomicLong(), registered = new AtomicLong(), contended = new AtomicLong();
    static final Cleaner cleaner = Cleaner.create();
    static long checks;

    static final class Node {
        final int id;
        Node left, right;
        Object load;
        Node(int id) { this.id = id; }
    }
    // Additional classes with objects of other sizes.
    static class Small { byte a; }
    static class Wide extends Small { long b, c, d, e; Object f; }

    static void check(boolean holds, String what) {
        checks++;
        if (!holds) throw new AssertionError(what);
    }

    static Object load(int id) {
        switch (id % 6) {
            case 0: return new int[] {id, ~id};
            case 1: return "text " + id;
            case 2: { Wide wide = new Wide(); wide.b = id; wide.f = Integer.valueOf(id); return wide; }
            case 3: return List.of(id, id + 1);
            case 4: { long[] longs = new long[id % 300]; Arrays.fill(longs, id); return longs; }
            default: return new Object[] {new Small(), id};
        }
    }
    static boolean isLoad(int id, Object load) {
        switch (id % 6) {
            case 0: return ((int[]) load)[0] == id && ((int[]) load)[1] == ~id;
            case 1: return load.equals("text " + id);
            case 2: return ((Wide) load).b == id && ((Wide) load).f.equals(id);
            case 3: return load.equals(List.of(id, id + 1));
            case 4: {
                for (long each : (long[]) load)
                    if (each != id)
                        return false;
                return ((long[]) load).length == id % 300;
            }
            default: return ((Object[]) load)[1].equals(id);
        }
    }

    static void objects(Node[] live, Random random) {
        for (int i = 0; i < LIVE / 4; i++) {
            int id = random.nextInt(LIVE);
            Node node = new Node(id);
            node.load = load(id);
            node.left = live[random.nextInt(LIVE)];
            if (node.left != null) node.left.left = null;   // no chains
            live[id] = node;
        }
        for (int i = 0; i < LIVE / 8; i++) {
            Node node = live[random.nextInt(LIVE)];
            if (node != null) check(isLoad(node.id, node.load), "load of " + node.id);
        }
        byte[] large = new byte[700_000 + random.nextInt(300_000)];
        large[large.length - 1] = 7;
        check(large[0] == 0 && large[large.length - 1] == 7, "large array");
    }

    static void monitors(Random random) throws Exception {
        Object[] locks = new Object[50];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new int[1];
            if (i % 3 == 0) System.identityHashCode(locks[i]);
        }
        int[] hashes = new int[locks.length];
        for (int i = 0; i < locks.length; i++) hashes[i] = System.identityHashCode(locks[i]);
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            long seed = random.nextLong();
            threads[t] = new Thread(() -> {
                Random own = new Random(seed);
                for (int i = 0; i < 500; i++) {
                    Object lock = locks[own.nextInt(locks.length)];
                    synchronized (lock) {
                        synchronized (lock) { ((int[]) lock)[0]++; }
                        contended.incrementAndGet();
                        if (i % 100 == 0) lock.notifyAll();
                    }
                }
            });
            threads[t].start();
        }
        synchronized (locks[0]) { locks[0].wait(1); }
        for (Thread thread : threads) thread.join();
        int sum = 0;
        for (int i = 0; i < locks.length; i++) {
            sum += ((int[]) locks[i])[0];
            check(System.identityHashCode(locks[i]) == hashes[i], "hash of a lock");
        }
        check(sum == threads.length * 500, "increments under locks: " + sum);
    }

    static void references(Random random) {
        Map<Object, Integer> weak = new WeakHashMap<>();
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Object key = new Object();
            weak.put(key, i);
            if (i % 5 == 0) kept.add(key);
            if (i % 50 == 0) {
                registered.incrementAndGet();
                cleaner.register(key, cleaned::incrementAndGet);
            }
        }
        SoftReference<byte[]> soft = new SoftReference<>(new byte[random.nextInt(5000) + 1]);
        check(soft.get() == null || soft.get().length > 0, "soft reference");
        for (int i = 0; i < kept.size(); i++) check(weak.get(kept.get(i)).equals(i * 5), "kept key");
    }

    static void executors(Random random) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int length = random.nextInt(1000) + 1;
            results.add(pool.submit(() -> new StringBuilder("x".repeat(length)).reverse().length()));
        }
        for (Future<Integer> result : results) check(result.get() > 0, "result");
        pool.shutdown();
        check(pool.awaitTermination(60, TimeUnit.SECONDS), "the pool ends");
    }

    public static class Plugin implements IntUnaryOperator {
        static int calls;
        final int[] added = {1};
        public int applyAsInt(int value) { calls++; return value + added[0]; }
    }
    static final class Plugins extends ClassLoader {
        final byte[] bytes;
        Plugins(byte[] bytes) { super(Soak.class.getClassLoader()); this.bytes = bytes; }
        Class<?> define() { return defineClass("Soak$Plugin", bytes, 0, bytes.length); }
    }

    // Makes a class of a new loader and a hidden class. Instances keep the last eight classes of each kind alive.
    static void classes(byte[] bytes, IntUnaryOperator[] kept, Random random) throws Exception {
        kept[random.nextInt(8)] = (IntUnaryOperator) new Plugins(bytes).define().getConstructor().newInstance();
        kept[8 + random.nextInt(8)] = (IntUnaryOperator) MethodHandles.lookup()
                                              .defineHiddenClass(bytes, true)
                                              .lookupClass()
                                              .getConstructor()
                                              .newInstance();
        for (int i = 0; i < 300; i++) {
            IntUnaryOperator plugin = kept[random.nextInt(kept.length)];
            check(plugin == null || plugin.applyAsInt(i) == i + 1, "what a plugin computes");
        }
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Random random = new Random(1);
        Node[] live = new Node[LIVE];
        IntUnaryOperator[] plugins = new IntUnaryOperator[16];
        byte[] pluginBytes;
        try (InputStream in = Soak.class.getResourceAsStream("Soak$Plugin.class")) { pluginBytes = in.readAllBytes(); }
        long rounds = 0;
        while (System.nanoTime() < end) {
            objects(live, random);
            monitors(random);
            references(random);
            executors(random);
            classes(pluginBytes, plugins, random);
            if (++rounds % 50 == 0) System.gc();
        }
        for (int i = 0; i < 20 && cleaned.get() < registered.get(); i++) {
            System.gc();
            Thread.sleep(100);
        }
        check(cleaned.get() == registered.get(), "cleaners: " + cleaned + " of " + registered);
        System.out.println("passed: " + rounds + " rounds, " + checks + " checks, " + contended
                + " increments under locks, " + cleaned + " cleaners");
    }
}
