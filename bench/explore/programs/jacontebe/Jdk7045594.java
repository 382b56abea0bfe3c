// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads ask for a logger with the same texts: the second one sees a name without its bundle, and is refused.
public class Jdk7045594 {
    volatile String bundleName;
    volatile Object bundle;

    void setTexts(String name) {
        if (bundleName == null) {
            bundleName = name;
            bundle = new Object();
        } else if (bundle == null) {
            throw new IllegalStateException("the logger has the name " + bundleName + " and no bundle");
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk7045594 logger = new Jdk7045594();
        Thread other = new Thread(() -> logger.setTexts("texts"));
        other.start();
        logger.setTexts("texts");
        other.join();
    }
}
