// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread groups: names, priorities, enumeration, daemon groups, interrupting all.
public class Groups {
    // Removes the thread's id, printed from library 21 on. Each VM also numbers internal threads, so ids differ.
    static String text(Thread thread) { return thread.toString().replaceAll("#[0-9]+,", ""); }

    public static void main(String[] args) throws Exception {
        ThreadGroup g = new ThreadGroup("g"), h = new ThreadGroup(g, "h");
        g.setMaxPriority(3);
        Thread t = new Thread(h, () -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException e) {
                System.out.println("interrupted " + text(Thread.currentThread()));
            }
        }, "t");
        System.out.println(t.getPriority() + " " + h.getMaxPriority() + " " + g.activeCount() + " " + h.getParent()
                + " " + g.parentOf(h));
        t.start();
        System.out.println(g.activeCount() + " " + g.activeGroupCount() + " " + g.enumerate(new Thread[5]) + " "
                + g.enumerate(new ThreadGroup[5]) + " " + text(Thread.currentThread()));
        g.interrupt();
        t.join();
        System.out.println(t.getThreadGroup() + " " + g.activeCount() + " " + text(t));
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
        try {
            t.setPriority(11);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        try {
            Thread.currentThread().setDaemon(true);
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
        Thread named = new Thread();
        named.setName("renamed");
        System.out.println(named.getName() + " " + new Thread("x").isDaemon() + " " + Thread.holdsLock(named));
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Thread((String) null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
