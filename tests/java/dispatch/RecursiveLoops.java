// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method calls itself from within both of its loops. Code that was entered at a loop header must call the method's
// normal entry.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class RecursiveLoops {
    static long sum(Object value) {
        if (value instanceof Map) {
            long sum = 1;
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                sum = sum * 31 + entry.getKey().hashCode() + sum(entry.getValue());
            }
            return sum;
        }
        if (value instanceof List) {
            long sum = 2;
            for (Object each : (List<?>) value) sum = sum * 37 + sum(each);
            return sum;
        }
        return value == null ? 3 : value.hashCode();
    }

    public static void main(String[] arguments) {
        List<Object> list = new ArrayList<>();
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            Map<String, Object> inner = new LinkedHashMap<>();
            inner.put("name", "number " + i);
            inner.put("value", i * 7 - 300);
            inner.put("parts", new ArrayList<>(Arrays.asList(1, 2, new ArrayList<>(Arrays.asList(i)), null)));
            list.add(inner);
            map.put("key " + i, inner);
        }
        for (Object value : new Object[] {list, map}) {
            long sum = 0;
            for (int i = 0; i < 300; i++) sum = sum * 31 + sum(value);
            System.out.println(sum);
        }
    }
}
