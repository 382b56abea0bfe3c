// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts for the workloads, always the same: words of the made-up language of a seeded generator, some frequent and most
// rare, as in texts that people write.
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

    /** Any of the words; the first ones are by far the most frequent. */
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
