// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 2.2: a full collection deflates idle monitors; the next wait inflates again.
public class InflatedTwice {
    static class Subject { }

    static final Subject subject = new Subject();

    public static void main(String[] args) throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            synchronized (subject) {
                subject.wait(1);
            }
            for (int i = 0; i < 4; i++) System.gc();
        }
    }
}
