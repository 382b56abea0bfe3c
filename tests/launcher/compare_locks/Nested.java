// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread holds twelve new objects at once, more than a lock stack has room for.
public class Nested {
    static final class Level {
        final int number;

        Level(int number) {
            this.number = number;
        }
    }

    static Level[] levels = new Level[12];

    static int enter(int depth) {
        if (depth == levels.length) return 0;
        synchronized (levels[depth]) {
            return levels[depth].number + enter(depth + 1);
        }
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            for (int k = 0; k < levels.length; k++) levels[k] = new Level(i + k);
            sum += enter(0);
        }
        System.out.println("sum " + sum);
    }
}
