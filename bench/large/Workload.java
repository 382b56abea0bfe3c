// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The base class of the large workloads. It runs iterations one after the other, and prints the time and digest of
// each. At the end it prints the processor time of compiler threads and of collector threads.
//
// Usage of each workload: <VM> -cp <classes and jars> <Workload> [iterations]
// Output: "iteration <wall ns> <CPU ns> <digest>" for each, then "compilers <CPU ns>" and "collectors <CPU ns>".
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

public abstract class Workload {
    // Linux reports processor time in hundredths of a second
    private static final long NANOSECONDS_PER_TICK = 10_000_000;
    // indices of fields of /proc/*/stat, counted after the name
    private static final int USER_TICKS = 11, SYSTEM_TICKS = 12;

    /** Does one iteration; each iteration does the same work. Returns a digest of the results, which must always be the
     * same. */
    protected abstract long iteration() throws Exception;

    /** Releases resources. Called once, after the last iteration. */
    protected void close() throws Exception {}

    public final void run(String[] arguments) throws Exception {
        int iterations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        for (int i = 0; i < iterations; i++) {
            long cpu = ticks(Path.of("/proc/self/stat")), start = System.nanoTime();
            long digest = iteration();
            long nanoseconds = System.nanoTime() - start;
            cpu = ticks(Path.of("/proc/self/stat")) - cpu;
            System.out.println("iteration " + nanoseconds + " " + cpu * NANOSECONDS_PER_TICK + " "
                    + Long.toHexString(digest));
        }
        System.out.println("compilers " + ticksOfThreads("C1 ", "C2 ") * NANOSECONDS_PER_TICK);
        System.out.println("collectors " + ticksOfThreads("GC ", "G1 ", "ParGC", "VM Thread") * NANOSECONDS_PER_TICK);
        close();
    }

    /** Mixes a value into a digest. The order of values matters. */
    public static long mixed(long digest, long value) {
        digest = (digest ^ value) * 0x9E3779B97F4A7C15L;
        return digest ^ (digest >>> 29);
    }

    public static long mixed(long digest, CharSequence text) {
        for (int i = 0; i < text.length(); i++) digest = digest * 31 + text.charAt(i);
        return mixed(digest, text.length());
    }

    /** A task that may throw any exception. */
    protected interface Task {
        void run(int number) throws Exception;
    }

    /** Runs the task in `threads` threads, each with its number, and waits for them. Any exception fails the workload.
     * */
    public static void inThreads(int threads, Task task) throws Exception {
        Throwable[] failures = new Throwable[threads];
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int number = i;
            all[i] = new Thread(() -> {
                try {
                    task.run(number);
                } catch (Throwable failure) {
                    failures[number] = failure;
                }
            });
            all[i].start();
        }
        for (Thread each : all) each.join();
        for (Throwable failure : failures)
            if (failure != null) throw new IllegalStateException(failure);
    }

    private static long ticks(Path stat) throws IOException {
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    }

    private static long ticksOfThreads(String... prefixes) throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                String name;
                try {
                    name = Files.readString(thread.resolve("comm"));
                    for (String prefix : prefixes)
                        if (name.startsWith(prefix)) sum += ticks(thread.resolve("stat"));
                } catch (IOException ended) {
                    continue;
                }
            }
        }
        return sum;
    }
}
