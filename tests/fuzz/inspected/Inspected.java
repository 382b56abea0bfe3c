// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that the fuzzed tools inspect. It has objects of all kinds, and threads that wait, block and sleep. All
// the time it starts and ends threads, and loads and unloads classes. The program ends at the end of its input.
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

public class Inspected {
    static int number = 7;
    static long wide = 1L << 40;
    static double real = 2.5;
    static String text = "text \u00e4\ud83d\ude00";
    static int[] numbers = new int[100];
    static Object[] objects = {text, numbers, new Item(1), null, Inspected.class};
    static Map<String, List<Item>> map = new HashMap<>();
    static final Object lock = new Object();
    static volatile boolean over;

    static class Item implements Comparable<Item> {
        byte small;
        char letter = 'x';
        float real;
        Item next;
        final int key;

        Item(int key) {
            this.key = key;
        }

        @Override
        public int compareTo(Item other) {
            return Integer.compare(key, other.key);
        }
    }

    interface Work {
        int work(int depth, Object held);
    }

    static int descend(int depth, Object held) {
        int here = depth * 3;
        String local = "at " + depth;
        if (depth > 0) return descend(depth - 1, held) + here;
        LockSupport.parkNanos(2_000_000);
        return local.length();
    }

    static void loadAndForget() throws Exception {
        URL[] here = {Inspected.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader loader = new URLClassLoader(here, null)) {
            loader.loadClass("Inspected$Item");
        }
        Work proxy =
                (Work)
                        Proxy.newProxyInstance(
                                Inspected.class.getClassLoader(),
                                new Class<?>[] {Work.class},
                                (self, method, arguments) -> descend((int) arguments[0], arguments[1]));
        proxy.work(5, lock);
    }

    static void forever(String name, Runnable body) {
        Thread thread =
                new Thread(
                        () -> {
                            while (!over) {
                                Thread.interrupted();   // a tool's interrupt must not end the next pause
                                body.run();
                            }
                        },
                        name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        map.put("items", new ArrayList<>(List.of(new Item(2), new Item(3))));
        forever(
                "waits",
                () -> {
                    synchronized (lock) {
                        try {
                            lock.wait(20);
                        } catch (InterruptedException e) {
                            // A tool has interrupted this thread.
                        }
                    }
                });
        forever(
                "holds",
                () -> {
                    synchronized (lock) {
                        LockSupport.parkNanos(3_000_000);
                    }
                    LockSupport.parkNanos(1_000_000);
                });
        forever(
                "blocks",
                () -> {
                    synchronized (lock) {
                        descend(3, lock);
                    }
                });
        forever(
                "starts",
                () -> {
                    Thread shortLived = new Thread(() -> descend(2, null));
                    shortLived.setDaemon(true);
                    shortLived.start();
                    LockSupport.parkNanos(5_000_000);
                });
        forever(
                "loads",
                () -> {
                    try {
                        loadAndForget();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        System.out.println("ready");
        InputStream in = System.in;
        while (in.read() >= 0) {}
        over = true;
        System.out.println("end");
    }
}
