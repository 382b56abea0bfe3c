// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronized methods that have run often: results of each type, recursion, exceptions, contention; afterwards no
// monitor is held.
public class SynchronizedMethods {
    int count;
    static int total;

    synchronized void plain() {
        count++;
    }

    synchronized boolean isOdd() {
        return (count & 1) != 0;
    }

    synchronized byte asByte() {
        return (byte) count;
    }

    synchronized char asChar() {
        return (char) count;
    }

    synchronized short asShort() {
        return (short) count;
    }

    synchronized long asLong(long more) {
        return count + more;
    }

    synchronized float asFloat() {
        return count;
    }

    synchronized double asDouble(double more) {
        return count + more;
    }

    synchronized Object self() {
        return this;
    }

    static synchronized int add(int by) {
        total += by;
        return total;
    }

    synchronized int deep(int levels) {
        return levels == 0 ? count : deep(levels - 1) + 1;
    }

    synchronized int loop(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum += i;
            count++;
        }
        return sum;
    }

    synchronized int loopFirst() {
        do {
            count--;
        } while (count > 100);
        return count;
    }

    synchronized int fails(int at) {
        if (at % 3 == 0) {
            throw new IllegalStateException("at " + at);
        }
        return at / (at % 2);
    }

    static synchronized int failsStatically(int at) {
        return new int[2][at & 3].length;
    }

    synchronized int withBlock(Object other, int value) {
        synchronized (other) {
            if (value == 7) {
                throw new RuntimeException("seven");
            }
            return value;
        }
    }

    synchronized void forEver(int depth) {
        forEver(depth + 1);
    }

    static void check(Object lock, String what) {
        if (Thread.holdsLock(lock)) {
            System.out.println("still locked after " + what);
        }
    }

    public static void main(String[] args) throws Exception {
        SynchronizedMethods here = new SynchronizedMethods();
        double sum = 0;
        int caught = 0;
        Object other = new Object();
        for (int i = 0; i < 3000; i++) {
            here.plain();
            sum += here.isOdd() ? 1 : 0;
            sum += here.asByte() + here.asChar() + here.asShort() + here.asLong(1L << 33) + here.asFloat()
                    + here.asDouble(0.5);
            if (here.self() != here) {
                System.out.println("somebody else");
            }
            sum += add(i) + here.deep(i % 7);
            try {
                sum += here.fails(i);
            } catch (IllegalStateException | ArithmeticException e) {
                caught++;
            }
            try {
                sum += failsStatically(i - 3);
            } catch (NegativeArraySizeException e) {
                caught++;
            }
            try {
                sum += here.withBlock(other, i % 10);
            } catch (RuntimeException e) {
                caught++;
            }
            check(here, "calls");
            check(other, "block");
            check(SynchronizedMethods.class, "static calls");
        }
        sum += here.loop(20000) + here.loopFirst();
        System.out.println(sum + " " + caught + " " + here.count);
        for (int i = 0; i < 3; i++) {
            try {
                here.forEver(0);
            } catch (StackOverflowError e) {
                check(here, "overflow");
            }
        }
        here.count = 0;
        total = 0;
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 5000; i++) {
                                    here.plain();
                                    add(1);
                                    here.loop(3);
                                    if (i % 100 == 0) {
                                        Thread.yield();
                                    }
                                }
                            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        check(here, "contention");
        System.out.println(here.count + " " + total);
        here.hashCode();
        System.out.println(here.deep(5));
        Thread waiting =
                new Thread(
                        () -> {
                            synchronized (here) {
                                here.count = -1;
                                here.notifyAll();
                            }
                        });
        synchronized (here) {
            waiting.start();
            while (here.count != -1) {
                here.wait();
            }
        }
        waiting.join();
        System.out.println(here.deep(3));
    }
}
