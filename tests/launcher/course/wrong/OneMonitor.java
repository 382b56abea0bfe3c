// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 5.1: refused, because one object needs only one monitor.
public class OneMonitor {
    static final Object kept = new Object();

    public static void main(String[] args) {
        for (int i = 0; i < 200_000; i++) {
            synchronized (kept) {
            }
        }
    }
}
