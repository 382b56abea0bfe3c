// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Navigable sets and maps as sequenced collections: reversed views, the ends of sub-ranges, and removals through a
// view.
// since: 21
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

public class SortedViews {
    public static void main(String[] arguments) {
        TreeSet<Integer> set = new TreeSet<>(List.of(5, 1, 9, 3));
        SequencedSet<Integer> back = set.reversed();
        System.out.println(back + " " + back.getFirst() + " " + set.subSet(2, 9).getLast() + " "
            + set.headSet(5, true).reversed());
        set.add(7);
        System.out.println(back.removeFirst() + " " + set + " " + back.reversed().getFirst());
        TreeMap<String, Integer> map = new TreeMap<>();
        for (String word : "to be or not to be".split(" ")) map.merge(word, 1, Integer::sum);
        System.out.println(map + " " + map.reversed() + " " + map.sequencedValues().reversed() + " "
            + map.tailMap("o").lastEntry());
        System.out.println(map.pollFirstEntry() + " " + map.reversed().pollFirstEntry() + " " + map);
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
        for (int i = 0; i < 10; i++) skip.put(i * 7 % 10, "v" + i);
        System.out.println(skip.reversed().firstEntry() + " " + skip.sequencedKeySet().reversed() + " "
            + skip.subMap(3, 6).reversed());
        ConcurrentSkipListSet<String> names = new ConcurrentSkipListSet<>(List.of("b", "a"));
        System.out.println(names.reversed() + " " + names.removeLast() + names.getFirst());
        try {
            names.addFirst("z");
        } catch (UnsupportedOperationException e) {
            System.out.println("sorted");
        }
        System.out.println(new ArrayList<>(set.reversed()).reversed().equals(new ArrayList<>(set)));
    }
}
