// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// The same transfers as in MonitorDeadlock.java, with locks of java.util.concurrent.
// Run: ./keyhole --look examples/findings/LockDeadlock.java

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

public class LockDeadlock {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance = 100;
    }

    static final CountDownLatch bothHoldOne = new CountDownLatch(2);

    static void transfer(Account from, Account to) {
        from.lock.lock();
        try {
            bothHoldOne.countDown();
            bothHoldOne.await();
            to.lock.lock();
            try {
                from.balance--;
                to.balance++;
            } finally {
                to.lock.unlock();
            }
        } catch (InterruptedException stop) {
            return;
        } finally {
            from.lock.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account savings = new Account(), current = new Account();
        Thread alice = new Thread(() -> transfer(savings, current), "alice");
        Thread bob = new Thread(() -> transfer(current, savings), "bob");
        alice.setDaemon(true);   // so that the VM can end
        bob.setDaemon(true);
        alice.start();
        bob.start();
        alice.join(500);
        System.out.println("alice is " + alice.getState() + ", bob is " + bob.getState());
    }
}
