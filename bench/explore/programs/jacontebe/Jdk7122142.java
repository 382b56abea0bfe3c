// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two annotation types are annotated with each other, and two threads parse them at once under the locks of both.
public class Jdk7122142 {
    static class Type {
        Type annotation;
        boolean parsed;

        synchronized void parse() {
            if (parsed) return;
            parsed = true;
            annotation.retention();
        }

        synchronized boolean retention() {
            return parsed;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Type one = new Type(), two = new Type();
        one.annotation = two;
        two.annotation = one;
        Thread first = new Thread(one::parse), second = new Thread(two::parse);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
