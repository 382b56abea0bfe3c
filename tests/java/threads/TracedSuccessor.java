// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK suspends an unmounted virtual thread while another thread reads its stack. Meanwhile the thread may be chosen
// as successor, be notified, time out or be interrupted, and must not be forgotten. Here a lock passes through virtual
// and platform threads whose stacks are read all the time.
// since: 25
// jvm: -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.util.ArrayList;
import java.util.List;

public class TracedSuccessor {
    static final int threads = 6, rounds = 100;
    static int visits, turn, wakes;
    static volatile boolean ends;

    interface Body {
        void run(int number) throws InterruptedException;
    }
    static void check(String what, Body body) throws InterruptedException {
        ends = false;
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Runnable task = () -> {
                try {
                    body.run(number);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            };
            all.add(i % 3 == 2 ? new Thread(task) : Thread.ofVirtual().unstarted(task));
        }
        Thread reader = new Thread(() -> {
            while (!ends) {
                for (Thread thread : all) {
                    for (StackTraceElement frame : thread.getStackTrace()) {
                        if (frame.getMethodName().isEmpty()) System.out.println("a frame without a name");
                    }
                }
            }
        });
        for (Thread thread : all) thread.start();
        reader.start();
        for (Thread thread : all) thread.join();
        ends = true;
        reader.join();
        System.out.println(what);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Object lock = new Object();
        check("entered", number -> {
            for (int i = 0; i < rounds; i++) {
                synchronized (lock) {
                    visits++;
                    if (i % 8 == number) Thread.yield();
                }
            }
        });
        System.out.println(visits);
        check("notified", number -> {
            for (int i = 0; i < rounds / 4; i++) {
                synchronized (lock) {
                    while (turn % threads != number) lock.wait();
                    turn++;
                    lock.notifyAll();
                }
            }
        });
        System.out.println(turn);
        check("timed out", number -> {
            for (int i = 0; i < rounds / 10; i++) {
                synchronized (lock) {
                    lock.wait(1);
                    wakes++;
                }
            }
        });
        System.out.println(wakes);
        check("interrupted", number -> {
            Thread self = Thread.currentThread();
            for (int i = 0; i < rounds / 10; i++) {
                Thread helper = Thread.ofVirtual().unstarted(self::interrupt);
                synchronized (lock) {
                    helper.start();
                    try {
                        lock.wait();
                        System.out.println("not interrupted");
                    } catch (InterruptedException e) {
                        wakes++;
                    }
                }
                helper.join();
            }
        });
        System.out.println(wakes);
    }
}
