// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs for explore.py, by name: each has a known verdict.
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class Cases {
    static int plain;
    static volatile int ordered, other;
    static int seen, seenToo;
    static final Object lock = new Object(), second = new Object();
    static boolean isReady;

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static void together(Body... bodies) throws Exception {
        var threads = new ArrayList<Thread>();
        for (Body body : bodies) threads.add(thread(body));
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void nothing() {}

    static void lostUpdate() throws Exception {
        Body body = () -> plain++;
        together(body, body);
        assert plain == 2 : "lost " + plain;
    }

    static void lockedUpdate() throws Exception {
        Body body = () -> {
            synchronized (lock) {
                plain++;
            }
        };
        together(body, body);
        assert plain == 2;
    }

    static void atomicUpdate() throws Exception {
        var count = new AtomicInteger();
        Body body = () -> count.incrementAndGet();
        together(body, body);
        assert count.get() == 2;
    }

    // Dekker: in every order of the accesses, at least one thread sees the other's write.
    static void storeBuffer() throws Exception {
        together(() -> {
            ordered = 1;
            seen = other;
        }, () -> {
            other = 1;
            seenToo = ordered;
        });
        System.out.println(seen + " " + seenToo);
    }

    // The write races with the read, although the default schedule executes the write before it first chooses a thread.
    static void raceAfterStart() throws Exception {
        Thread reader = new Thread(() -> seen = plain);
        reader.start();
        plain = 1;
        reader.join();
        System.out.println(seen);
    }

    // The write and the read do not race, because the writer starts the reader after the write.
    static void writeBeforeStart() throws Exception {
        Thread first = new Thread(() -> {}), reader = new Thread(() -> seen = plain);
        first.start();
        plain = 1;
        reader.start();
        first.join();
        reader.join();
        System.out.println(seen);
    }

    static void deadlock() throws Exception {
        together(() -> {
            synchronized (lock) {
                synchronized (second) {
                    plain = 1;
                }
            }
        }, () -> {
            synchronized (second) {
                synchronized (lock) {
                    plain = 2;
                }
            }
        });
    }

    // A thread tests the flag without the lock, so the notification may come before the thread's wait.
    static void lostNotify() throws Exception {
        together(() -> {
            if (!isReady) {
                synchronized (lock) {
                    lock.wait();
                }
            }
        }, () -> {
            synchronized (lock) {
                isReady = true;
                lock.notify();
            }
        });
    }

    static void keptNotify() throws Exception {
        together(() -> {
            synchronized (lock) {
                while (!isReady) lock.wait();
            }
        }, () -> {
            synchronized (lock) {
                isReady = true;
                lock.notify();
            }
        });
    }

    static void park() throws Exception {
        Thread parked = thread(() -> {
            while (!isReady) LockSupport.park();
        });
        parked.start();
        isReady = true;
        LockSupport.unpark(parked);
        parked.join();
    }

    static void queue() throws Exception {
        var queue = new ArrayBlockingQueue<Integer>(1);
        together(() -> {
            queue.put(1);
            queue.put(2);
        }, () -> {
            plain = queue.take() * 10 + queue.take();
        });
        assert plain == 12;
    }

    static void reentrant() throws Exception {
        var guard = new ReentrantLock();
        Body body = () -> {
            guard.lock();
            try {
                plain++;
            } finally {
                guard.unlock();
            }
        };
        together(body, body);
        assert plain == 2;
    }

    // The sleeps take no real time, because the clock of an explored VM is virtual.
    static void sleepLong() throws Exception {
        long begin = System.nanoTime();
        together(() -> Thread.sleep(3_600_000), () -> Thread.sleep(7_200_000));
        assert System.nanoTime() - begin >= 7_200_000_000_000L;
    }

    static void waitByLoop() throws Exception {
        together(() -> {
            while (ordered == 0) Thread.onSpinWait();
        }, () -> ordered = 1);
    }

    static void interrupted() throws Exception {
        Thread sleeper = new Thread(() -> {
            try {
                synchronized (lock) {
                    lock.wait();
                }
                throw new IllegalStateException("woken");
            } catch (InterruptedException expected) {
                plain = 1;
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        assert plain == 1;
    }

    static void process() throws Exception {
        new ProcessBuilder("true").start();
    }

    static void socket() throws Exception {
        new java.net.ServerSocket(0);
    }

    static void file() throws Exception {
        new java.io.FileOutputStream("written-by-explore.txt").close();
    }

    // The queue's classes are initialised during the schedule, each by the thread that is the first to use it.
    static void lostInQueue() throws Exception {
        var queue = new ArrayBlockingQueue<Integer>(2);
        Body body = () -> {
            queue.put(1);
            plain += queue.take();
        };
        together(body, body);
        assert plain == 2 : "lost " + plain;
    }

    // Writes more pages than the engine `pages` can roll back.
    static void manyPages() throws Exception {
        together(() -> {
            plain = 1;
            byte[] megabyte = new byte[1 << 20];
            for (int i = 0; i < 270; i++) megabyte.clone();
        }, () -> plain = 2);
    }

    // Some schedules do not end, and have no operation at which another thread could be chosen.
    static void endless() throws Exception {
        together(() -> {
            if (plain == 1) for (;;) {}
        }, () -> plain = 1);
    }

    static void exitCode() throws Exception {
        together(() -> plain = 1, () -> {
            if (plain == 1) System.exit(7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "nothing" -> nothing();
            case "lostUpdate" -> lostUpdate();
            case "lockedUpdate" -> lockedUpdate();
            case "atomicUpdate" -> atomicUpdate();
            case "storeBuffer" -> storeBuffer();
            case "raceAfterStart" -> raceAfterStart();
            case "writeBeforeStart" -> writeBeforeStart();
            case "deadlock" -> deadlock();
            case "lostNotify" -> lostNotify();
            case "keptNotify" -> keptNotify();
            case "park" -> park();
            case "queue" -> queue();
            case "reentrant" -> reentrant();
            case "sleepLong" -> sleepLong();
            case "waitByLoop" -> waitByLoop();
            case "interrupted" -> interrupted();
            case "process" -> process();
            case "socket" -> socket();
            case "file" -> file();
            case "lostInQueue" -> lostInQueue();
            case "manyPages" -> manyPages();
            case "endless" -> endless();
            case "exitCode" -> exitCode();
        }
    }
}
