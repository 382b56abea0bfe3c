// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The log names what a virtual thread does while a C function on its stack keeps it on its carrier, and says nothing
// before and after the C function.
// since: 25
// jvm: --enable-native-access=ALL-UNNAMED -Xlog:virtualthread+pinned:file=pinned.log:none
// expected: before: []
// expected: below C: [Thread N is pinned to carrier N: LockSupport.park, native frame on the stack]
// expected: below C: [Thread N is pinned to carrier N: Object.wait, native frame on the stack]
// expected: after: []
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

import static java.lang.foreign.ValueLayout.*;

public class ForeignPinnedLog {
    static final Object lock = new Object();
    static int read;
    static boolean waits;

    static void tell(String when) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("pinned.log"));
        TreeSet<String> fresh = new TreeSet<>();
        for (String line : lines.subList(read, lines.size())) fresh.add(line.replaceAll("[0-9]+", "N"));
        read = lines.size();
        System.out.println(when + ": " + fresh);
    }

    static void sleep() {
        try {
            if (!waits) {
                Thread.sleep(2);
            } else {
                synchronized (lock) {
                    lock.wait(2);
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static int compare(MemorySegment a, MemorySegment b) {
        sleep();
        return 0;
    }

    static void callC() {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle compare = MethodHandles.lookup().findStatic(
                    ForeignPinnedLog.class, "compare",
                    MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
            MemorySegment stub =
                    linker.upcallStub(compare, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), arena);
            MethodHandle sort = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("qsort"),
                    FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
            sort.invokeExact(arena.allocate(JAVA_INT, 2), 2L, 4L, stub);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void run(Runnable body) throws InterruptedException {
        Thread.startVirtualThread(body).join();
    }

    public static void main(String[] arguments) throws Exception {
        run(ForeignPinnedLog::sleep);
        tell("before");
        run(ForeignPinnedLog::callC);
        tell("below C");
        waits = true;
        run(ForeignPinnedLog::callC);
        tell("below C");
        run(() -> {
            callC();
            try {
                read = Files.readAllLines(Path.of("pinned.log")).size();
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
            sleep();
        });
        tell("after");
    }
}
