public class Guess {
    static int weigh(int n) {
        if (n < 0) return -n * 7;
        return n;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 60_000_000; i++) sum += weigh(i);
        for (int i = 0; i < 10_000_000; i++) sum += weigh(-i);
        System.out.println("sum " + sum);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
