// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.2: a notify without a waiter is forgotten.
public class LostNotify {
    static class Subject { }

    public static void main(String[] args) throws InterruptedException {
        Subject subject = new Subject();
        Thread notifier = new Thread(() -> {
            synchronized (subject) {
                subject.notifyAll();
            }
        });
        notifier.start();
        notifier.join();
        synchronized (subject) {
            subject.wait(150);
        }
    }
}
