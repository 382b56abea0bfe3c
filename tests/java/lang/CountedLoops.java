// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Loops with all sorts of steps, over indices that are linear in the counter: sums, the elements stored before an index
// is out of bounds, loops without an iteration, loops at the ends of the ints.
public class CountedLoops {
    private static int[] numbers(int length) {
        int[] numbers = new int[length];
        for (int i = 0; i < length; i++) numbers[i] = i * 7 + 1;
        return numbers;
    }

    private static int row(int[] values, int row, int columns) {
        int sum = 0;
        for (int i = 0; i < columns; i++) sum = sum * 31 + values[row * columns + i];
        return sum;
    }

    private static int column(int[] values, int column, int rows, int columns) {
        int sum = 0;
        for (int i = rows - 1; i >= 0; i--) sum = sum * 31 + values[i * columns + column];
        return sum;
    }

    private static int triangle(int[] values, int rows) {
        int sum = 0;
        for (int i = 0; i < rows; i++)
            for (int j = i + 1; j < rows; j++) sum = sum * 31 + (values[i * rows + j] -= values[j * rows + i]);
        return sum;
    }

    private static int strided(int[] values, int first, int limit, int stride) {
        int sum = 0;
        for (int i = first; i <= limit; i += stride) sum = sum * 31 + values[i];
        return sum;
    }

    private static int threes(int[] values, int limit) {
        int sum = 0;
        for (int i = 0; i < limit; i += 3) {
            if (values[i] % 5 == 0) continue;
            sum += values[i] ^ values[i + 2];
        }
        return sum;
    }

    private static int reversed(int[] from, int[] to, int count) {
        int last = from.length - 1;
        for (int i = 0; i < count; i++) to[i] = from[last - i];
        return to[count - 1];
    }

    private static final class Sum {
        int value;
        Sum self;
    }
    // Only the loop sees the object. When a poll deoptimizes, the object must have the values that the loop has stored.
    private static int kept(int count, int mask) {
        Sum sum = new Sum();
        sum.self = sum;
        for (int i = 0; i < count; i++) sum.value += i ^ mask;
        return sum.self.value;
    }

    private static int filled(int[] values, int from, int count) {
        int done = 0;
        try {
            for (int i = 0; i < count; i++) {
                values[from + i] = -i;
                done++;
            }
        } catch (IndexOutOfBoundsException thrown) {
            return ~done;
        }
        return done;
    }

    private static double product(double[] a, double[] b, int size) {
        double sum = 0;
        for (int k = 0; k < size; k++) sum += a[k] * b[size - 1 - k];
        return sum;
    }

    private static long atTheEnd(int first) {
        long sum = 0;
        for (int i = first; i < Integer.MAX_VALUE; i++) sum = sum * 31 + i;
        for (int i = -first; i > Integer.MIN_VALUE; i--) sum = sum * 31 + i;
        return sum;
    }

    private static long polled(int limit, int stop) {
        long sum = 0;
        int i = 0, j = 7;
        for (; i < limit; i++) {
            j = j * 5 + i;
            if (i == stop) break;
            sum += j >>> 3;
        }
        return sum * 31 + i + j;
    }

    private static int tried(int[] values, int kind, int a, int b) {
        try {
            switch (kind) {
                case 0: return row(values, a, b);
                case 1: return column(values, a, 5, b);
                case 2: return strided(values, a, b, 3);
                case 3: return strided(values, 2, a, b);
                case 4: return threes(values, a * b);
                case 5: return reversed(values, new int[40], a + b);
                case 6: return filled(values, a, b);
                default: return triangle(values, a);
            }
        } catch (IndexOutOfBoundsException thrown) {
            return thrown.getClass().getName().hashCode();
        }
    }

    public static void main(String[] arguments) {
        long sum = 0;
        double doubles = 0;
        int[] ends = {0, 1, 3, 5, 8, 20, 39, 40, 41, -1, 1 << 28, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int round = 0; round < 12; round++) {
            for (int kind = 0; kind < 8; kind++) {
                for (int a : ends) {
                    for (int b : ends) {
                        if (kind == 3 && b <= 0) continue;   // it would not end
                        if (round < 9 && (a < 0 || b < 0 || a * (long) b > 40)) continue;   // first only usual ones
                        sum = sum * 31 + tried(numbers(40), kind, a, b);
                    }
                }
            }
            for (int limit : new int[]{0, 1, 999, 1000, 1001, 5000}) {
                sum = sum * 31 + polled(limit, -1) + polled(limit, 1500);
                sum = sum * 31 + row(numbers(3 * 5000), 2, limit) + strided(numbers(5001), 0, limit, 2);
                sum = sum * 31 + kept(limit, round);
            }
            sum = sum * 31 + atTheEnd(Integer.MAX_VALUE - 2500);
            double[] values = new double[3000];
            for (int i = 0; i < values.length; i++) values[i] = i * 0.5 + round;
            doubles += product(values, values, values.length);
        }
        System.out.println(sum + " " + doubles);
    }
}
