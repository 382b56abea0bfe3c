// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread pools, futures, callables, invokeAll, exceptions, shutdown.
import java.util.*;
import java.util.concurrent.*;

public class Executors1 {
    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(4);
        List<Future<Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int k = i;
            fs.add(ex.submit(() -> k * k));
        }
        int s = 0;
        for (Future<Integer> f : fs) s += f.get();
        System.out.println(s);
        Future<?> bad =
                ex.submit(
                        () -> {
                            throw new IllegalStateException("task");
                        });
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " | " + e.getCause());
        }
        System.out.println(
                ex.invokeAll(List.of(() -> 1, () -> 2)).size()
                        + " "
                        + ex.invokeAny(List.of(() -> "x")));
        Future<?> slow =
                ex.submit(
                        () -> {
                            try {
                                Thread.sleep(1_000_000);   // sleeps until it is interrupted
                            } catch (InterruptedException e) {
                            }
                        });
        try {
            slow.get(20, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout");
        }
        System.out.println(slow.cancel(true) + " " + slow.isCancelled());
        ex.shutdown();
        System.out.println(ex.awaitTermination(10, TimeUnit.MINUTES) + " " + ex.isTerminated());
        try {
            ex.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ScheduledExecutorService sch = Executors.newScheduledThreadPool(1);
        CountDownLatch l = new CountDownLatch(3);
        sch.scheduleAtFixedRate(l::countDown, 1, 2, TimeUnit.MILLISECONDS);
        System.out.println(
                l.await(10, TimeUnit.MINUTES)
                        + " "
                        + sch.schedule(() -> "later", 5, TimeUnit.MILLISECONDS).get());
        sch.shutdownNow();
        ExecutorService single = Executors.newSingleThreadExecutor();
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < 10; i++) {
            int k = i;
            single.execute(() -> order.append(k));
        }
        single.shutdown();
        single.awaitTermination(10, TimeUnit.MINUTES);
        System.out.println(order);
        ExecutorService cached =
                Executors.newCachedThreadPool(
                        r -> {
                            Thread t = new Thread(r);
                            t.setDaemon(true);
                            return t;
                        });
        System.out.println(cached.submit(() -> Thread.currentThread().isDaemon()).get());
    }
}
