// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads park while only their stacks refer to some objects, young and old ones. They sleep through young and
// full collections, some longer than others; then they run, drop these objects and make new ones. The objects are
// locked, waited for, in frames of several depths, and in arguments. None may get lost.
// since: 25
// jvm: -Xmx96m -Xmn4m -Djdk.virtualThreadScheduler.parallelism=20
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

public class ParkedReferences {
    static final int THREADS = 40, RUNS = 6;
    static volatile Object sink;
    static volatile int finished;

    static final class Cargo {
        final int thread, run;
        final int[] weight;
        Cargo below;
        Cargo(int thread, int run, Cargo below) {
            this.thread = thread;
            this.run = run;
            this.below = below;
            weight = new int[20 + thread];
            for (int i = 0; i < weight.length; i++) weight[i] = thread * 1000 + run * 10 + i;
        }
        void check(int thread, int run) {
            if (this.thread != thread || this.run != run || weight.length != 20 + thread)
                throw new AssertionError(thread + " run " + run + " has the cargo of " + this.thread + " run " + this.run);
            for (int i = 0; i < weight.length; i++)
                if (weight[i] != thread * 1000 + run * 10 + i) throw new AssertionError("weight " + i + " of " + thread);
        }
    }

    static final AtomicIntegerArray go = new AtomicIntegerArray(THREADS);   // rounds of work() that a thread may finish

    static void park(int thread, int run) {
        while (go.get(thread) <= run) LockSupport.park();
    }
    static Cargo deep(int depth, int thread, int run) {
        Cargo own = new Cargo(thread, run, null);
        if (depth == 0) park(thread, run);
        else own.below = deep(depth - 1, thread, run);
        own.check(thread, run);
        return own;
    }
    static int carried(Cargo argument, int thread, int run) {
        int hash = System.identityHashCode(argument);
        park(thread, run);
        return System.identityHashCode(argument) == hash ? argument.weight[0] : -1;
    }
    static void work(int thread) {
        Cargo old = new Cargo(thread, -1, null);   // this object grows old while the frame refers to it
        Cargo last = old;
        for (int run = 0; run < RUNS; run++) {
            Cargo cargo = new Cargo(thread, run, last);
            switch (thread % 5) {
                case 0 -> park(thread, run);
                case 1 -> {
                    synchronized (cargo) {
                        synchronized (cargo.weight) {
                            park(thread, run);
                        }
                    }
                }
                case 2 -> {
                    synchronized (cargo) {
                        while (go.get(thread) <= run) {
                            try {
                                cargo.wait();
                            } catch (InterruptedException e) {
                            }
                        }
                    }
                }
                case 3 -> {
                    Cargo top = deep(run * 3, thread, run);
                    int count = 0;
                    for (Cargo here = top; here != null; here = here.below, count++) here.check(thread, run);
                    if (count != run * 3 + 1) throw new AssertionError(count);
                }
                default -> {
                    if (carried(cargo, thread, run) != cargo.weight[0]) throw new AssertionError("argument");
                }
            }
            cargo.check(thread, run);
            cargo.below.check(thread, run - 1);
            old.check(thread, -1);
            cargo.below = null;
            last = cargo;
        }
        synchronized (ParkedReferences.class) {
            finished++;
        }
    }
    static void makeGarbage(int kilobytes) {
        for (int i = 0; i < kilobytes; i++) sink = new byte[1000];
    }
    static void awaitParked(List<Thread> all) throws InterruptedException {
        for (Thread thread : all) {
            while (thread.getState() != Thread.State.WAITING && thread.isAlive()) Thread.sleep(1);
        }
    }
    public static void main(String[] arguments) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            all.add(Thread.startVirtualThread(() -> work(number)));
        }
        for (int round = 0; finished < THREADS; round++) {
            awaitParked(all);
            makeGarbage(round % 3 == 0 ? 20_000 : 5_000);
            if (round % 4 == 1) System.gc();
            if (round % 2 == 1) makeGarbage(10_000);
            for (int i = 0; i < THREADS; i++) {
                if ((i + round) % 3 == 0) continue;
                go.incrementAndGet(i);
                if (i % 5 == 2) all.get(i).interrupt();
                else LockSupport.unpark(all.get(i));
            }
        }
        for (Thread thread : all) thread.join();
        System.out.println(finished + " finished");
    }
}
