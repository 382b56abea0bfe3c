// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx32m
// Far more allocation than the heap holds, from several threads.
public class Churn {
    public static void main(String[] args) throws Exception {
        Thread[] ts = new Thread[4];
        long[] sums = new long[4];
        for (int t = 0; t < 4; t++) {
            int k = t;
            ts[t] =
                    new Thread(
                            () -> {
                                Object[] ring = new Object[500];
                                long s = 0;
                                for (int i = 0; i < 150_000; i++) {
                                    Object[] o =
                                            new Object[] {
                                                ring[(i * 7) % 500] == null ? null : k,
                                                new int[i % 60],
                                                "x" + (i & 15)
                                            };
                                    ring[i % 500] = o;
                                    s += ((int[]) o[1]).length + ((String) o[2]).length();
                                }
                                sums[k] = s;
                            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(sums[0] + " " + (sums[0] == sums[1]) + " " + (sums[2] == sums[3]));
    }
}
