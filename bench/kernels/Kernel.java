// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels share: run the work several times, print the fastest and the median time and a checksum.
//
// Usage of each kernel: <VM> -cp build/bench/classes <Kernel> [repetitions]
// Output: "<name> <fastest ns> <median ns> <checksum>".

import java.util.Arrays;

public abstract class Kernel {
    /**
     * One repetition: some 50 to 200 ms of interpreted work. The result goes into the checksum, so nothing can be
     * dropped.
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
        Arrays.sort(nanoseconds);
        System.out.println(getClass().getSimpleName() + " " + nanoseconds[0] + " " + nanoseconds[repetitions / 2] + " "
                + checksum);
    }
}
