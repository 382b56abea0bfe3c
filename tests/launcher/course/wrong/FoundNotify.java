// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 3.2: refused, because the notify comes during the wait.
public class FoundNotify {
    static class Subject { }

    public static void main(String[] args) throws InterruptedException {
        Subject subject = new Subject();
        synchronized (subject) {
            subject.notify();
            new Thread(() -> {
                try {
                    Thread.sleep(120);
                } catch (InterruptedException nobodyInterrupts) {
                    return;
                }
                synchronized (subject) {
                    subject.notifyAll();
                }
            }).start();
            subject.wait(5000);
        }
    }
}
