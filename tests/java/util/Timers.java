// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.Timer: order of tasks, repetition, cancellation.
import java.util.Date;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class Timers {
    static TimerTask task(Runnable r) {
        return new TimerTask() { public void run() { r.run(); } };
    }
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer("t", true);
        CountDownLatch done = new CountDownLatch(1), three = new CountDownLatch(3);
        StringBuffer order = new StringBuffer();
        // All due times come from one clock, and no task runs before all tasks are scheduled. So the order of the tasks
        // does not depend on the time that scheduling takes.
        CountDownLatch scheduled = new CountDownLatch(1);
        timer.schedule(task(() -> {
            try {
                scheduled.await();
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        }),
                0);
        long now = System.currentTimeMillis();
        timer.schedule(task(() -> { order.append("late "); done.countDown(); }), new Date(now + 120));
        timer.schedule(task(() -> order.append("early ")), new Date(now + 20));
        TimerTask never = task(() -> order.append("never "));
        timer.schedule(never, new Date(now + 60));
        System.out.println(never.cancel() + " " + never.cancel());
        scheduled.countDown();
        done.await();
        System.out.println(order);
        TimerTask[] repeating = new TimerTask[1];
        repeating[0] = task(() -> { three.countDown(); if (three.getCount() == 0) repeating[0].cancel(); });
        timer.scheduleAtFixedRate(repeating[0], 1, 2);
        three.await();
        System.out.println(three.getCount());
        timer.cancel();
        // purge() counts the cancelled tasks that it removes. The timer's thread removes cancelled tasks, too, so a
        // running task keeps this thread busy until purge() has been called.
        Timer busy = new Timer(true);
        CountDownLatch running = new CountDownLatch(1), purged = new CountDownLatch(1);
        busy.schedule(task(() -> {
            running.countDown();
            try { purged.await(); } catch (InterruptedException e) { System.out.println(e); }
        }), 0);
        running.await();
        TimerTask far = task(() -> {});
        busy.schedule(far, 1_000_000);
        System.out.println(far.cancel() + " " + busy.purge() + " " + busy.purge());
        purged.countDown();
        busy.cancel();
        try {
            timer.schedule(task(() -> {}), 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
