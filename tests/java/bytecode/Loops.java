// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Nested loops with labelled break and continue.
public class Loops {
    public static void main(String[] args) {
        int count = 0, sum = 0;
        outer:
        for (int i = 0; i < 100; i++) {
            for (int j = 0; ; j++) {
                if (j == i) continue outer;
                if (i * j > 2000) break outer;
                if ((i ^ j) % 3 == 0) continue;
                count++;
                sum += i * j;
            }
        }
        int w = 0; do { w += 3; } while (w < 50);
        long n = 27, steps = 0;
        while (n != 1) { n = (n & 1) == 0 ? n / 2 : 3 * n + 1; steps++; }
        System.out.println(count + " " + sum + " " + w + " " + steps);
    }
}
