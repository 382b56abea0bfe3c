// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The dining philosophers on nested monitors.
public class Philosophers {
    public static void main(String[] args) throws Exception {
        int n = 5;
        Object[] forks = new Object[n];
        for (int i = 0; i < n; i++) forks[i] = new Object();
        int[] eaten = new int[n];
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++) {
            int k = i;
            Object lo = forks[Math.min(i, (i + 1) % n)], hi = forks[Math.max(i, (i + 1) % n)];
            ts[i] =
                    new Thread(
                            () -> {
                                for (int m = 0; m < 1000; m++)
                                    synchronized (lo) {
                                        synchronized (hi) {
                                            eaten[k]++;
                                        }
                                    }
                            });
            ts[i].start();
        }
        int sum = 0;
        for (int i = 0; i < n; i++) {
            ts[i].join();
            sum += eaten[i];
        }
        System.out.println(sum);
    }
}
