// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures a contended lock with platform or virtual threads: `VirtualLocks platform|virtual THREADS SECONDS`. Each
// thread works as long inside the lock as outside. Prints figures of the second half of the time: operations in a
// second, Jain's index of the threads' shares, the median of nanoseconds from an exit to another thread's enter, and
// the share of two processors that was not used.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class VirtualLocks {
    static final int work = 200;   // steps inside the lock, and as many outside; each part takes some hundred ns
    static final Object lock = new Object();
    static volatile boolean ends;

    // Under the lock.
    static long state = 88172645463325252L, exitedAt;
    static int lastOwner = -1;
    // histogram of hand-over times: sixteen buckets for each power of two of nanoseconds
    static final long[] handOvers = new long[64 * 16];

    static long steps(long state, int count) {
        for (int i = 0; i < count; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }
    static int place(long nanoseconds) {
        int power = 63 - Long.numberOfLeadingZeros(nanoseconds | 16);
        return power * 16 + (int) (nanoseconds >>> power - 4 & 15);
    }
    static long nanosecondsAt(int place) {
        return (16L + place % 16) << place / 16 - 4;
    }

    static void run(int number, long[] visits) {
        long own = number + 1;
        while (!ends) {
            synchronized (lock) {
                long now = System.nanoTime();
                if (lastOwner != number && lastOwner >= 0) handOvers[place(Math.max(0, now - exitedAt))]++;
                lastOwner = number;
                state = steps(state, work);
                visits[number * 16]++;
                exitedAt = System.nanoTime();
            }
            own = steps(own, work);
        }
        if (own == 0) System.out.println(own);
    }

    // Processor time of all threads, in ticks of a hundredth of a second.
    static long processorTicks() throws Exception {
        String line = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    public static void main(String[] arguments) throws Exception {
        boolean isVirtual = arguments[0].equals("virtual");
        int threads = Integer.parseInt(arguments[1]);
        long milliseconds = (long) (Double.parseDouble(arguments[2]) * 500);
        long[] visits = new long[threads * 16], before = new long[threads];
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Runnable body = () -> run(number, visits);
            all.add(isVirtual ? Thread.ofVirtual().unstarted(body) : new Thread(body));
        }
        processorTicks();
        for (Thread thread : all) thread.start();
        Thread.sleep(milliseconds);
        for (int i = 0; i < threads; i++) before[i] = visits[i * 16];
        long ticks = processorTicks(), begin = System.nanoTime();
        synchronized (lock) {
            java.util.Arrays.fill(handOvers, 0);
        }
        Thread.sleep(milliseconds);
        double used = (processorTicks() - ticks) * 1e7, elapsed = System.nanoTime() - begin, sum = 0, squares = 0;
        for (int i = 0; i < threads; i++) {
            double share = visits[i * 16] - before[i];
            sum += share;
            squares += share * share;
        }
        ends = true;
        for (Thread thread : all) thread.join();
        long count = 0, half = 0;
        for (long each : handOvers) count += each;
        int median = 0;
        while (median < handOvers.length - 1 && (half += handOvers[median]) * 2 < count) median++;
        System.out.println("throughput " + sum * 1e9 / elapsed);
        System.out.println("jain " + (squares == 0 ? 0 : sum * sum / (threads * squares)));
        System.out.println("hand-over " + (count == 0 ? 0 : nanosecondsAt(median)));
        System.out.println("idle " + Math.max(0, 1 - used / (2 * elapsed)));
    }
}
