// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The random choices of one combination. A combination's number gives the same choices on each VM.
import java.util.List;
import java.util.Random;

final class Dice {
    private final Random random;

    Dice(long seed, long number) {
        random = new Random(seed * 1_000_003L + number);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    @SafeVarargs
    final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
