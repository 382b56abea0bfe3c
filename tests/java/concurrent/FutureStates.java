// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Future.state, resultNow and exceptionNow of futures of each kind; CompletableFuture's methods with time limits.
// since: 21
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class FutureStates {
    static void show(Future<?> future) {
        System.out.print(future.state() + " ");
        try {
            System.out.print(future.resultNow() + " ");
        } catch (IllegalStateException e) {
            System.out.print(e.getMessage() + " ");
        }
        try {
            System.out.println(future.exceptionNow());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] arguments) throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        show(future);
        future.complete("done");
        show(future);
        show(CompletableFuture.failedFuture(new IllegalStateException("failed")));
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        show(cancelled);
        try (var pool = Executors.newSingleThreadExecutor()) {
            Future<Integer> task = pool.submit(() -> Integer.parseInt("5"));
            task.get();
            show(task);
            Future<?> wrong = pool.submit(() -> Integer.parseInt("five"));
            try {
                wrong.get();
            } catch (java.util.concurrent.ExecutionException e) {
                show(wrong);
            }
        }
        System.out.println(new CompletableFuture<String>().completeOnTimeout("late", 5, TimeUnit.MILLISECONDS).get());
        try {
            new CompletableFuture<String>().orTimeout(5, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        CompletableFuture<Integer> chain = CompletableFuture.supplyAsync(() -> 6)
            .thenCombine(CompletableFuture.supplyAsync(() -> 7), (a, b) -> a * b)
            .exceptionallyCompose(e -> CompletableFuture.completedFuture(-1));
        System.out.println(chain.get() + " " + chain.copy().resultNow() + " "
            + chain.minimalCompletionStage().toCompletableFuture().join());
    }
}
