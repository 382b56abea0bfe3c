// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays.parallel*, Spliterators, parallel streams: the same results as in sequence.
import java.util.Arrays;
import java.util.List;
import java.util.Spliterator;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

public class ParallelArrays {
    public static void main(String[] args) {
        int[] a = new int[20000];
        Arrays.parallelSetAll(a, i -> (i * 7919) % 20011);
        int[] b = a.clone();
        Arrays.parallelSort(a);
        Arrays.sort(b);
        System.out.println(Arrays.equals(a, b) + " " + a[0] + " " + a[19999]);
        Arrays.parallelPrefix(b, (x, y) -> x ^ y);
        System.out.println(b[19999] + " " + Arrays.hashCode(b));
        String[] s = IntStream.range(0, 9000).mapToObj(i -> "s" + (i * 31 % 9001)).toArray(String[]::new);
        Arrays.parallelSort(s, java.util.Comparator.reverseOrder());
        System.out.println(s[0] + " " + s[8999]);
        System.out.println(IntStream.rangeClosed(1, 10000).parallel().filter(i -> i % 3 == 0).sum() + " "
                + List.of(a.length, 2, 3).parallelStream().map(i -> i + 1).collect(Collectors.toList()));
        System.out.println(IntStream.range(0, 1000).parallel().boxed().collect(
                Collectors.groupingByConcurrent(i -> i % 3, Collectors.counting())));
        Spliterator<Integer> it = new TreeSet<>(List.of(5, 3, 8, 1, 9, 2)).spliterator();
        Spliterator<Integer> half = it.trySplit();
        StringBuilder out = new StringBuilder();
        if (half != null) half.forEachRemaining(x -> out.append(x).append(' '));
        out.append("| ");
        it.forEachRemaining(x -> out.append(x).append(' '));
        System.out.println(out + "" + it.hasCharacteristics(Spliterator.SORTED));
        System.out.println(StreamSupport.stream(Arrays.asList(1, 2, 3, 4).spliterator(), true).reduce(0, Integer::sum)
                + " " + Arrays.mismatch(new int[] {1, 2}, new int[] {1, 3}) + " "
                + Arrays.compare(new long[] {1}, new long[] {1, 2}));
    }
}
