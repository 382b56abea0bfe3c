// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompletableFuture chains, combinators, exceptions, timeouts; ForkJoinPool.
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Futures {
    static class Fib extends RecursiveTask<Integer> {
        final int n;

        Fib(int n) {
            this.n = n;
        }

        protected Integer compute() {
            if (n < 2) return n;
            Fib a = new Fib(n - 1);
            a.fork();
            return new Fib(n - 2).compute() + a.join();
        }
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> f =
                CompletableFuture.supplyAsync(() -> 20)
                        .thenApply(x -> x + 1)
                        .thenCombine(CompletableFuture.supplyAsync(() -> 2), (a, b) -> a * b);
        System.out.println(f.get());
        System.out.println(
                CompletableFuture.supplyAsync(
                                () -> {
                                    if (true) throw new IllegalStateException("oops");
                                    return 1;
                                })
                        .handle(
                                (v, e) ->
                                        e.getClass().getSimpleName()
                                                + " "
                                                + e.getCause().getMessage())
                        .join());
        System.out.println(
                CompletableFuture.completedFuture(3)
                        .thenCompose(x -> CompletableFuture.supplyAsync(() -> x * 5))
                        .exceptionally(e -> -1)
                        .join());
        List<CompletableFuture<Integer>> l =
                IntStream.range(0, 10)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> i))
                        .collect(Collectors.toList());
        CompletableFuture.allOf(l.toArray(new CompletableFuture[0])).join();
        System.out.println(l.stream().mapToInt(CompletableFuture::join).sum());
        try {
            new CompletableFuture<Integer>().orTimeout(10, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        CompletableFuture<String> p = new CompletableFuture<>();
        new Thread(() -> p.complete("done")).start();
        System.out.println(p.get() + " " + p.isDone() + " " + CompletableFuture.anyOf(p).join());
        try {
            CompletableFuture.failedFuture(new RuntimeException("x")).join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage());
        }
        try {
            CompletableFuture<Integer> c = new CompletableFuture<>();
            c.cancel(true);
            c.get();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }
        System.out.println(
                new ForkJoinPool(3).invoke(new Fib(15))
                        + " "
                        + ForkJoinPool.commonPool().invoke(new Fib(12))
                        + " "
                        + IntStream.rangeClosed(1, 5000).parallel().mapToLong(x -> x).sum());
    }
}
