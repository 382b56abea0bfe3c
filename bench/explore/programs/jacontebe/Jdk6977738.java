// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class loader reads a property under its lock, and a table of properties loads a class under its own.
public class Jdk6977738 {
    final Object loader = new Object(), properties = new Object();
    int loaded, read;

    void loadClass() {
        synchronized (loader) {
            loaded++;
            readProperty();
        }
    }

    void readProperty() {
        synchronized (properties) {
            read++;
        }
    }

    void readAllProperties() {
        synchronized (properties) {
            read++;
            loadClass();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk6977738 program = new Jdk6977738();
        Thread one = new Thread(program::loadClass), two = new Thread(program::readAllProperties);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
