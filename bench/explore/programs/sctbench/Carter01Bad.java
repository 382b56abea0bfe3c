// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One group waits for the resource while it holds the lock that the other group needs to give the resource back.
import java.util.concurrent.locks.ReentrantLock;

public class Carter01Bad {
    final ReentrantLock counters = new ReentrantLock(), resource = new ReentrantLock();
    int first, second;

    void useAsFirst() {
        counters.lock();
        if (++first == 1) resource.lock();
        counters.unlock();
        counters.lock(); // the work was done here
        if (--first == 0) resource.unlock();
        counters.unlock();
    }

    void useAsSecond() {
        counters.lock();
        if (++second == 1) resource.lock();
        counters.unlock();
        counters.lock();
        if (--second == 0) resource.unlock();
        counters.unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Carter01Bad groups = new Carter01Bad();
        Runnable nothing = () -> {};
        Thread[] threads = {
            new Thread(groups::useAsFirst), new Thread(groups::useAsSecond), new Thread(nothing), new Thread(nothing)
        };
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
