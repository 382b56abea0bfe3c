// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An exception must not reach the C function that called Java: it ends the VM.
// since: 25
// jvm: --enable-native-access=ALL-UNNAMED
// stderr: ignore
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import static java.lang.foreign.ValueLayout.*;

public class ForeignUncaught {
    static int compare(MemorySegment one, MemorySegment other) {
        System.out.println("compare");
        throw new IllegalStateException("no order");
    }

    public static void main(String[] arguments) throws Throwable {
        Linker linker = Linker.nativeLinker();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        MemorySegment comparator = linker.upcallStub(
                MethodHandles.lookup().findStatic(ForeignUncaught.class, "compare", MethodType.methodType(
                        int.class, MemorySegment.class, MemorySegment.class)),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), Arena.global());
        linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"),
                              FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS))
              .invokeExact(Arena.global().allocateFrom(JAVA_INT, 2, 1), 2L, 4L, comparator);
        System.out.println("not reached");
    }
}
