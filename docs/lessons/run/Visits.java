import java.util.concurrent.atomic.AtomicInteger;

public class Visits {
    static int visits;
    static final AtomicInteger safeVisits = new AtomicInteger();

    static void count() {
        for (int i = 0; i < 100_000; i++) visits++;
    }

    static void countSafely() {
        for (int i = 0; i < 100_000; i++) safeVisits.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Runnable work = args.length == 0 ? Visits::count : Visits::countSafely;
        Thread north = new Thread(work, "north");
        Thread south = new Thread(work, "south");
        north.start();
        south.start();
        north.join();
        south.join();
        System.out.println(visits + safeVisits.get() + " of 200000 visits");
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
