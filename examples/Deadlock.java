// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads, two locks, opposite orders. The program itself notices and ends.
//
// While it waits (three seconds; more with an argument), send it SIGQUIT (kill -QUIT or Ctrl-\): the thread dump names
// the deadlock. With -XX:+DetectDeadlocks the VM names it at exit.
// Run: ./keyhole -XX:+DetectDeadlocks examples/Deadlock.java [seconds]

import java.util.concurrent.CountDownLatch;

public class Deadlock {
    static final Object left = new Object();
    static final Object right = new Object();

    static Thread locker(String name, Object first, Object second, CountDownLatch bothHoldOne) {
        Thread thread = new Thread(() -> {
            synchronized (first) {
                bothHoldOne.countDown();
                try {
                    bothHoldOne.await();
                } catch (InterruptedException stop) {
                    return;
                }
                synchronized (second) {
                    System.out.println(name + " got both locks");
                }
            }
        }, name);
        thread.setDaemon(true);   // so that the VM can end
        return thread;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        CountDownLatch bothHoldOne = new CountDownLatch(2);
        Thread one = locker("left-then-right", left, right, bothHoldOne);
        Thread two = locker("right-then-left", right, left, bothHoldOne);
        one.start();
        two.start();
        while (one.getState() != Thread.State.BLOCKED || two.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        one.join(seconds * 1000L);
        System.out.println(one.getName() + " is " + one.getState());
        System.out.println(two.getName() + " is " + two.getState());
    }
}
