// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatcher and loggers wait for the same monitor, and a single notify may wake a logger instead of the dispatcher.
import java.util.ArrayDeque;

public class Log4j38137 {
    static final int CAPACITY = 1, LOGGERS = 2, EVENTS = 4;

    final ArrayDeque<Integer> events = new ArrayDeque<>();

    synchronized void log(int event) throws InterruptedException {
        while (events.size() == CAPACITY) wait();
        events.add(event);
        notify();
    }

    synchronized void dispatch() throws InterruptedException {
        while (events.isEmpty()) wait();
        events.remove();
        notify();
    }

    interface Action {
        void run() throws InterruptedException;
    }

    static Thread repeat(int times, Action action) {
        return new Thread(() -> {
            try {
                for (int i = 0; i < times; i++) action.run();
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Log4j38137 appender = new Log4j38137();
        Thread[] threads = new Thread[LOGGERS + 1];
        for (int i = 0; i < LOGGERS; i++) threads[i] = repeat(EVENTS / LOGGERS, () -> appender.log(1));
        threads[LOGGERS] = repeat(EVENTS, appender::dispatch);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
