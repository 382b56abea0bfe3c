// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 2.2: refused, because the monitor is still there at the second wait.
public class InflatedOnce {
    static class Subject { }

    static final Subject subject = new Subject();

    public static void main(String[] args) throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            synchronized (subject) {
                subject.wait(1);
            }
        }
    }
}
