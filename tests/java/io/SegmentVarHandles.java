// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// VarHandles of segments: adds, swaps and bit operations in both byte orders; handles adapted by filters and by
// inserted coordinates.
// since: 25
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

public class SegmentVarHandles {
    static String text(int value) {
        return "<" + value + ">";
    }

    static int number(String text) {
        return text.length();
    }

    public static void main(String[] arguments) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(64, 8);
            for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                VarHandle handle = ValueLayout.JAVA_LONG.withOrder(order).varHandle();
                handle.setVolatile(segment, 8L, 10L);
                System.out.println((long) handle.getAndAdd(segment, 8L, 5L) + " "
                    + (long) handle.getAndSet(segment, 8L, 6L) + " "
                                   + (long) handle.getAndBitwiseOr(segment, 8L, 9L) + " "
                                       + (long) handle.getAndBitwiseXor(segment, 8L, 1L)
                                   + " " + (long) handle.compareAndExchange(segment, 8L, 14L, 20L) + " "
                                       + (long) handle.getOpaque(segment, 8L)
                                   + " " + handle.weakCompareAndSetPlain(segment, 8L, 1L, 2L));
            }
            VarHandle ints = ValueLayout.JAVA_INT.varHandle();
            ints.set(segment, 4L, 42);
            VarHandle at4 = MethodHandles.insertCoordinates(ints, 1, 4L);
            System.out.println((int) at4.get(segment) + " " + at4.coordinateTypes());
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            VarHandle texts = MethodHandles.filterValue(at4,
                lookup.findStatic(SegmentVarHandles.class, "number", MethodType.methodType(int.class, String.class)),
                lookup.findStatic(SegmentVarHandles.class, "text", MethodType.methodType(String.class, int.class)));
            System.out.println((String) texts.get(segment));
            texts.set(segment, "seven77");
            System.out.println((String) texts.getAcquire(segment) + " " + texts.varType());
            VarHandle floats = ValueLayout.JAVA_FLOAT.varHandle();
            floats.set(segment, 16L, 1.5f);
            System.out.println((float) floats.get(segment, 16L) + " "
                + floats.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD)
                               + floats.isAccessModeSupported(VarHandle.AccessMode.COMPARE_AND_SET));
            VarHandle bytes = ValueLayout.JAVA_BYTE.varHandle();
            System.out.println((byte) bytes.get(segment, 16L + 3) + " "
                + bytes.isAccessModeSupported(VarHandle.AccessMode.GET_VOLATILE));
            try {
                ValueLayout.JAVA_INT_UNALIGNED.varHandle().getVolatile(segment, 1L);
            } catch (UnsupportedOperationException | IllegalArgumentException e) {
                System.out.println("plain only");
            }
            VarHandle exact = ints.withInvokeExactBehavior();
            try {
                Object read = exact.get(segment, 4L);
                System.out.println(read);
            } catch (java.lang.invoke.WrongMethodTypeException e) {
                System.out.println("not exact");
            }
        }
    }
}
