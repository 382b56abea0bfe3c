public class Safepoint {
    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 3; i++) {
            System.gc();
            sum += i;
        }
        System.out.println("sum " + sum);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
