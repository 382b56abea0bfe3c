// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 5.1: 200,000 objects, each locked once by one thread.
public class ManyMonitors {
    static Object kept;

    public static void main(String[] args) {
        for (int i = 0; i < 200_000; i++) {
            kept = new Object();
            synchronized (kept) {
            }
        }
    }
}
