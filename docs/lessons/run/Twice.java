public class Twice {
    static class Counter {
        private int count;

        synchronized void add(int n) {
            count += n;
        }
        synchronized int count() {
            return count;
        }
    }

    static int count(int n) {
        Counter counter = new Counter();
        counter.add(n);
        counter.add(3);
        return counter.count();
    }

    static Counter shared = new Counter();

    static void addTwice(int n) {
        shared.add(n);
        shared.add(3);
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 20_000_000; i++) sum += count(i);
        for (int i = 0; i < 20_000_000; i++) addTwice(i);
        System.out.println("sums " + sum + " " + shared.count());
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
