// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Small additions to collections and streams: newHashMap and its relatives, Collections.shuffle by a RandomGenerator,
// streams of reversed views, checkIndex of long values, words of a BitSet.
// since: 21
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class ListsSince21 {
    public static void main(String[] arguments) {
        Map<Integer, Integer> map = HashMap.newHashMap(100);
        for (int i = 0; i < 100; i++) map.put(i, i * i);
        System.out.println(map.size() + " " + map.get(99) + " " + LinkedHashMap.newLinkedHashMap(3)
                           + HashSet.newHashSet(4) + LinkedHashSet.newLinkedHashSet(5) + WeakHashMap.newWeakHashMap(2));
        try {
            HashMap.newHashMap(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        List<Integer> list = new ArrayList<>(IntStream.range(0, 10).boxed().toList());
        Collections.shuffle(list, RandomGeneratorFactory.of("L64X128MixRandom").create(42));
        System.out.println(list);
        System.out.println(Stream.concat(list.reversed().stream(), list.stream()).skip(8).limit(4).toList());
        System.out.println(Objects.checkIndex(3L, 5L) + " " + Objects.toIdentityString("x").startsWith("java.lang.String@"));
        System.out.println(BitSet.valueOf(new long[] {5, 1}).stream().boxed().toList());
        System.out.println(List.of(1, 2).toArray(Integer[]::new).length + " " + Map.entry("k", 1));
        System.out.println(List.copyOf(list.reversed()).equals(list.reversed()));
        List<String> unmodifiable = Collections.unmodifiableList(new ArrayList<>(List.of("a", "b")));
        System.out.println(unmodifiable.reversed() + " " + Collections.nCopies(2, "x").getLast());
        System.out.println(List.of("solo").reversed().getFirst() + Collections.emptyList().reversed());
    }
}
