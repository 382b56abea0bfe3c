// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A logger calls its appender under its lock, and the appender, under its own, logs that rendering has failed.
public class Log4j41214 {
    class Appender {
        int events;

        synchronized void append(String event) {
            if (event == null) warn("nothing to append");
            events++;
        }
    }

    final Appender appender = new Appender();
    int warnings;

    synchronized void log(String event) {
        appender.append(event);
    }

    synchronized void warn(String text) {
        warnings++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Log4j41214 logger = new Log4j41214();
        Thread one = new Thread(() -> logger.log("event")), two = new Thread(() -> logger.appender.append(null));
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
