// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Adding a logger locks manager and logger, and changing a logger's level locks logger and manager.
public class Jdk8010939 {
    class Logger {
        int level;
        String name;

        synchronized void setName(String name) {
            this.name = name;
        }

        synchronized void setLevel(int level) {
            checkAccess();
            this.level = level;
        }
    }

    int checks;

    synchronized void add(Logger logger) {
        logger.setName("name");
    }

    synchronized void checkAccess() {
        checks++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk8010939 manager = new Jdk8010939();
        Logger logger = manager.new Logger();
        Thread adder = new Thread(() -> manager.add(logger)), setter = new Thread(() -> logger.setLevel(1));
        adder.start();
        setter.start();
        adder.join();
        setter.join();
    }
}
