// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the cost of virtual threads: `VirtualLoads LOAD [NUMBER]` prints the name and figure of each measurement.
// Times are nanoseconds of one operation. They are the fastest of the first few repetitions in the process. Figures
// called warm are medians over the second half of six seconds.
import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

public class VirtualLoads {
    static final int REPETITIONS = 5;
    static final long WARM_NANOSECONDS = 6_000_000_000L;

    interface Load {
        void run() throws Exception;
    }
    static void measure(String name, long operations, Load load) throws Exception {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < REPETITIONS; i++) {
            long begin = System.nanoTime();
            load.run();
            fastest = Math.min(fastest, System.nanoTime() - begin);
        }
        System.out.println(name + " " + (double) fastest / operations);
    }

    static void measureWarm(String name, long operations, Load load) throws Exception {
        List<Long> times = new ArrayList<>();
        long first = System.nanoTime(), begin;
        while ((begin = System.nanoTime()) - first < WARM_NANOSECONDS) {
            load.run();
            if (begin - first >= WARM_NANOSECONDS / 2) times.add(System.nanoTime() - begin);
        }
        Collections.sort(times);
        System.out.println(name + ", warm " + (double) times.get(times.size() / 2) / operations);
    }

    // A continuation that only yields.
    static void yields() throws Exception {
        int rounds = 200_000;
        ContinuationScope scope = new ContinuationScope("bench");
        measure("run and yield", rounds, () -> {
            Continuation continuation = new Continuation(scope, () -> {
                for (int i = 0; i < rounds; i++) Continuation.yield(scope);
            });
            while (!continuation.isDone()) continuation.run();
        });
    }

    static int shared;
    static final Object lock = new Object();
    static void contended(int threads) throws Exception {
        int visits = 20;
        measure("contended synchronized", (long) threads * visits, () -> {
            CountDownLatch go = new CountDownLatch(1);
            shared = 0;
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(Thread.startVirtualThread(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    for (int k = 0; k < visits; k++) {
                        synchronized (lock) {
                            shared++;
                            if (k % 4 == 0) Thread.yield();   // some holders yield their carrier
                        }
                    }
                }));
            }
            go.countDown();
            for (Thread thread : all) thread.join();
            if (shared != threads * visits) throw new AssertionError(shared);
        });
    }

    static void pingPong() throws Exception {
        int rounds = 50_000;
        Load load = () -> {
            SynchronousQueue<Integer> there = new SynchronousQueue<>(), back = new SynchronousQueue<>();
            Thread other = Thread.startVirtualThread(() -> {
                try {
                    for (int i = 0; i < rounds; i++) back.put(there.take() + 1);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            Thread first = Thread.startVirtualThread(() -> {
                try {
                    int ball = 0;
                    for (int i = 0; i < rounds; i++) {
                        there.put(ball);
                        ball = back.take();
                    }
                    if (ball != rounds) throw new AssertionError(ball);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            first.join();
            other.join();
        };
        measure("ping-pong", rounds, load);
        measureWarm("ping-pong", rounds, load);
    }

    static void fanOut(int tasks) throws Exception {
        Load load = () -> {
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Integer>> results = new ArrayList<>();
                for (int i = 0; i < tasks; i++) {
                    int number = i;
                    results.add(executor.submit(() -> number));
                }
                long sum = 0;
                for (Future<Integer> result : results) sum += result.get();
                if (sum != (long) tasks * (tasks - 1) / 2) throw new AssertionError(sum);
            }
        };
        measure("fan-out", tasks, load);
        measureWarm("fan-out", tasks, load);
    }

    // Returns the number of kilobytes in a line of a file of /proc/self.
    static long kilobytes(String file, String key) throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self", file))) {
            if (line.startsWith(key)) return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
        throw new AssertionError(key);
    }
    static volatile boolean ends;
    static void parkUntilTheEnd() {
        while (!ends) LockSupport.park();
    }
    static List<Thread> startParked(int threads) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) all.add(Thread.startVirtualThread(VirtualLoads::parkUntilTheEnd));
        for (Thread thread : all) {
            while (thread.getState() != Thread.State.WAITING) Thread.sleep(1);
        }
        return all;
    }
    static void memory(int threads) throws Exception {
        startParked(100);
        System.gc();
        long resident = kilobytes("smaps_rollup", "Rss:"), tables = kilobytes("status", "VmPTE:");
        List<Thread> all = startParked(threads);
        System.gc();
        System.out.println("resident bytes " + (kilobytes("smaps_rollup", "Rss:") - resident) * 1024.0 / all.size());
        System.out.println("page tables " + (kilobytes("status", "VmPTE:") - tables) * 1024.0 / all.size());
    }

    static Object sink;
    // Causes garbage collections. bench/compare reads their pauses from the log after the line "garbage".
    static void pauses(int threads) throws Exception {
        List<Thread> all = startParked(threads);
        System.gc();
        System.gc();
        System.out.println("garbage");
        for (int i = 0; i < 3_000_000; i++) sink = new byte[300];
        if (all.size() != threads) throw new AssertionError();
    }

    static void http() throws Exception {
        int clients = 16, requests = 250;
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        byte[] request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        measure("HTTP requests", (long) clients * requests, () -> {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(Thread.startVirtualThread(() -> {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                        InputStream in = socket.getInputStream();
                        byte[] buffer = new byte[4096];
                        for (int k = 0; k < requests; k++) {
                            socket.getOutputStream().write(request);
                            int length = 0;
                            do {
                                int read = in.read(buffer, length, buffer.length - length);
                                if (read < 0) throw new AssertionError("closed");
                                length += read;
                            } while (!new String(buffer, 0, length, StandardCharsets.US_ASCII).endsWith("hello"));
                        }
                    } catch (Exception e) {
                        e.printStackTrace();
                        System.exit(1);
                    }
                }));
            }
            for (Thread thread : all) thread.join();
        });
        server.stop(0);
    }

    public static void main(String[] arguments) throws Exception {
        int number = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000;
        switch (arguments[0]) {
            case "yield" -> yields();
            case "contended" -> contended(number);
            case "ping-pong" -> pingPong();
            case "fan-out" -> fanOut(number);
            case "memory" -> memory(number);
            case "pauses" -> pauses(number);
            case "http" -> http();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0);
    }
}
