// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 8.1: one branch is taken for a long time, then the other. Each call is long enough to have its code compiled.
public class GuessFails {
    static int sum(int step) {
        int sum = 0;
        for (int i = 1; i < 1_000_000; i++) {
            int n = i * step;
            sum += n < 0 ? -n * 7 : n;
        }
        return sum;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 300; i++) sum += sum(1);
        long end = System.nanoTime() + 4_000_000_000L;   // enough time to compile the method and run the code
        while (System.nanoTime() < end) sum += sum(-1);
        System.out.println(sum);
    }
}
