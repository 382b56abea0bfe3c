// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Locks that belong to the OS thread pin their holders, and the log says so: a holder that sleeps in synchronized, and
// one that waits for another lock. Without a lock, the log is empty.
// since: 25
// jvm: -XX:LockingMode=pthread -Xlog:virtualthread+pinned:file=pinned.log:none
// expected: free: 0
// expected: asleep: [Thread N is pinned to carrier N: LockSupport.park, holds or enters a monitor of the platform]
// expected: waiting: [Thread N is pinned to carrier N: Object.wait, holds or enters a monitor of the platform]
import java.nio.file.*;
import java.util.*;

public class PinnedByPlatformLocks {
    static int read;
    static List<String> news() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("pinned.log"));
        List<String> fresh = new ArrayList<>();
        for (String line : lines.subList(read, lines.size())) fresh.add(line.replaceAll("[0-9]+", "N"));
        read = lines.size();
        return fresh;
    }
    static void run(Runnable body) throws Exception {
        Thread.ofVirtual().start(body).join();
    }
    static void sleep() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new Error(e);
        }
    }
    public static void main(String[] arguments) throws Exception {
        run(PinnedByPlatformLocks::sleep);
        System.out.println("free: " + news().size());
        Object lock = new Object();
        run(() -> {
            synchronized (lock) {
                sleep();
            }
        });
        System.out.println("asleep: " + news());
        run(() -> {
            synchronized (lock) {
                synchronized (new Object()) {
                    try {
                        lock.wait(5);
                    } catch (InterruptedException e) {
                        throw new Error(e);
                    }
                }
            }
        });
        System.out.println("waiting: " + news());
    }
}
