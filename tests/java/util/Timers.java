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
        // Times of one clock, and nothing runs before all are scheduled: how long this thread takes for that does not matter.
        CountDownLatch scheduled = new CountDownLatch(1);
        timer.schedule(task(() -> { try { scheduled.await(); } catch (InterruptedException e) { System.out.println(e); } }), 0);
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
        // Of a timer with nothing due: when a thread gets round to throwing out what was cancelled is its own affair.
        Timer idle = new Timer(true);
        TimerTask far = task(() -> {});
        idle.schedule(far, 1_000_000);
        System.out.println(far.cancel() + " " + idle.purge() + " " + idle.purge());
        idle.cancel();
        try {
            timer.schedule(task(() -> {}), 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
