// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 6.1: garbage causes young collections, which copy live objects.
public class MovedTwice {
    static class Subject { }

    static Subject kept = new Subject();
    static byte[] garbage;

    static void fill() {
        for (int i = 0; i < 100_000; i++) garbage = new byte[2000];
    }

    public static void main(String[] args) {
        synchronized (kept) {
        }
        fill();
        kept = null;
        fill();
        System.gc();
    }
}
