// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ReentrantLock, conditions, read-write locks, StampedLock, Semaphore, LockSupport.
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Locks {
    static int n, fairly;   // the lock `lock` guards n, and the fair lock `fair` guards `fairly`

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock(), fair = new ReentrantLock(true);
        Condition c = lock.newCondition();
        Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                for (int k = 0; k < 3000; k++) {
                                    lock.lock();
                                    try {
                                        n++;
                                    } finally {
                                        lock.unlock();
                                    }
                                    if (k % 10 == 0) {
                                        fair.lock();
                                        try {
                                            fairly++;
                                        } finally {
                                            fair.unlock();
                                        }
                                    }
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(
                n + " " + fairly + " " + lock.isLocked() + " " + lock.tryLock() + " " + lock.getHoldCount());
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("imse");
        }
        boolean[] flag = {false};
        Thread w =
                new Thread(
                        () -> {
                            lock.lock();
                            try {
                                while (!flag[0]) c.awaitUninterruptibly();
                                System.out.println("signalled");
                            } finally {
                                lock.unlock();
                            }
                        });
        w.start();
        Thread.sleep(10);
        lock.lock();
        flag[0] = true;
        c.signalAll();
        lock.unlock();
        w.join();
        lock.lock();
        System.out.println(c.await(5, TimeUnit.MILLISECONDS));
        lock.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock();
        System.out.println(rw.writeLock().tryLock() + " " + rw.getReadLockCount());
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.isWriteLocked() + " " + rw.getReadLockCount());
        rw.readLock().unlock();
        StampedLock sl = new StampedLock();
        long st = sl.tryOptimisticRead();
        System.out.println(sl.validate(st));
        long ws = sl.writeLock();
        System.out.println(sl.validate(st) + " " + sl.isWriteLocked());
        sl.unlockWrite(ws);
        Semaphore s = new Semaphore(2);
        s.acquire();
        System.out.println(s.tryAcquire(2) + " " + s.availablePermits());
        s.release();
        Thread p =
                new Thread(
                        () -> {
                            LockSupport.park();
                            LockSupport.parkNanos(1000);
                            System.out.println("unparked");
                        });
        p.start();
        LockSupport.unpark(p);
        p.join();
    }
}
