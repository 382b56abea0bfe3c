// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes records as lines of text, parses the lines, and counts their words. It allocates strings, builders, boxed
// numbers, lists that live for a round, and now and then a large buffer. Used by bench/collections.
//
//     java TextRecords ROUNDS LINES
import java.util.*;

public class TextRecords {
    record Entry(String name, int amount, List<String> tags) { }

    static final String[] WORDS =
            "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north ocean".split(" ");

    static String write(int lines, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(WORDS[random.nextInt(WORDS.length)])
                    .append('-')
                    .append(random.nextInt(500))
                    .append(';')
                    .append(random.nextInt(10_000))
                    .append(';');
            for (int tags = random.nextInt(4); tags > 0; tags--)
                text.append(WORDS[random.nextInt(WORDS.length)]).append(',');
            text.append('\n');
        }
        return text.toString();
    }

    static List<Entry> parse(String text) {
        List<Entry> entries = new ArrayList<>();
        for (int from = 0, end; (end = text.indexOf('\n', from)) >= 0; from = end + 1) {
            String[] parts = text.substring(from, end).split(";", -1);
            List<String> tags = new ArrayList<>();
            for (String tag : parts[2].split(",")) if (!tag.isEmpty()) tags.add(tag);
            entries.add(new Entry(parts[0], Integer.parseInt(parts[1]), tags));
        }
        return entries;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]), lines = Integer.parseInt(args[1]);
        Random random = new Random(5);
        TreeMap<String, Integer> totals = new TreeMap<>();
        ArrayDeque<List<Entry>> history = new ArrayDeque<>();
        for (int round = 0; round < rounds; round++) {
            List<Entry> entries = parse(write(lines, random));
            for (Entry entry : entries) {
                totals.merge(entry.name(), entry.amount(), Integer::sum);
                for (String tag : entry.tags()) totals.merge(tag, 1, Integer::sum);
            }
            history.add(entries);
            if (history.size() > 8) history.remove();
        }
        long checksum = 0;
        for (Map.Entry<String, Integer> total : totals.entrySet())
            checksum = checksum * 31 + total.getKey().hashCode() + total.getValue();
        System.out.println("checksum " + checksum);
    }
}
