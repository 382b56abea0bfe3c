// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Hash tables of words and of own keys: counts, groups, look-ups that fail.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class WordTables extends Kernel {
    static final class Key {
        private final int row, column;
        Key(int row, int column) {
            this.row = row;
            this.column = column;
        }
        @Override public int hashCode() { return row * 31 + column; }
        @Override public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).row == row && ((Key) other).column == column;
        }
    }
    private final String[] words = new String[400];
    protected long work() {
        if (words[0] == null) for (int i = 0; i < words.length; i++) words[i] = "word" + i * 7919 % 1000;
        Map<String, Integer> counts = new HashMap<>();
        Map<Integer, List<String>> byLength = new HashMap<>();
        Map<Key, Integer> cells = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (int round = 0; round < 20; round++) {
            for (String word : words) {
                Integer count = counts.get(word);
                counts.put(word, count == null ? 1 : count + 1);
                if (seen.add(word)) byLength.computeIfAbsent(word.length(), length -> new ArrayList<>()).add(word);
            }
            for (int i = 0; i < 400; i++) cells.put(new Key(i % 20, i / 20), i + round);
        }
        long sum = 0;
        for (int i = 0; i < 500; i++) {
            Integer value = cells.get(new Key(i % 25, i / 25));
            sum = sum * 31 + (value == null ? 7 : value);
            if (seen.contains("word" + i)) sum++;
        }
        for (Map.Entry<Integer, List<String>> entry : byLength.entrySet()) {
            sum += entry.getKey() * entry.getValue().size();
        }
        for (int count : counts.values()) sum += count;
        return sum;
    }
    public static void main(String[] arguments) { new WordTables().measure(arguments); }
}
