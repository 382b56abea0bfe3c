// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// guava: immutable collections, multimaps, caches, splitters, hashes, graphs of futures, event bus.
// jars: guava.jar
import com.google.common.base.CaseFormat;
import com.google.common.base.Joiner;
import com.google.common.base.MoreObjects;
import com.google.common.base.Preconditions;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import com.google.common.collect.Ordering;
import com.google.common.collect.Range;
import com.google.common.collect.Sets;
import com.google.common.collect.TreeMultiset;
import com.google.common.collect.TreeRangeMap;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.hash.Hashing;
import com.google.common.math.IntMath;
import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import com.google.common.reflect.TypeToken;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;

public class GuavaTour {
    public static class Listener {
        @Subscribe public void text(String s) { System.out.println("text " + s); }
        @Subscribe public void number(Integer i) { System.out.println("number " + i); }
    }

    public static void main(String[] args) throws Exception {
        ImmutableMap<String, Integer> map = ImmutableMap.of("a", 1, "b", 2, "c", 3);
        System.out.println(
                map + " " + ImmutableSortedSet.of(3, 1, 2).headSet(3) + " " + ImmutableList.of(1, 2, 3).reverse());
        try {
            map.put("d", 4);
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        ArrayListMultimap<String, Integer> multi = ArrayListMultimap.create();
        multi.putAll("x", List.of(1, 2));
        multi.put("y", 3);
        System.out.println(multi + " " + HashBiMap.create(map).inverse().get(2) + " "
                + TreeMultiset.create(List.of("b", "a", "b")));
        HashBasedTable<Integer, String, Double> table = HashBasedTable.create();
        table.put(1, "one", 1.5);
        TreeRangeMap<Integer, String> ranges = TreeRangeMap.create();
        ranges.put(Range.closed(1, 10), "low");
        ranges.put(Range.open(3, 6), "mid");
        System.out.println(table + " " + ranges + " " + ranges.get(5));
        System.out.println(Joiner.on(",").skipNulls().join("a", null, "b")
                + Splitter.on(';').trimResults().omitEmptyStrings().splitToList(" x ; ;y")
                + CaseFormat.LOWER_CAMEL.to(CaseFormat.UPPER_UNDERSCORE, "someName")
                + MoreObjects.toStringHelper("T").add("k", 1).toString());
        System.out.println(Lists.partition(Ints.asList(1, 2, 3, 4, 5), 2) + " "
                + Sets.powerSet(Sets.newTreeSet(List.of(1, 2))).size() + " "
                + Sets.cartesianProduct(Sets.newTreeSet(List.of(1, 2)), Sets.newTreeSet(List.of(3))) + " "
                + Ordering.natural().reverse().sortedCopy(List.of(2, 9, 4)) + Iterables.getLast(List.of(1, 2)));
        System.out.println(Hashing.murmur3_128(7).hashString("keyhole", StandardCharsets.UTF_8) + " "
                + Hashing.sha256().hashInt(5) + " " + Hashing.crc32c().hashLong(9) + " "
                + Hashing.consistentHash(12345L, 100) + " " + Hashing.sipHash24().hashBytes(new byte[20]));
        BloomFilter<Integer> bloom = BloomFilter.create(Funnels.integerFunnel(), 500, 0.01);
        for (int i = 0; i < 100; i++) bloom.put(i);
        System.out.println(bloom.mightContain(50) + " " + IntMath.gcd(48, 36) + " " + LongMath.factorial(15) + " "
                + IntMath.sqrt(50, java.math.RoundingMode.FLOOR));
        LoadingCache<String, Integer> cache =
                CacheBuilder.newBuilder().maximumSize(2).recordStats().build(CacheLoader.from(String::length));
        System.out.println(cache.get("four") + cache.get("four") + cache.get("a") + " " + cache.stats().hitCount()
                + cache.stats().missCount());
        EventBus bus = new EventBus("bus");
        bus.register(new Listener());
        bus.post("hello");
        bus.post(5);
        ListeningExecutorService pool = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(2));
        ListenableFuture<List<Integer>> all = Futures.allAsList(pool.submit(() -> 1), pool.submit(() -> 2));
        System.out.println(Futures.transform(all, l -> l.stream().mapToInt(i -> i).sum(), pool).get());
        pool.shutdown();
        System.out.println(new TypeToken<List<String>>() {}.resolveType(
                List.class.getMethod("get", int.class).getGenericReturnType()));
        try {
            Preconditions.checkArgument(false, "wrong %s of %s", 1, "two");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
