// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 8.1: one way for a long time, then the other.
public class GuessFails {
    static int guess(int n) {
        if (n < 0) return -n * 7;
        return n;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 200_000_000; i++) sum += guess(i);
        long end = System.nanoTime() + 8_000_000_000L;   // the compiler needs some of it
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1_000_000; i++) sum += guess(-i);
        }
        System.out.println(sum);
    }
}
