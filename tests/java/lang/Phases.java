// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods with several loops in sequence: when the first becomes hot, nothing is known about the later ones.

import java.util.HashMap;
import java.util.Map;

public class Phases {
    static long rounds(int count) {
        Map<Integer, Integer> map = new HashMap<>();
        long sum = 0;
        for (int i = 0; i < count; i++) map.merge(i * 31 % 997, 1, Integer::sum);
        for (int i = 0; i < count; i++) {
            Integer value = map.get(i % 1200);
            if (value != null) sum += value;
        }
        StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < count) {
            text.append((char) ('a' + i % 26));
            if (text.length() > 100) text.setLength(i % 7);
            i++;
        }
        do {
            sum = sum * 31 + text.charAt(i % text.length());
            i -= 3;
        } while (i > 0);
        return sum + text.length();
    }

    public static void main(String[] arguments) {
        long sum = 0;
        for (int round = 0; round < 30; round++) sum = sum * 7 + rounds(20_000 + round);
        System.out.println(sum);
        int[] counts = new int[16];
        for (int i = 0; i < 3_000_000; i++) counts[i * 7 & 15]++;
        long shapes = 0;
        Object[] values = {1, "two", 3L, 'c'};
        for (int i = 0; i < 2_000_000; i++) {
            Object value = values[i & 3];
            if (value instanceof Integer number) shapes += number;
            else if (value instanceof String string) shapes += string.length();
            else if (value instanceof Long number) shapes ^= number;
            else shapes++;
        }
        try {
            for (int i = 0; ; i++) counts[i] -= (int) (shapes % 100);
        } catch (ArrayIndexOutOfBoundsException expected) {
            for (int round = 0; round < 100_000; round++) {
                for (int count : counts) shapes = shapes * 3 + (count ^ round);
            }
        }
        System.out.println(shapes);
    }
}
