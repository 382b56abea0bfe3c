// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ScheduledThreadPoolExecutor and invokeAny/invokeAll: order, cancellation, rejected tasks, saturation policies.
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class Scheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
        StringBuffer order = new StringBuffer();
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> a, b;
        ScheduledFuture<String> c;
        boolean inTime;
        do {   // tries again if this thread was so slow that b may have been due before a
            CountDownLatch scheduled = new CountDownLatch(1);
            s.execute(() -> { try { scheduled.await(); } catch (InterruptedException e) { System.out.println(e); } });
            order.setLength(0);
            long begin = System.nanoTime();
            b = s.schedule(() -> order.append("b"), 400, TimeUnit.MILLISECONDS);
            c = s.schedule(() -> { order.append("c"); return "value"; }, 800, TimeUnit.MILLISECONDS);
            a = s.schedule(() -> order.append("a"), 0, TimeUnit.MILLISECONDS);
            inTime = System.nanoTime() - begin < 300_000_000;
            for (ScheduledFuture<?> each : List.of(a, b, c)) if (!inTime) each.cancel(false);
            scheduled.countDown();
        } while (!inTime);
        System.out.println(c.get() + " " + order + " " + c.isDone());
        ScheduledFuture<?> f = s.scheduleAtFixedRate(ticks::countDown, 0, 1, TimeUnit.MILLISECONDS);
        ticks.await();
        System.out.println(f.cancel(false) + " " + f.isCancelled());
        ScheduledFuture<?> bad = s.scheduleWithFixedDelay(
                () -> { throw new IllegalStateException("stops"); }, 0, 1, TimeUnit.MILLISECONDS);
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
        s.shutdownNow();   // the result is not printed: the number of waiting tasks depends on the delay so far
        System.out.println(s.awaitTermination(10, TimeUnit.MINUTES));
        try {
            s.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ThreadPoolExecutor p = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        CountDownLatch hold = new CountDownLatch(1);
        p.execute(() -> { try { hold.await(); } catch (InterruptedException e) { } });
        p.execute(() -> {});
        p.execute(() -> System.out.println(Thread.currentThread().getName()));
        hold.countDown();
        p.shutdown();
        p.awaitTermination(10, TimeUnit.MINUTES);
        System.out.println(p.getCompletedTaskCount() + " " + p.getLargestPoolSize());
        ExecutorService e = Executors.newCachedThreadPool();
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> { throw new Exception("third"); });
        System.out.println(e.invokeAll(tasks)
                                   .stream()
                                   .map(x -> {
                                       try {
                                           return x.get().toString();
                                       } catch (Exception y) {
                                           return y.getCause().getMessage();
                                       }
                                   })
                                   .toList()
                + " " + (e.invokeAny(tasks) < 3));
        e.shutdown();
    }
}
