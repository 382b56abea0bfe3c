// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 4.1: refused, because two threads wait, but none queues.
public class EmptyQueue {
    static class Subject { }

    static final Subject subject = new Subject();

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                synchronized (subject) {
                    try {
                        subject.wait(100);
                    } catch (InterruptedException nobodyInterrupts) {
                        return;
                    }
                }
            }).start();
        }
        Thread.sleep(50);
        synchronized (subject) {
            subject.notifyAll();
        }
    }
}
