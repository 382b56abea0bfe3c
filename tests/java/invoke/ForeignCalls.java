// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// C functions: numbers, texts, structures by value, variadic arguments, errno, heap arrays; refused calls; libraries.
// since: 25
// jvm: --enable-native-access=ALL-UNNAMED
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.*;

public class ForeignCalls {
    private static final Linker LINKER = Linker.nativeLinker();

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    private static void numbers() throws Throwable {
        System.out.println((int) function("abs", FunctionDescriptor.of(JAVA_INT, JAVA_INT)).invokeExact(-5));
        System.out.println((long) function("labs", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG)).invokeExact(-5L << 40));
        System.out.println((double) function("pow", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE))
                                   .invokeExact(2.0, 10.0));
        System.out.println((float) function("sqrtf", FunctionDescriptor.of(JAVA_FLOAT, JAVA_FLOAT)).invokeExact(2.0f));
        // A result that is narrower than a register is cut to its own width.
        MethodHandle upper = function("toupper", FunctionDescriptor.of(JAVA_BYTE, JAVA_INT));
        System.out.println((byte) upper.invokeExact((int) 'q') + " " + (byte) upper.invokeExact(0xE9));
        System.out.println((short) function("abs", FunctionDescriptor.of(JAVA_SHORT, JAVA_INT)).invokeExact(-70000));
    }

    private static void texts(Arena arena) throws Throwable {
        MethodHandle length = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
        System.out.println((long) length.invokeExact(arena.allocateFrom("hello")));
        MethodHandle find = function("strchr", FunctionDescriptor.of(
                ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(4, JAVA_BYTE)), ADDRESS, JAVA_INT));
        System.out.println(((MemorySegment) find.invokeExact(arena.allocateFrom("a=bc"), (int) '=')).getString(0));
        MemorySegment buffer = arena.allocate(64);
        FunctionDescriptor printed = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_DOUBLE,
                                                           ADDRESS);
        int count = (int) function("snprintf", printed, Linker.Option.firstVariadicArg(3)).invokeExact(
                buffer, 64L, arena.allocateFrom("%d %.2f %s"), 42, 3.14159, arena.allocateFrom("end"));
        System.out.println(count + " " + buffer.getString(0));
    }

    private static void structures(Arena arena) throws Throwable {
        StructLayout quotient = MemoryLayout.structLayout(JAVA_INT.withName("quot"), JAVA_INT.withName("rem"));
        MemorySegment small = (MemorySegment) function("div", FunctionDescriptor.of(quotient, JAVA_INT, JAVA_INT))
                .invokeExact((SegmentAllocator) arena, 47, 5);
        System.out.println(small.get(JAVA_INT, 0) + " " + small.get(JAVA_INT, 4));
        StructLayout wide = MemoryLayout.structLayout(JAVA_LONG.withName("quot"), JAVA_LONG.withName("rem"));
        MemorySegment large = (MemorySegment) function("ldiv", FunctionDescriptor.of(wide, JAVA_LONG, JAVA_LONG))
                .invokeExact((SegmentAllocator) arena, -47L, 5L);
        System.out.println(large.get(JAVA_LONG, 0) + " " + large.get(JAVA_LONG, 8));
        StructLayout complex = MemoryLayout.structLayout(JAVA_DOUBLE, JAVA_DOUBLE);
        MemorySegment number = arena.allocate(complex);
        number.set(JAVA_DOUBLE, 0, 3);
        number.set(JAVA_DOUBLE, 8, 4);
        MemorySegment conjugate = (MemorySegment) function("conj", FunctionDescriptor.of(complex, complex))
                .invokeExact((SegmentAllocator) arena, number);
        System.out.println(conjugate.get(JAVA_DOUBLE, 0) + " " + conjugate.get(JAVA_DOUBLE, 8));
    }

    private static void state(Arena arena) throws Throwable {
        StructLayout layout = Linker.Option.captureStateLayout();
        MemorySegment captured = arena.allocate(layout);
        MethodHandle open = function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                                     Linker.Option.captureCallState("errno"));
        System.out.println((int) open.invokeExact(captured, arena.allocateFrom("/no/such/file"), 0) + " "
                           + captured.get(JAVA_INT, 0) + " " + layout);
    }

    private static void heap() throws Throwable {
        MethodHandle copy = function("memcpy", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG),
                                     Linker.Option.critical(true));
        int[] from = {9, 8, 7}, to = new int[5];
        for (int i = 0; i < 1000; ++i) {
            from = from.clone();
            MemorySegment ignored = (MemorySegment) copy.invokeExact(
                    MemorySegment.ofArray(to).asSlice(4), MemorySegment.ofArray(from), 12L);
        }
        System.out.println(Arrays.toString(to));
        byte[] bytes = new byte[4];
        MemorySegment set = (MemorySegment) function("memset", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG),
                Linker.Option.critical(true)).invokeExact(MemorySegment.ofArray(bytes), 7, 3L);
        System.out.println(Arrays.toString(bytes));
    }

    private static void refused(Arena arena) {
        MethodHandle length = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
        attempt(() -> length.invoke(MemorySegment.ofArray(new int[1])));
        attempt(() -> length.invoke("text"));
        attempt(() -> length.invoke((Object) null));
        Arena closed = Arena.ofConfined();
        MemorySegment text = closed.allocateFrom("x");
        closed.close();
        attempt(() -> length.invoke(text));
        attempt(() -> LINKER.downcallHandle(FunctionDescriptor.ofVoid()).invoke(MemorySegment.NULL));
        attempt(() -> LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN))));
        attempt(() -> LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG.withByteAlignment(1))));
        attempt(() -> LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_INT), Linker.Option.firstVariadicArg(3)));
        attempt(() -> Linker.Option.captureCallState("nothing"));
        attempt(() -> LINKER.defaultLookup().findOrThrow("no_such_function"));
        System.out.println(LINKER.defaultLookup().find("no_such_function"));
    }

    private interface Attempt {
        Object run() throws Throwable;
    }

    private static void attempt(Attempt attempt) {
        try {
            System.out.println(attempt.run());
        } catch (Throwable thrown) {
            String message = thrown instanceof NullPointerException ? "" : String.valueOf(thrown.getMessage());
            System.out.println(thrown.getClass().getName() + ": " + message.replaceAll("\\[I@\\w+", "[I"));
        }
    }

    private static void libraries(Arena arena) throws Throwable {
        FunctionDescriptor version = FunctionDescriptor.of(ADDRESS.withTargetLayout(
                MemoryLayout.sequenceLayout(32, JAVA_BYTE)));
        SymbolLookup zlib = SymbolLookup.libraryLookup("libz.so.1", arena);
        String text = ((MemorySegment) LINKER.downcallHandle(zlib.findOrThrow("zlibVersion"), version).invokeExact())
                .getString(0);
        System.out.println(text.split("[.]")[0] + " " + zlib.find("inflate").isPresent() + " " + zlib.find("other"));
        attempt(() -> SymbolLookup.libraryLookup("libno_such_library.so", arena));
        // A library without JNI functions can be loaded, and its functions can be found.
        System.load("/usr/lib/x86_64-linux-gnu/libz.so.1");
        System.out.println(SymbolLookup.loaderLookup().find("crc32").isPresent());
        MethodHandle sum = LINKER.downcallHandle(SymbolLookup.loaderLookup().findOrThrow("crc32"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT));
        System.out.println(Long.toHexString((long) sum.invokeExact(0L, arena.allocateFrom("123456789"), 9)));
    }

    public static void main(String[] arguments) throws Throwable {
        FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_LONG, ADDRESS);
        System.out.println(descriptor + " " + descriptor.toMethodType());
        System.out.println(descriptor.appendArgumentLayouts(JAVA_INT).argumentLayouts().size() + " "
                           + FunctionDescriptor.ofVoid().returnLayout() + " " + descriptor.dropReturnLayout());
        try (Arena arena = Arena.ofConfined()) {
            numbers();
            texts(arena);
            structures(arena);
            state(arena);
            heap();
            refused(arena);
            libraries(arena);
        }
        AddressLayout pointer = (AddressLayout) LINKER.canonicalLayouts().get("void*");
        System.out.println(pointer + " " + LINKER.canonicalLayouts().get("long") + " "
                           + LINKER.canonicalLayouts().get("wchar_t") + " " + LINKER.canonicalLayouts().get("size_t"));
    }
}
