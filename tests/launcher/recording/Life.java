// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The life of one object: locked, hashed, inflated by a wait, moved by collections, deflated by them, locked again,
// dead. With an argument, it also calls a method until it is hot.
public class Life {
    static final class Subject { }

    static Subject subject = new Subject();

    static int hot(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum = sum * 31 + i;
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        synchronized (subject) { }
        subject.hashCode();
        synchronized (subject) {
            subject.wait(1);
        }
        subject.hashCode();
        for (int i = 0; i < 4; i++) System.gc();
        synchronized (subject) { }
        subject = null;
        System.gc();
        if (arguments.length == 0) return;
        int sum = 0;
        for (int i = 0; i < 30_000; i++) sum += hot(100);
        if (sum == 42) System.out.println();
    }
}
