// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the work that a program gets done in its first seconds. It repeats a kernel, and records the process's
// processor time after each repetition, including that of compiling and collecting threads.
//
// Usage: <VM> -cp build/bench/classes FirstSeconds <Kernel> <seconds of processor time>
// Output: a line with the milliseconds of each repetition's end. The kernel counts time in ticks of 10 ms.

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;

public class FirstSeconds {
    private static final int USER_TICKS = 13;
    private static final byte[] buffer = new byte[1024];

    /** Returns the ticks of all threads. Parses the fields after the process name, which is in parentheses and may
     * contain spaces. */
    private static int ticks(RandomAccessFile statistics) throws IOException {
        statistics.seek(0);
        int end = statistics.read(buffer), at = end;
        while (buffer[at - 1] != ')') at--;
        int sum = 0, value = 0;
        for (int field = 2; field < USER_TICKS + 3; at++) {
            if (buffer[at] == ' ') {
                if (field == USER_TICKS + 1 || field == USER_TICKS + 2) sum += value;
                field++;
                value = 0;
            } else {
                value = value * 10 + buffer[at] - '0';
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Kernel kernel = (Kernel) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        int limit = (int) (Double.parseDouble(arguments[1]) * 100), count = 0;
        int[] ends = new int[1024];
        long checksum = 0;
        try (RandomAccessFile statistics = new RandomAccessFile("/proc/self/stat", "r")) {
            int now;
            do {
                checksum = checksum * 31 + kernel.work();
                now = ticks(statistics);
                if (count == ends.length) ends = Arrays.copyOf(ends, 2 * count);
                ends[count++] = now;
            } while (now < limit);
        }
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < count; i++) line.append(ends[i] * 10).append(' ');
        System.out.println(line);
        if (checksum == 42) System.out.println();
    }
}
