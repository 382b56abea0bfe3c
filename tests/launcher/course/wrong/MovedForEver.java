// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 6.1: refused, because the object moves, but lives to the end.
public class MovedForEver {
    static class Subject { }

    static Object kept = new Subject();

    public static void main(String[] args) {
        synchronized (kept) {
        }
        for (int round = 0; round < 4; round++) System.gc();
    }
}
