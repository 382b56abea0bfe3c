public class Tiers {
    static int square(int n) {
        return n * n;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 20_000_000; i++) sum += square(i);
        System.out.println(sum);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
