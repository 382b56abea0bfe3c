// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual thread below a C function stays on its OS thread: qsort calls a comparator that sleeps, parks, yields,
// waits and enters a monitor that others hold, and finds the same pthread_self each time.
// since: 25
// jvm: --enable-native-access=ALL-UNNAMED -Djdk.virtualThreadScheduler.parallelism=3
// jvm: -Djdk.virtualThreadScheduler.maxPoolSize=3
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static java.lang.foreign.ValueLayout.*;

public class ForeignPinned {
    static final Linker LINKER = Linker.nativeLinker();
    static final MethodHandle SELF = function("pthread_self", FunctionDescriptor.of(JAVA_LONG));
    static final MethodHandle SORT =
            function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    static final int COUNT = 24;
    static final Object lock = new Object();

    static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }

    static long self() {
        try {
            return (long) SELF.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    interface Sleep {
        void sleep() throws InterruptedException;
    }

    static Sleep sleep;
    static long caller;
    static int comparisons, changes;

    static int compare(MemorySegment a, MemorySegment b) {
        try {
            sleep.sleep();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        comparisons++;
        if (self() != caller) changes++;
        return Integer.compare(a.get(JAVA_INT, 0), b.get(JAVA_INT, 0));
    }

    static void sort() {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle compare = MethodHandles.lookup().findStatic(
                    ForeignPinned.class, "compare",
                    MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
            MemorySegment stub = LINKER.upcallStub(
                    compare,
                    FunctionDescriptor.of(
                            JAVA_INT, ADDRESS.withTargetLayout(JAVA_INT), ADDRESS.withTargetLayout(JAVA_INT)),
                    arena);
            MemorySegment array = arena.allocate(JAVA_INT, COUNT);
            for (int i = 0; i < COUNT; i++) array.setAtIndex(JAVA_INT, i, i * 7919 % 101);
            caller = self();
            SORT.invokeExact(array, (long) COUNT, 4L, stub);
            for (int i = 1; i < COUNT; i++) {
                if (array.getAtIndex(JAVA_INT, i) < array.getAtIndex(JAVA_INT, i - 1)) throw new AssertionError(i);
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static volatile boolean stop;

    // Holds the lock from time to time, and keeps the carriers busy.
    static void disturb() {
        while (!stop) {
            synchronized (lock) {
                LockSupport.parkNanos(100_000);
            }
            Thread.yield();
        }
    }

    static void run(String name, Sleep how) throws InterruptedException {
        sleep = how;
        comparisons = changes = 0;
        stop = false;
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) others.add(Thread.startVirtualThread(ForeignPinned::disturb));
        Thread sorter = Thread.startVirtualThread(ForeignPinned::sort);
        sorter.join();
        stop = true;
        for (Thread each : others) each.join();
        System.out.println(name + ": compared " + (comparisons >= COUNT - 1) + ", changes " + changes);
    }

    public static void main(String[] arguments) throws InterruptedException {
        run("sleep", () -> Thread.sleep(1));
        run("park", () -> LockSupport.parkNanos(200_000));
        run("yield", Thread::yield);
        run("wait", () -> {
            synchronized (lock) {
                lock.wait(1);
            }
        });
        run("enter", () -> {
            synchronized (lock) {
                Thread.onSpinWait();
            }
        });
    }
}
