// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StructuredTaskScope, a preview of 25: results, the first success, failures, nested scopes, scoped values inherited.
// since: 25
// javac: --enable-preview
// jvm: --enable-preview
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;

public class StructuredScopes {
    static final ScopedValue<String> NAME = ScopedValue.newInstance();

    static int sum(int from, int to) throws InterruptedException {
        if (to - from == 1) return from;
        int middle = (from + to) / 2;
        try (var scope = StructuredTaskScope.<Integer>open()) {
            var low = scope.fork(() -> sum(from, middle));
            var high = scope.fork(() -> sum(middle, to));
            scope.join();
            return low.get() + high.get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(sum(0, 32));
        try (var scope = StructuredTaskScope.open(Joiner.<String>anySuccessfulResultOrThrow())) {
            scope.fork(() -> {
                Thread.sleep(100_000);   // the scope interrupts this sleep when the other subtask has succeeded
                return "slow";
            });
            scope.fork(() -> "fast");
            System.out.println(scope.join());
        }
        try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> {
                throw new IllegalStateException("refused");
            });
            scope.join();
        } catch (StructuredTaskScope.FailedException e) {
            System.out.println(e.getCause());
        }
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>awaitAll())) {
            var fails = scope.fork(() -> Integer.parseInt("x"));
            var works = scope.fork(() -> 7);
            scope.join();
            System.out.println(fails.state() + " " + works.state() + " " + works.get());
        }
        ScopedValue.where(NAME, "inherited").call(() -> {
            try (var scope = StructuredTaskScope.<String>open()) {
                var first = scope.fork(NAME::get);
                var second = scope.fork(() -> ScopedValue.where(NAME, "own").call(NAME::get));
                scope.join();
                System.out.println(first.get() + " " + second.get() + " " + NAME.get());
            }
            return null;
        });
        var scope = StructuredTaskScope.open();
        scope.close();
        try {
            scope.fork(() -> 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
