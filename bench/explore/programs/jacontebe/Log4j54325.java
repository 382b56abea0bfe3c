// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The number of appenders is read before the loop over them, and another thread removes one meanwhile.
import java.util.Vector;

public class Log4j54325 {
    final Vector<StringBuilder> appenders = new Vector<>();

    void append(String event) {
        int count = appenders.size();
        for (int i = 0; i < count; i++) appenders.elementAt(i).append(event);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Log4j54325 logger = new Log4j54325();
        logger.appenders.add(new StringBuilder());
        logger.appenders.add(new StringBuilder());
        Thread remover = new Thread(() -> logger.appenders.remove(0));
        remover.start();
        logger.append("event");
        remover.join();
    }
}
