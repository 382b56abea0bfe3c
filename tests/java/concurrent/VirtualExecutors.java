// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One virtual thread per task: a thousand of them, results, failures, cancellation, a task after close; locks and
// monitors between the threads.
// since: 21
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

public class VirtualExecutors {
    static int guarded, locked;

    public static void main(String[] arguments) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        Semaphore permits = new Semaphore(5);
        AtomicInteger inside = new AtomicInteger(), most = new AtomicInteger();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 1000; i++) {
                executor.submit(() -> {
                    permits.acquire();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    synchronized (monitor) {
                        guarded++;
                    }
                    lock.lock();
                    try {
                        locked++;
                    } finally {
                        lock.unlock();
                    }
                    inside.decrementAndGet();
                    permits.release();
                    return null;
                });
            }
        }
        System.out.println(guarded + " " + locked + " " + (most.get() <= 5));
        try (var executor = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("t-", 0).factory())) {
            List<Callable<String>> tasks = new ArrayList<>();
            for (int i = 0; i < 3; i++) tasks.add(() -> Thread.currentThread().getName());
            for (Future<String> each : executor.invokeAll(tasks)) System.out.println(each.resultNow() + " "
                + each.state());
            Future<?> fails = executor.submit(() -> {
                throw new IllegalStateException("task");
            });
            try {
                fails.get();
            } catch (ExecutionException e) {
                System.out.println(e.getCause() + " " + fails.state() + " " + fails.exceptionNow().getMessage());
            }
            try {
                fails.resultNow();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            Future<?> sleeps = executor.submit(() -> {
                Thread.sleep(100_000);   // until cancelled
                return null;
            });
            System.out.println(sleeps.cancel(true) + " " + sleeps.state() + " " + sleeps.isCancelled());
            System.out.println("any " + executor.invokeAny(List.of(() -> 5)));
        }
        var over = Executors.newVirtualThreadPerTaskExecutor();
        over.close();
        try {
            over.submit(() -> {});
        } catch (java.util.concurrent.RejectedExecutionException e) {
            System.out.println("rejected " + over.isTerminated());
        }
        System.out.println(IntStream.range(0, 3).sum());
    }
}
