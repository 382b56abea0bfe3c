// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Two threads count without a lock, and lose counts.
// Run: ./keyhole --look -XX:+DetectDataRaces examples/findings/RaceOnCounter.java
// What finds a schedule that fails: ./keyhole --explore examples/findings/RaceOnCounter.java

public class RaceOnCounter {
    static int count;

    static void count() {
        for (int i = 0; i < 3; i++) count++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread left = new Thread(RaceOnCounter::count, "left");
        Thread right = new Thread(RaceOnCounter::count, "right");
        left.start();
        right.start();
        left.join();
        right.join();
        if (count != 6) throw new AssertionError("counted " + count);
        System.out.println("counted " + count);
    }
}
