// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sequenced maps: first and last entries, put at an end, reversed views of keys, values and entries.
// since: 21
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

public class SequencedMaps {
    public static void main(String[] arguments) {
        LinkedHashMap<String, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < 5; i++) map.put("k" + i, i);
        System.out.println(map.firstEntry() + " " + map.lastEntry() + " " + map.reversed());
        map.putFirst("k3", 33);
        map.putLast("k0", 100);
        System.out.println(map);
        System.out.println(map.sequencedKeySet().reversed() + " " + map.sequencedValues().reversed() + " "
                           + map.sequencedEntrySet().getFirst());
        System.out.println(map.pollFirstEntry() + " " + map.pollLastEntry() + " " + map);
        SequencedMap<String, Integer> back = map.reversed();
        back.put("end", 9);
        back.remove("k2");
        back.replaceAll((k, v) -> -v);
        System.out.println(map + " " + back);
        map.sequencedKeySet().reversed().removeIf(k -> k.endsWith("1"));
        System.out.println(map);
        try {
            map.sequencedValues().addFirst(1);
        } catch (UnsupportedOperationException e) {
            System.out.println("no value without a key");
        }
        TreeMap<Integer, String> tree = new TreeMap<>(Map.of(3, "c", 1, "a", 2, "b"));
        System.out.println(tree.reversed() + " " + tree.sequencedKeySet() + " " + tree.reversed().firstEntry());
        try {
            tree.putFirst(0, "z");
        } catch (UnsupportedOperationException e) {
            System.out.println("sorted");
        }
        System.out.println(Collections.unmodifiableSequencedMap(map).lastEntry());
        LinkedHashMap<String, Integer> byAccess = new LinkedHashMap<>(16, 0.75f, true);
        byAccess.put("a", 1);
        byAccess.put("b", 2);
        byAccess.get("a");
        System.out.println(byAccess + " " + byAccess.reversed() + " " + byAccess.lastEntry());
        System.out.println(new LinkedHashMap<>().firstEntry() + " " + new LinkedHashMap<>().pollLastEntry());
    }
}
