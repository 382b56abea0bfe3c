// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread.getState over a thread's life; names, ids, daemon, priority, groups.
// virtual: no
public class States {
    // Removes the thread's id, printed from library 21 on. Each VM also numbers internal threads, so ids differ.
    static String text(Thread thread) { return thread.toString().replaceAll("#[0-9]+,", ""); }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                try {
                                    lock.wait();
                                } catch (InterruptedException e) {
                                }
                            }
                        },
                        "worker-one");
        System.out.println(
                t.getState()
                        + " "
                        + t.isAlive()
                        + " "
                        + t.isDaemon()
                        + " "
                        + t.getName()
                        + " "
                        + t.getPriority()
                        + " "
                        + t.getThreadGroup().getName());
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.yield();
            System.out.println(t.getState());
        }
        while (t.getState() != Thread.State.WAITING) Thread.yield();
        System.out.println(t.getState() + " " + t.isAlive());
        synchronized (lock) {
            lock.notify();
        }
        t.join();
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getThreadGroup());
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("cannot restart " + e.getMessage());
        }
        Thread d = new Thread(() -> {});
        d.setDaemon(true);
        d.setPriority(10);
        d.setName("dd");
        System.out.println(
                d.isDaemon()
                        + " "
                        + text(d)
                        + " "
                        + text(Thread.currentThread())
                        + " "
                        + Thread.currentThread().getThreadGroup().getParent().getName());
        try {
            d.setPriority(11);
        } catch (IllegalArgumentException e) {
            System.out.println("iae");
        }
        Thread x =
                new Thread(
                        new ThreadGroup("grp"), () -> System.out.println(text(Thread.currentThread())));
        x.setName("in-group");
        x.start();
        x.join();
        System.out.println(
                Thread.currentThread().getId()
                        + " "
                        + new Thread().getName().startsWith("Thread-"));
        Thread daemon =
                new Thread(
                        () -> {
                            while (true) Thread.onSpinWait();
                        });
        daemon.setDaemon(true);
        daemon.start();
    }
}
