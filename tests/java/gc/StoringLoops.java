// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx16m -XX:MaxTenuringThreshold=0
// Loops store new objects into the elements of old arrays: upwards, downwards, at an offset, only into some elements,
// from another array, or until an exception ends the loop. Young collections follow, and all objects must still exist.
// The collections make all objects old, so no card is dirty when the next loop begins.
import java.util.Arrays;
import java.util.Vector;

public class StoringLoops {
    record Box(int value) {}

    static void up(Object[] array, int round) {
        for (int i = 0; i < array.length; i++) array[i] = new Box(round + i);
    }
    static void down(Object[] array, int round) {
        for (int i = array.length - 1; i >= 0; i--) array[i] = new Box(round - i);
    }
    static void shifted(Object[] array, int round) {
        Box box = new Box(round);
        for (int i = 0; i < array.length - 300; i++) array[i + 300] = box;
        for (int i = array.length - 1; i > 200; i--) array[i - 1] = array[i];
    }
    static void some(Object[] array, int round) {
        for (int i = 0; i < array.length; i++) {
            if ((i * 31 + round) % 97 == 0) array[i] = new Box(i ^ round);
        }
    }
    static void copied(Object[] from, Object[] to) {
        int at = to.length;
        for (int i = 0; i < from.length && at > 0; i++) to[--at] = from[i];
    }
    static int ended(Object[] array, Object value, int beyond) {
        int i = 0;
        try {
            for (; i < array.length + beyond; i++) array[i] = value;
        } catch (ArrayIndexOutOfBoundsException | ArrayStoreException e) {
            return -i;
        }
        return i;
    }
    static void appended(Vector<Object> vector, int round) {
        vector.clear();
        for (int i = 0; i < 3000; i++) vector.add(new Box(round * i));
    }

    static long sum(Object[] array) {
        long sum = 0;
        for (Object element : array) sum = sum * 31 + (element instanceof Box box ? box.value : 7);
        return sum;
    }
    static int garbage;
    static long sumLater(Object[] array) {
        for (int i = 0; i < 20_000; i++) garbage += new byte[1000 + i % 7].length;
        return sum(array);
    }

    public static void main(String[] arguments) {
        Object[] first = new Object[5000], second = new Object[5003], none = new Object[0];
        Box[] boxes = new Box[700];
        Vector<Object> vector = new Vector<>(4000);
        Object[][] all = {first, second, none, boxes};
        for (int i = 0; i < 2000; i++) {   // compiled
            ended(boxes, boxes[0], i % 2);
            up(boxes, i);
            down(boxes, i);
            shifted(boxes, i);
            some(boxes, i);
            copied(boxes, none);
            if (i % 10 == 0) appended(vector, i);
        }
        long sum = sumLater(boxes);
        for (int round = 1; round <= 4; round++) {
            for (Object[] array : all) {
                up(array, round);
                sum = sum * 17 + sumLater(array);
                down(array, round);
                sum = sum * 17 + sumLater(array);
                some(array, round);
                sum = sum * 17 + sumLater(array);
                shifted(array.length > 300 ? array : first, round);
                sum = sum * 17 + sumLater(array);
                sum += ended(array, new Box(round), round % 3);
                sum = sum * 17 + sumLater(array);
            }
            sum += ended(boxes, "text", 0);
            up(first, -round);
            copied(first, second);
            sum = sum * 17 + sumLater(second);
            copied(first, boxes);
            sum = sum * 17 + sumLater(boxes);
            appended(vector, round);
            sum = sum * 17 + sumLater(new Object[] {vector}) + sum(vector.toArray());
        }
        System.out.println(sum);
        Arrays.fill(first, null);
        System.out.println(sum(first) + " " + garbage);
    }
}
