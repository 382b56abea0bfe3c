// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Casts and instanceof see only null for a long time, so their classes stay unresolved; then they see an object.
import java.util.function.Function;

public class TestsOfNull {
    static class Wanted {
        static {
            System.out.println("initialised");   // by no test
        }
    }
    static class Other {}

    static Object cast(Object object) {
        return (Wanted) object;
    }
    static boolean test(Object object) {
        return object instanceof Wanted;
    }
    // The cast to Wanted is in the lambda's bridge method.
    static int bridge(Function<Wanted, Integer> function, Object object) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        Object result = ((Function) function).apply(object);
        return (Integer) result;
    }
    static int generic(Object[] objects) {
        int count = 0;
        for (Object object : objects) {
            if (object instanceof Wanted[]) count += 100;
            Wanted[] wanted = (Wanted[]) object;
            if (wanted == null) count++;
        }
        return count;
    }
    static String failure(Runnable body) {
        try {
            body.run();
            return "passed";
        } catch (ClassCastException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] arguments) {
        Object[] nulls = new Object[50];
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            if (cast(null) == null) sum++;
            if (test(null)) sum += 1_000_000;
            sum += bridge(wanted -> wanted == null ? 1 : 7, null);
            if (i % 10 == 0) sum += generic(nulls);
        }
        System.out.println(sum);
        for (Object object : new Object[] {new Other(), "text", new Wanted[0]}) {
            System.out.println(test(object) + " " + failure(() -> cast(object)));
            System.out.println(failure(() -> bridge(wanted -> 2, object)));
            System.out.println(failure(() -> System.out.println(generic(new Object[] {null, object, null}))));
        }
        System.out.println(test(new Wanted()) + " " + bridge(wanted -> 3, new Wanted()));
    }
}
