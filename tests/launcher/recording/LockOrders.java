// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Two threads acquire two locks in opposite orders, one thread after the other has finished its part. Arguments: the
// kinds of the locks (reentrant, write, monitor); "try": tryLock for the inner one; "guarded": a third lock around both.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LockOrders {
    static void both(Lock outer, Lock inner, boolean tries) {
        outer.lock();
        outer.lock();
        if (tries) {
            if (!inner.tryLock())
                throw new IllegalStateException();
        } else inner.lock();
        inner.unlock();
        outer.unlock();
        outer.unlock();
    }

    static void lockThenMonitor(Lock lock, Object monitor) {
        lock.lock();
        synchronized (monitor) {
            lock.lock();
        }
        lock.unlock();
        lock.unlock();
    }

    static void monitorThenLock(Object monitor, Lock lock) {
        synchronized (monitor) {
            lock.lock();
            lock.unlock();
        }
    }

    static Lock make(String kind) {
        return kind.equals("write") ? new ReentrantReadWriteLock().writeLock() : new ReentrantLock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        String mode = arguments.length > 2 ? arguments[2] : "";
        var first = make(arguments[0]);
        var second = make(arguments[1]);
        var third = new ReentrantLock();
        Object monitor = new Object();
        boolean isMixed = arguments[1].equals("monitor"), tries = mode.equals("try"), isGuarded = mode.equals("guarded");
        CountDownLatch leftDone = new CountDownLatch(1), rightDone = new CountDownLatch(1);
        Thread left = new Thread(() -> {
            if (isGuarded) third.lock();
            if (isMixed) lockThenMonitor(first, monitor);
            else both(first, second, tries);
            if (isGuarded) third.unlock();
            leftDone.countDown();
            await(rightDone);
        }, "left");
        Thread right = new Thread(() -> {
            await(leftDone);
            if (isGuarded) third.lock();
            if (isMixed) monitorThenLock(monitor, first);
            else both(second, first, tries);
            if (isGuarded) third.unlock();
            rightDone.countDown();
        }, "right");
        left.start();
        right.start();
        left.join();
        right.join();
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
