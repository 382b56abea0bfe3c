// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// A server with a virtual thread per request. All requests write one log, under a lock, slowly.
// Run: ./keyhole --look examples/findings/VirtualServer.java
// Needs a library with virtual threads: ./keyhole --library 25 --look examples/findings/VirtualServer.java

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

public class VirtualServer {
    static final ReentrantLock log = new ReentrantLock();
    static int lines;

    static void handle(int request) {
        try {
            Thread.sleep(5);   // asks another server
            log.lock();
            try {
                Thread.sleep(2);   // writes to a slow disk
                lines++;
            } finally {
                log.unlock();
            }
        } catch (InterruptedException stop) {
            return;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<Thread> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int request = i;
            requests.add(Thread.ofVirtual().name("request " + request).start(() -> handle(request)));
        }
        for (Thread each : requests) each.join();
        System.out.println("logged " + lines);
    }
}
