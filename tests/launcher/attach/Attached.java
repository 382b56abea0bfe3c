// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that the tools of attach.py inspect: one thread holds a monitor, another a ReentrantLock, and both park.
// The heap has a million bytes of arrays. Prints "ready", and ends at the end of its input.
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class Attached {
    static final byte[][] kept = new byte[1000][1000];
    static final ReentrantLock lock = new ReentrantLock();
    static final Object monitor = new Object();
    static volatile boolean holding, locking;

    static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] arguments) throws Exception {
        start("holder", () -> {
            synchronized (monitor) {
                holding = true;
                for (;;) LockSupport.park(monitor);
            }
        });
        start("locker", () -> {
            lock.lock();
            locking = true;
            for (;;) LockSupport.park();
        });
        while (!holding || !locking) Thread.sleep(1);
        System.out.println("ready");
        while (System.in.read() >= 0) { }
        System.out.println("end");
    }
}
