// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads acquire a ReentrantLock 20 times each, and hold it for 2 ms each time.
import java.util.concurrent.locks.ReentrantLock;

public class Reentrant {
    static final ReentrantLock LOCK = new ReentrantLock(true);
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20; i++) {
                    LOCK.lock();
                    try {
                        count++;
                        Thread.sleep(2);
                    } catch (InterruptedException impossible) {
                        throw new AssertionError(impossible);
                    } finally {
                        LOCK.unlock();
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println("count " + count);
    }
}
