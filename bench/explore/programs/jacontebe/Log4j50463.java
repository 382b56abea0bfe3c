// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The dispatcher ends when it is told to stop, also with a full buffer, and a logger waits for room for ever.
public class Log4j50463 {
    static final int CAPACITY = 1;

    int events;
    boolean stopped;

    synchronized void log() throws InterruptedException {
        while (events == CAPACITY) wait();
        events++;
        notifyAll();
    }

    synchronized void dispatch() throws InterruptedException {
        while (!stopped) {
            if (events > 0) {
                events--;
                notifyAll();
            }
            wait();
        }
    }

    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Log4j50463 appender = new Log4j50463();
        Thread dispatcher = new Thread(() -> {
            try {
                appender.dispatch();
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
        Thread stopper = new Thread(appender::stop);
        dispatcher.start();
        stopper.start();
        appender.log();
        appender.log();
        dispatcher.join();
        stopper.join();
    }
}
