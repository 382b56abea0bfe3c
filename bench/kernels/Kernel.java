// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The base class of the kernels. It runs the work several times. Then it prints the fastest and the median time, a
// checksum, and the time until nine tenths of the final speed were reached.
//
// Usage of each kernel: <VM> -cp build/bench/classes <Kernel> [repetitions]
// Output: "<name> <fastest ns> <median ns> <checksum> <warm-up ns>".

import java.util.Arrays;

public abstract class Kernel {
    /**
     * Does one repetition: some 4 to 25 ms of interpreted work. The result goes into the checksum, so a compiler
     * cannot drop the work.
     */
    protected abstract long work();

    protected final void measure(String[] arguments) {
        int repetitions = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        long[] nanoseconds = new long[repetitions];
        long checksum = 0;
        for (int i = 0; i < repetitions; i++) {
            long start = System.nanoTime();
            checksum = checksum * 31 + work();
            nanoseconds[i] = System.nanoTime() - start;
        }
        long warmUp = warmUp(nanoseconds);
        Arrays.sort(nanoseconds);
        System.out.println(getClass().getSimpleName() + " " + nanoseconds[0] + " " + nanoseconds[repetitions / 2] + " "
                + checksum + " " + warmUp);
    }

    /**
     * The warm-up time. It ends with the first five repetitions in a row whose median is at most 10/9 of the median of
     * the last quarter of repetitions. Without such repetitions, it is the total time.
     */
    private static long warmUp(long[] nanoseconds) {
        int quarter = Math.max(1, nanoseconds.length / 4);
        long steady = median(nanoseconds, nanoseconds.length - quarter, nanoseconds.length), passed = 0;
        for (int i = 0; i < nanoseconds.length; i++) {
            if (i + 5 <= nanoseconds.length && median(nanoseconds, i, i + 5) * 9 <= steady * 10) return passed;
            passed += nanoseconds[i];
        }
        return passed;
    }

    private static long median(long[] values, int from, int to) {
        long[] sorted = Arrays.copyOfRange(values, from, to);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
