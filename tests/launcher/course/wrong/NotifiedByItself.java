// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.2: refused, because the thread that waits is the one that has notified.
public class NotifiedByItself {
    static class Subject { }

    public static void main(String[] args) throws InterruptedException {
        Subject subject = new Subject();
        synchronized (subject) {
            subject.notifyAll();
            subject.wait(150);
        }
    }
}
