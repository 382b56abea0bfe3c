public class Weigh {
    static int weigh(int n) {
        if (n < 0) return -n * 7;
        return n;
    }

    public static void main(String[] args) {
        System.out.println(weigh(5) + weigh(-5));
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
