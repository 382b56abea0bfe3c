// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ExecutorService.close waits for its tasks; an interrupt while it waits makes it stop them; ForkJoinPool.commonPool is
// not closed.
// since: 21
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

public class ExecutorClose {
    public static void main(String[] arguments) throws Exception {
        StringBuffer log = new StringBuffer();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 4; i++) pool.execute(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep(5);   // close must wait for it
                } catch (InterruptedException e) {
                    log.append('!');
                }
                log.append('x');
            });
        }
        System.out.println(log);
        CountDownLatch begun = new CountDownLatch(1);
        Thread closer = new Thread(() -> {
            ExecutorService pool = Executors.newSingleThreadExecutor();
            pool.execute(() -> {
                begun.countDown();
                try {
                    Thread.sleep(100_000);   // close() interrupts this sleep when close() itself is interrupted
                } catch (InterruptedException e) {
                    log.append("stopped");
                }
            });
            pool.close();
            log.append(pool.isTerminated()).append(Thread.currentThread().isInterrupted());
        });
        closer.start();
        begun.await();
        closer.interrupt();
        closer.join();
        System.out.println(log);
        ForkJoinPool common = ForkJoinPool.commonPool();
        common.close();
        System.out.println(common.isShutdown() + " " + common.submit(() -> 7).get());
        try (ForkJoinPool own = new ForkJoinPool(2)) {
            System.out.println(own.setParallelism(3) + " " + own.getParallelism());
            System.out.println(own.submit(() -> 5).join());
        }
    }
}
