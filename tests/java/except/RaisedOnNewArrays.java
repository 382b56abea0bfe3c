// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frequent exceptions about arrays that do not escape, in methods that catch other exceptions: compiled code passes the
// array to the code that throws.
public class RaisedOnNewArrays {
    static int load(boolean outside) {
        try {
            return outside ? new char[] {'a', 'b', 'c'}[3] : new char[] {'a', 'b'}[1];
        } catch (NegativeArraySizeException negative) {
            return -1;
        }
    }

    static int store(int value) {
        try {
            new int[] {1, 2, 3}[4] = value;
            return value;
        } catch (NegativeArraySizeException negative) {
            return -1;
        }
    }

    static Object storeObject(Object value) {
        try {
            Object[] array = new Number[4];
            array[3] = value;
            return array[3];
        } catch (NegativeArraySizeException negative) {
            return null;
        }
    }

    static int caught(int value, Object object) {
        try {
            Number[] numbers = {value, 7};
            Object[] array = numbers;
            array[1] = object;
            return numbers[1].intValue();
        } catch (ArrayStoreException other) {
            return other.getMessage().length();
        } finally {
            total += value;
        }
    }

    static long total;

    static String said(java.util.concurrent.Callable<?> code) {
        try {
            return String.valueOf(code.call());
        } catch (Exception exception) {
            return exception.toString();
        }
    }

    public static void main(String[] args) {
        java.util.Map<String, Integer> counts = new java.util.TreeMap<>();
        for (int i = 0; i < 300; i++) {
            int number = i % 7;
            Object value = number < 3 ? (Object) number : "text";
            counts.merge("load: " + said(() -> load(number > 2)), 1, Integer::sum);
            counts.merge("store: " + said(() -> store(number)), 1, Integer::sum);
            counts.merge("object: " + said(() -> storeObject(value)), 1, Integer::sum);
            counts.merge("caught: " + said(() -> caught(number, value)), 1, Integer::sum);
        }
        counts.forEach((what, count) -> System.out.println(count + "  " + what));
        System.out.println(total);
    }
}
