// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Letters, their points and numbers as in the English edition; a generated book and dictionary.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class ScrabbleRules {
    private static final int[] POINTS = {1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3,
            1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10};
    private static final int[] AVAILABLE = {9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2,
            6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1};
    private static final int WORDS = 40_000;
    private final List<String> book = new ArrayList<>();
    private final Set<String> known = new HashSet<>();

    ScrabbleRules() {
        Words words = new Words(23, 12_000);
        for (int i = 0; i < WORDS; i++) book.add(words.next());
        for (int i = 0; i < 12_000; i += 2) known.add(words.at(i));
    }

    List<String> book() {
        return book;
    }

    boolean isKnown(String word) {
        return known.contains(word);
    }

    int points(int letter) {
        return POINTS[letter - 'a'];
    }

    int available(int letter) {
        return AVAILABLE[letter - 'a'];
    }
}
