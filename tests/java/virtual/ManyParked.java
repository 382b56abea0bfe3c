// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads lock, sleep and count; all are asleep at the same time. The memory of each thread, page tables
// included, must be at most a hundred thousandth of 2 GiB. With a second argument, the program prints this memory. The
// verifier would visit all threads at each collection, so the program is not run under stress.
// since: 25
// args: 20000
// jvm: -Xmx256m
// stress: no
// expected: 40000
// expected: within the share: true
import java.nio.file.*;
import java.util.concurrent.*;

public class ManyParked {
    static int count;
    static final Object lock = new Object();

    static long kilobytes(String... names) throws Exception {
        long sum = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            for (String name : names) {
                if (line.startsWith(name + ":")) sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return sum;
    }
    public static void main(String[] arguments) throws Exception {
        int n = Integer.parseInt(arguments[0]);
        CountDownLatch asleep = new CountDownLatch(n), done = new CountDownLatch(n);
        Thread.ofVirtual().start(() -> {}).join();
        long resident = kilobytes("VmRSS"), tables = kilobytes("VmPTE");
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) {
            all[i] = Thread.ofVirtual().start(() -> {
                synchronized (lock) {
                    count++;
                }
                asleep.countDown();
                try {
                    Thread.sleep(1_000_000);
                } catch (InterruptedException e) {
                    synchronized (lock) {
                        count++;
                    }
                }
                done.countDown();
            });
        }
        asleep.await();
        for (Thread thread : all) while (thread.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
        resident = kilobytes("VmRSS") - resident;
        tables = kilobytes("VmPTE") - tables;
        for (Thread thread : all) thread.interrupt();
        done.await();
        System.out.println(count);
        System.out.println("within the share: " + ((resident + tables) * 100_000 < 2L * 1024 * 1024 * n));
        if (arguments.length > 1)
            System.out.println(resident * 1024 / n + " bytes resident, " + tables * 1024 / n + " of page tables each");
    }
}
