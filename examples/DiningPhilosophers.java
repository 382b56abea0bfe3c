// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Five philosophers, five forks, and a rule that prevents deadlock: everyone takes the lower-numbered fork first.
//
// Each fork is an object locked with `synchronized`. Flip -XX:LockingMode= and the same program runs on another lock.
// Run: ./keyhole examples/DiningPhilosophers.java [meals]

public class DiningPhilosophers {
    static final int SEATS = 5;

    static final class Fork {
        final int number;
        int timesUsed;   // guarded by this fork's lock

        Fork(int number) {
            this.number = number;
        }
    }

    static final class Philosopher extends Thread {
        final Fork first;
        final Fork second;
        final int meals;
        int eaten;

        Philosopher(int seat, Fork left, Fork right, int meals) {
            super("philosopher-" + seat);
            // The order on forks makes a cycle of waiting philosophers impossible.
            this.first = left.number < right.number ? left : right;
            this.second = left.number < right.number ? right : left;
            this.meals = meals;
        }

        @Override
        public void run() {
            for (int i = 0; i < meals; i++) {
                synchronized (first) {
                    synchronized (second) {
                        first.timesUsed++;
                        second.timesUsed++;
                        eaten++;
                    }
                }
                Thread.yield();   // think
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int meals = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        Fork[] forks = new Fork[SEATS];
        for (int i = 0; i < SEATS; i++) {
            forks[i] = new Fork(i);
        }
        Philosopher[] table = new Philosopher[SEATS];
        for (int i = 0; i < SEATS; i++) {
            table[i] = new Philosopher(i, forks[i], forks[(i + 1) % SEATS], meals);
        }
        for (Philosopher philosopher : table) {
            philosopher.start();
        }
        for (Philosopher philosopher : table) {
            philosopher.join();
            System.out.println(philosopher.getName() + " has eaten " + philosopher.eaten + " meals");
        }
        for (Fork fork : forks) {
            System.out.println("fork " + fork.number + " was used " + fork.timesUsed + " times");
        }
    }
}
