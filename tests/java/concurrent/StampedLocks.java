// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StampedLock, ReentrantReadWriteLock and Conditions: modes, upgrades, and the errors of threads that do not hold them.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

public class StampedLocks {
    public static void main(String[] args) throws Exception {
        StampedLock s = new StampedLock();
        long o = s.tryOptimisticRead();
        System.out.println(s.validate(o));
        long w = s.writeLock();
        System.out.println(s.validate(o) + " " + s.tryReadLock() + " " + s.isWriteLocked());
        long r = s.tryConvertToReadLock(w);
        System.out.println(s.isReadLocked() + " " + s.getReadLockCount() + " " + (s.tryConvertToWriteLock(r) != 0));
        s.tryUnlockWrite();
        try {
            s.unlockRead(r);
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held");
        }
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock(true);
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.getReadHoldCount() + " " + rw.isFair() + " " + rw.writeLock().tryLock() + " "
                + rw.toString().replaceAll("@[0-9a-f]+", "@"));
        ReentrantLock lock = new ReentrantLock();
        Condition c = lock.newCondition();
        try {
            c.signal();
        } catch (IllegalMonitorStateException e) {
            System.out.println("signal without lock");
        }
        lock.lock();
        lock.lock();
        System.out.println(c.await(1, TimeUnit.MILLISECONDS) + " " + lock.getHoldCount() + " "
                + (c.awaitNanos(1000) <= 0) + " " + lock.hasWaiters(c));
        lock.unlock();
        lock.unlock();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        Thread.currentThread().interrupt();
        LockSupport.park("blocker");
        System.out.println(
                Thread.interrupted() + " " + lock.tryLock(1, TimeUnit.SECONDS) + " " + lock.isHeldByCurrentThread());
    }
}
