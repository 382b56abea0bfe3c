// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A cache with least-recently-used eviction, and an index of it. Both are replaced entry by entry, so objects grow old
// before they die, and old garbage lies between live objects. Used by bench/collections.
//
//     java CacheChurn ENTRIES OPERATIONS
import java.util.*;

public class CacheChurn {
    static final class Value {
        final int key;
        final byte[] bytes;
        Value related;
        Value(int key, int size) { this.key = key; this.bytes = new byte[size]; }
    }

    static final class Cache extends LinkedHashMap<Integer, Value> {
        final int capacity;
        Cache(int capacity) { super(capacity * 2, 0.75f, true); this.capacity = capacity; }
        @Override protected boolean removeEldestEntry(Map.Entry<Integer, Value> eldest) { return size() > capacity; }
    }

    public static void main(String[] args) {
        int entries = Integer.parseInt(args[0]), operations = Integer.parseInt(args[1]);
        Cache cache = new Cache(entries);
        HashMap<Integer, ArrayList<Integer>> index = new HashMap<>();
        Random random = new Random(17);
        long hits = 0, bytes = 0;
        for (int i = 0; i < operations; i++) {
            // Half of the requests are for a tenth of the keys.
            int key = random.nextBoolean() ? random.nextInt(entries / 5) : random.nextInt(entries * 2);
            Value value = cache.get(key);
            if (value != null) {
                hits++;
                bytes += value.bytes.length;
            } else {
                value = new Value(key, 40 + random.nextInt(160));
                value.related = cache.get(random.nextInt(entries * 2));
                if (value.related != null) value.related.related = null;   // no chains
                cache.put(key, value);
            }
            if (i % 16 == 0) index.computeIfAbsent(key % 1000, k -> new ArrayList<>()).add(i);
            if (i % 4096 == 0) index.remove(random.nextInt(1000));
        }
        System.out.println("checksum " + (hits * 31 + bytes + cache.size() + index.size()));
    }
}
