// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// C functions that call Java: on the thread that called them, nested, and on threads that C has made.
// since: 25
// jvm: --enable-native-access=ALL-UNNAMED
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.*;

public class ForeignCallbacks {
    private static final Linker LINKER = Linker.nativeLinker();
    private static int depth;

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }

    private static MethodHandle own(String name, Class<?> result, Class<?>... parameters) throws Exception {
        MethodType type = MethodType.methodType(result, parameters);
        return MethodHandles.lookup().findStatic(ForeignCallbacks.class, name, type);
    }

    static int compare(MemorySegment one, MemorySegment other) {
        // Makes garbage, so that objects move while C is on the stack.
        byte[] garbage = new byte[1 << 16];
        return Integer.compare(one.get(JAVA_INT, 0), other.get(JAVA_INT, garbage[0]));
    }

    private static void sort(Arena arena, int[] numbers) throws Throwable {
        var pointer = ADDRESS.withTargetLayout(JAVA_INT);
        MemorySegment comparator = LINKER.upcallStub(own("compare", int.class, MemorySegment.class, MemorySegment.class),
                FunctionDescriptor.of(JAVA_INT, pointer, pointer), arena);
        MemorySegment memory = arena.allocateFrom(JAVA_INT, numbers);
        function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS))
                .invokeExact(memory, (long) numbers.length, 4L, comparator);
        System.out.println(Arrays.stream(memory.toArray(JAVA_INT)).limit(8).boxed().toList());
    }

    // --- nested: Java, C, Java, C ... ---

    private static MethodHandle once;
    private static MemorySegment recursive;

    static int descend(MemorySegment one, MemorySegment other) throws Throwable {
        if (++depth < 20) {
            try (Arena arena = Arena.ofConfined()) {
                once.invokeExact(arena.allocateFrom(JAVA_INT, 2, 1), 2L, 4L, recursive);
            }
        }
        return 0;
    }

    private static void nested(Arena arena) throws Throwable {
        once = function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        MethodHandle caught = MethodHandles.catchException(
                own("descend", int.class, MemorySegment.class, MemorySegment.class), Throwable.class,
                own("failed", int.class, Throwable.class));
        recursive = LINKER.upcallStub(caught, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), arena);
        once.invokeExact(arena.allocateFrom(JAVA_INT, 2, 1), 2L, 4L, recursive);
        System.out.println(depth);
    }

    static int failed(Throwable thrown) {
        System.out.println(thrown);
        return 0;
    }

    // --- structures, and every kind of number ---

    private static final StructLayout POINT = MemoryLayout.structLayout(JAVA_FLOAT, JAVA_FLOAT, JAVA_LONG);

    static MemorySegment swapped(MemorySegment point, byte small, short number, char letter, float real, double wide,
                                 boolean flag, long large) {
        System.out.println(small + " " + number + " " + letter + " " + real + " " + wide + " " + flag + " " + large);
        MemorySegment result = Arena.ofAuto().allocate(POINT);
        result.set(JAVA_FLOAT, 0, point.get(JAVA_FLOAT, 4));
        result.set(JAVA_FLOAT, 4, point.get(JAVA_FLOAT, 0));
        result.set(JAVA_LONG, 8, large);
        return result;
    }

    // Java calls an upcall stub like any other C function.
    private static void called(Arena arena) throws Throwable {
        FunctionDescriptor descriptor = FunctionDescriptor.of(POINT, POINT, JAVA_BYTE, JAVA_SHORT, JAVA_CHAR,
                                                              JAVA_FLOAT, JAVA_DOUBLE, JAVA_BOOLEAN, JAVA_LONG);
        MemorySegment stub = LINKER.upcallStub(
                own("swapped", MemorySegment.class, MemorySegment.class, byte.class, short.class, char.class, float.class,
                    double.class, boolean.class, long.class), descriptor, arena);
        MemorySegment point = arena.allocate(POINT);
        point.set(JAVA_FLOAT, 0, 1.5f);
        point.set(JAVA_FLOAT, 4, 2.5f);
        MemorySegment result = (MemorySegment) LINKER.downcallHandle(stub, descriptor).invokeExact(
                (SegmentAllocator) arena, point, (byte) -1, (short) -2, 'x', 0.25f, -1e300, true, Long.MIN_VALUE);
        System.out.println(result.get(JAVA_FLOAT, 0) + " " + result.get(JAVA_FLOAT, 4) + " " + result.get(JAVA_LONG, 8));
    }

    // --- threads of C ---

    private static final ThreadLocal<Integer> CALLS = ThreadLocal.withInitial(() -> 0);
    private static volatile Thread caller;

    static MemorySegment run(MemorySegment argument) {
        Thread thread = Thread.currentThread();
        caller = thread;
        CALLS.set(CALLS.get() + 1);
        System.out.println("called with " + argument.address() + ", daemon " + thread.isDaemon() + ", "
                           + thread.getThreadGroup().getName() + ", priority " + thread.getPriority() + ", "
                           + thread.getState() + ", calls " + CALLS.get() + ", " + thread.getStackTrace().length / 1000);
        System.gc();
        return MemorySegment.ofAddress(argument.address() + 1);
    }

    private static void threads(Arena arena) throws Throwable {
        MemorySegment body = LINKER.upcallStub(own("run", MemorySegment.class, MemorySegment.class),
                                               FunctionDescriptor.of(ADDRESS, ADDRESS), arena);
        MethodHandle create = function("pthread_create",
                                       FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        MethodHandle join = function("pthread_join", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
        for (int i = 0; i < 3; ++i) {
            MemorySegment id = arena.allocate(JAVA_LONG), result = arena.allocate(ADDRESS);
            int failure = (int) create.invokeExact(id, MemorySegment.NULL, body, MemorySegment.ofAddress(100 + i));
            failure += (int) join.invokeExact(id.get(JAVA_LONG, 0), result);
            caller.join();
            System.out.println(failure + " " + result.get(ADDRESS, 0).address() + " " + caller.isAlive() + " "
                               + caller.getState());
        }
    }

    static void declares() throws java.io.IOException {}

    public static void main(String[] arguments) throws Throwable {
        try (Arena arena = Arena.ofShared()) {
            sort(arena, new int[] {5, 3, 9, 1, -4, 7});
            sort(arena, new java.util.Random(1).ints(2000, 0, 100).toArray());
            nested(arena);
            called(arena);
            threads(arena);
            for (MethodHandle target : new MethodHandle[] {own("declares", void.class), own("depthText", String.class)}) {
                try {
                    LINKER.upcallStub(target, FunctionDescriptor.ofVoid(), arena);
                } catch (IllegalArgumentException refused) {
                    System.out.println(refused.getMessage());
                }
            }
        }
    }

    static String depthText() {
        return "" + depth;
    }
}
