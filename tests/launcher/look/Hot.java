// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method that both tiers compile: a loop, and a call whose class the optimising tier speculates on.
public class Hot {
    static int hot(int rounds, Object word) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum = sum * 31 + i;
            if (word instanceof String) sum += word.hashCode();
        }
        return sum;
    }

    public static void main(String[] arguments) {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
        int sum = 0;
        for (int i = 0; System.nanoTime() < end; i++) sum += hot(200, i % 2 == 0 ? "word" : arguments);
        if (sum == 42) System.out.println();
    }
}
