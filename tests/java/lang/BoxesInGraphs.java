// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Boxes in hot methods: used for a look-up only, compared, kept on one path only, live where an exception is thrown,
// and live where a speculation from the first executions fails.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class BoxesInGraphs {
    static final Map<Object, Integer> counts = new HashMap<>();
    static Object kept;

    static int lookUpOrCount(int number, boolean counts) {
        Integer key = number;
        if (counts) BoxesInGraphs.counts.merge(key, 1, Integer::sum);
        Integer found = BoxesInGraphs.counts.get(key);
        return found == null ? -1 : found;
    }

    static int comparedWithItself(int number, Object other) {
        Integer box = number;
        Object same = box;
        int result = box == other ? 1 : 0;
        if (same == box) result += 2;
        if (box.equals(other)) result += 4;
        return result;
    }

    // When the division throws, two locals refer to the box. The handler compares these locals.
    static String thrownBeside(int number, int divisor) {
        Integer box = number;
        Object same = box;
        try {
            return "" + number / divisor;
        } catch (ArithmeticException e) {
            return box + (same == box ? " is " : " is not ") + same;
        }
    }

    static int nameOf(Object key) {
        return key.hashCode() + (key instanceof Integer ? 1 : 0);
    }
    // The last branch is first taken after the method was profiled. It needs the box as an object.
    static int keptAtLast(int number, Object[] others) {
        Integer box = number;
        int sum = 0;
        for (Object other : others) {
            sum += nameOf(other);
            if (other == null) break;
            if (sum == Integer.MIN_VALUE) kept = box;
        }
        if (others.length == 3) kept = box;
        return sum + box;
    }

    static int stored(List<Integer> list, int number) {
        Integer box = number;
        for (int i = 0; i < 3; i++) list.add(box);
        return list.get(0) == list.get(2) ? 1 : 0;
    }

    static synchronized int sumUnderLock(int[] numbers) {
        Integer sum = 0;
        for (int number : numbers) sum += number;
        return sum;
    }

    public static void main(String[] arguments) {
        long checksum = 0;
        for (int i = 0; i < 60_000; i++) {
            checksum = checksum * 31 + lookUpOrCount(i % 700 - 200, i % 5 == 0);
            checksum = checksum * 31 + comparedWithItself(i % 300, Integer.valueOf(i % 301));
            checksum += thrownBeside(i, i % 5000 == 4999 ? 0 : 3).hashCode();
            checksum += keptAtLast(i, new Object[] {i, i + 1});
            List<Integer> list = new ArrayList<>();
            checksum += stored(list, i % 2000);
            checksum += sumUnderLock(new int[] {i, -3, 1000});
        }
        System.out.println(checksum + " " + counts.size());
        System.out.println(thrownBeside(5, 0) + ", " + thrownBeside(5000, 0));
        System.out.println(keptAtLast(5000, new Object[] {"a", 'b', 3L}) + " " + kept);
        System.out.println(keptAtLast(-7, new Object[] {1, 2, "three"}) + " " + (kept == Integer.valueOf(-7)));
        System.out.println(comparedWithItself(5, 5) + " " + comparedWithItself(5000, 5000) + " "
                + comparedWithItself(5, "5"));
        try {
            keptAtLast(5000, new Object[] {1, null});
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
