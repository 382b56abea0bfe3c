// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Generates texts for the workloads from a fixed seed, so they are always the same. The words are invented; as in
// natural texts, a few words are frequent and most are rare.
import java.util.Random;

final class Words {
    private static final String[] SYLLABLES = {"ka", "lo", "mi", "ren", "tus", "var", "e", "o", "shi", "qua", "zen",
            "br", "al", "is", "th", "ex", "ju", "fy", "wo", "pan", "dor", "ce", "gly", "hu"};
    private final String[] words;
    private final Random random;

    Words(long seed, int count) {
        random = new Random(seed);
        words = new String[count];
        for (int i = 0; i < count; i++) {
            StringBuilder word = new StringBuilder();
            for (int left = 2 + random.nextInt(4); left != 0; left--)
                word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
            words[i] = word.toString();
        }
    }

    /** Returns a random word. The first words of the list are by far the most frequent. */
    String next() {
        double share = random.nextDouble();
        return words[(int) (share * share * share * words.length)];
    }

    String at(int index) {
        return words[index % words.length];
    }

    int below(int limit) {
        return random.nextInt(limit);
    }

    String text(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) text.append(i == 0 ? "" : i % 12 == 0 ? ". " : " ").append(next());
        return text.toString();
    }
}
