// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A logger's filter is tested for null and called, and another thread takes the filter away in between.
import java.util.function.Predicate;

public class Jdk4779253 {
    Predicate<String> filter = message -> !message.isEmpty();
    int messages;

    void log(String message) {
        synchronized (this) {
            if (filter != null && !filter.test(message)) return;
        }
        messages++;
    }

    void setFilter(Predicate<String> filter) {
        this.filter = filter;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk4779253 logger = new Jdk4779253();
        Thread setter = new Thread(() -> logger.setFilter(null));
        setter.start();
        logger.log("message");
        setter.join();
    }
}
