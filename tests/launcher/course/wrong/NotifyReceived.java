// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.2: refused, because the notify ends an earlier wait, so it is not lost.
public class NotifyReceived {
    static class Subject { }

    public static void main(String[] args) throws InterruptedException {
        Subject subject = new Subject();
        synchronized (subject) {
            new Thread(() -> {
                synchronized (subject) {
                    subject.notifyAll();
                }
            }).start();
            subject.wait();
            subject.wait(150);
        }
    }
}
