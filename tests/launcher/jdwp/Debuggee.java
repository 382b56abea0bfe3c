// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that Facts.java debugs: threads that stand still in known places.
import java.util.concurrent.CountDownLatch;

public class Debuggee {
    interface Named { String NAME = "constant"; }

    static class Base { protected long inherited = 1L << 40; }

    static class Item extends Base implements Named {
        static int made = 7;
        static final double RATIO = 2.5;
        int number;
        boolean flag = true;
        char letter = 'x';
        byte small = -3;
        short shorter = -300;
        float fraction = 0.5f;
        double wide = -1e100;
        String text;
        Item next;
        int[] numbers = {3, 1, 4};
        String[][] texts = {{"a", null}, {}};

        Item(int number, String text) { this.number = number; this.text = text; }

        synchronized int hold(int depth, long wide, String word) throws InterruptedException {
            int local = depth * 2;
            double real = wide / 2.0;
            int[] array = {depth};
            Item self = this;
            if (depth == 0) {
                ready.countDown();
                synchronized (lock) { lock.wait(); }
            } else {
                hold(depth - 1, wide + 1, word + depth);
            }
            return local + array.length + self.number + (int) real + word.length();
        }
    }

    static final Object lock = new Object();
    static final CountDownLatch ready = new CountDownLatch(3);
    static final Throwable toThrow = new IllegalStateException("the debugger");
    static volatile boolean goOn;
    static volatile long turns;

    static void spin() {
        ready.countDown();
        while (!goOn) turns++;
        System.out.println("spun");
    }

    static void stopped() {
        ready.countDown();
        try {
            for (;;) turns++;
        } catch (IllegalStateException e) {
            System.out.println("stopped by " + e.getMessage());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Item item = new Item(42, "h\u00e9llo \ud83d\ude00");
        item.next = new Item(43, null);
        Thread holder = new Thread(new ThreadGroup("mine"), () -> {
            try {
                System.out.println("held " + item.hold(2, 10, "w"));
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }, "holder");
        Thread spinner = new Thread(Debuggee::spin, "spinner");
        Thread victim = new Thread(Debuggee::stopped, "victim");
        holder.start();
        spinner.start();
        victim.start();
        ready.await();
        while (holder.getState() != Thread.State.WAITING) Thread.sleep(1);
        new Marker();   // the debugger waits until this class is loaded
        spinner.join();
        victim.join();
        holder.join();
        System.out.println("number " + item.number + " " + item.text + " " + item.numbers[1] + " " + item.flag + " "
                + Item.made + " " + (item.next == null));
        System.exit(3);
    }
}

class Marker { }
