// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 8.1: refused, because the branch always goes the same way.
public class GuessHolds {
    static int guess(int n) {
        if (n < 0) return -n * 7;
        return n;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 200_000_000; i++) sum += guess(i);
        System.out.println(sum);
    }
}
