// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompletableFuture: composition, failures, timeouts, completion by hand.
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

public class Completions {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 20),
                                   b = CompletableFuture.supplyAsync(() -> 22);
        System.out.println(
                a.thenCombine(b, Integer::sum).thenCompose(x -> CompletableFuture.completedFuture(x * 2)).get());
        CompletableFuture<Integer> failed =
                CompletableFuture.supplyAsync(() -> { throw new IllegalStateException("no"); });
        System.out.println(failed.exceptionally(e -> {
                                     System.out.println(e);
                                     return -1;
                                 }).join()
                + " " + failed.handle((v, e) -> v + " " + (e == null ? null : e.getClass().getSimpleName())).join());
        try {
            failed.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
        try {
            failed.thenApply(x -> x).join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage());
        }
        CompletableFuture<String> never = new CompletableFuture<>();
        try {
            never.copy().orTimeout(10, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        System.out.println(never.copy().completeOnTimeout("late", 5, TimeUnit.MILLISECONDS).get() + " "
                + never.getNow("absent") + " " + never.complete("x") + never.complete("y") + never.get());
        CompletableFuture<Void> all = CompletableFuture.allOf(a, b, never);
        all.join();
        System.out.println(all.isDone() + " " + CompletableFuture.anyOf(never, new CompletableFuture<>()).join());
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        try {
            cancelled.join();
        } catch (CancellationException e) {
            System.out.println("cancelled " + cancelled.isCompletedExceptionally());
        }
        StringBuffer order = new StringBuffer();
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<Void> end =
                source.thenApply(s -> s + "!").thenAccept(order::append).whenComplete((v, e) -> order.append(" done"));
        source.complete("go");
        end.get();
        System.out.println(order + " " + source.getNumberOfDependents());
    }
}
