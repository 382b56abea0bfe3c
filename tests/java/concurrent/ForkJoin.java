// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fork/join: recursion, exceptions through invoke, common pool.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

public class ForkJoin {
    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        protected Integer compute() {
            if (n < 2) return n;
            Fib a = new Fib(n - 1), b = new Fib(n - 2);
            a.fork();
            return b.compute() + a.join();
        }
    }
    static class Fails extends RecursiveAction {
        protected void compute() {
            throw new IllegalStateException("in task");
        }
    }
    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(pool.invoke(new Fib(15)) + " " + pool.getParallelism());
        try {
            pool.invoke(new Fails());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        ForkJoinTask<Integer> t = ForkJoinPool.commonPool().submit(() -> 5);
        System.out.println(t.get() + " " + t.isCompletedNormally() + " " + t.isCompletedAbnormally() + " "
                + ForkJoinTask.adapt(() -> {}).invoke());
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, java.util.concurrent.TimeUnit.MINUTES));
    }
}
