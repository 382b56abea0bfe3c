// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Two clerks transfer money between two accounts, in opposite directions, with synchronized.
// Run: ./keyhole --look examples/findings/MonitorDeadlock.java

import java.util.concurrent.CountDownLatch;

public class MonitorDeadlock {
    static class Account {
        int balance = 100;
    }

    static final CountDownLatch bothHoldOne = new CountDownLatch(2);

    static void transfer(Account from, Account to) {
        synchronized (from) {
            bothHoldOne.countDown();
            try {
                bothHoldOne.await();
            } catch (InterruptedException stop) {
                return;
            }
            synchronized (to) {
                from.balance--;
                to.balance++;
            }
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
