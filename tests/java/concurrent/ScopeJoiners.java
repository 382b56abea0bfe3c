// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Joiners of structured scopes: all successful, any successful, until a condition; time limits, names, and the errors
// of calls at the wrong time or by the wrong thread.
// since: 25
// javac: --enable-preview
// jvm: --enable-preview
import java.time.Duration;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.StructuredTaskScope.Subtask;

public class ScopeJoiners {
    static class Collecting implements Joiner<Integer, String> {
        private final StringBuffer log = new StringBuffer();

        @Override
        public boolean onComplete(Subtask<? extends Integer> subtask) {
            if (subtask.state() == Subtask.State.FAILED) log.append("failed:").append(subtask.exception().getMessage());
            return log.length() > 0;
        }

        @Override
        public String result() {
            return log.toString();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow())) {
            for (int i = 0; i < 4; i++) {
                int n = i;
                scope.fork(() -> n * n);
            }
            System.out.println(scope.join().map(Subtask::get).toList());
        }
        try (var scope = StructuredTaskScope.open(new Collecting())) {
            scope.fork(() -> {
                Thread.sleep(100_000);   // sleeps until the scope is cancelled
                return 1;
            });
            scope.fork(() -> {
                throw new IllegalStateException("first");
            });
            System.out.println(scope.join() + " " + scope.isCancelled());
        }
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>allUntil(s -> s.state() == Subtask.State.SUCCESS))) {
            scope.fork(() -> 5);
            System.out.println(scope.join().map(s -> s.state() + "").toList());
        }
        try (var scope = StructuredTaskScope.open(Joiner.awaitAllSuccessfulOrThrow(),
                                                  c -> c.withTimeout(Duration.ofMillis(20)).withName("limited"))) {
            scope.fork(() -> {
                Thread.sleep(100_000);
                return null;
            });
            scope.join();
        } catch (StructuredTaskScope.TimeoutException e) {
            System.out.println("too late");
        }
        try (var scope = StructuredTaskScope.<Integer>open()) {
            Subtask<Integer> early = scope.fork(() -> 1);
            try {
                early.get();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            scope.join();
            System.out.println(early.get() + " " + early.state());
            try {
                scope.fork(() -> 2);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>anySuccessfulResultOrThrow())) {
            scope.fork(() -> {
                throw new IllegalArgumentException("only");
            });
            scope.join();
        } catch (StructuredTaskScope.FailedException e) {
            System.out.println(e.getCause());
        }
        var left = StructuredTaskScope.open();
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                left.fork(() -> 1);
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        });
        other.join();
        left.close();
    }
}
