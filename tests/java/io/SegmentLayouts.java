// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Layouts of structures, sequences and unions: sizes, paths, their VarHandles, offsets, slices, and structures that
// lack padding.
// since: 25
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

public class SegmentLayouts {
    static final StructLayout POINT = MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("x"),
        ValueLayout.JAVA_INT.withName("y"),
                                                                ValueLayout.JAVA_LONG.withName("id")).withName("Point");
    static final SequenceLayout POINTS = MemoryLayout.sequenceLayout(5, POINT);
    static final VarHandle X = POINT.varHandle(PathElement.groupElement("x"));
    static final VarHandle ID_OF = POINTS.varHandle(PathElement.sequenceElement(), PathElement.groupElement("id"));

    public static void main(String[] arguments) throws Throwable {
        System.out.println(POINT + " " + POINT.byteSize() + " " + POINT.byteAlignment());
        System.out.println(POINTS.byteOffset(PathElement.sequenceElement(3), PathElement.groupElement("y")) + " "
                           + POINTS.select(PathElement.sequenceElement()).equals(POINT));
        System.out.println(X.varType() + " " + X.coordinateTypes().size() + " " + ID_OF.coordinateTypes().size());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment points = arena.allocate(POINTS);
            for (int i = 0; i < 5; i++) {
                X.set(points, POINT.byteSize() * i, i * 10);
                ID_OF.set(points, 0L, (long) i, 100L + i);
            }
            System.out.println((int) X.get(points, 32L) + " " + (long) ID_OF.get(points, 0L, 4L));
            System.out.println((int) X.getAndAdd(points, 16L, 5) + " " + (int) X.getVolatile(points, 16L));
            System.out.println(ID_OF.compareAndSet(points, 0L, 2L, 102L, 7L) + " "
                + (long) ID_OF.getAcquire(points, 0L, 2L));
            MemorySegment third = (MemorySegment) POINTS.sliceHandle(PathElement.sequenceElement())
                .invokeExact(points, 0L, 2L);
            System.out.println(third.byteSize() + " " + third.get(ValueLayout.JAVA_INT, 0));
            System.out.println((long) POINTS.byteOffsetHandle(PathElement.sequenceElement()).invokeExact(0L, 3L));
            try {
                ID_OF.get(points, 0L, 5L);
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            try {
                X.get(points, 80L);
            } catch (IndexOutOfBoundsException e) {
                System.out.println("outside");
            }
        }
        for (Runnable wrong : new Runnable[] {
                () -> MemoryLayout.structLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                () -> POINT.varHandle(PathElement.groupElement("z")),
                () -> POINT.varHandle(),
                () -> POINTS.byteOffset(PathElement.sequenceElement(9)),
                () -> ValueLayout.JAVA_INT.withByteAlignment(3)}) {
            try {
                wrong.run();
                System.out.println("accepted");
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(MemoryLayout.unionLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG).byteSize() + " "
                           + MemoryLayout.paddingLayout(3) + " "
                               + ValueLayout.JAVA_SHORT.withOrder(java.nio.ByteOrder.BIG_ENDIAN)
                           + " " + ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT));
        VarHandle view = ValueLayout.JAVA_INT.arrayElementVarHandle();
        System.out.println((int) view.get(MemorySegment.ofArray(new int[] {4, 5, 6}), 0L, 2L));
    }
}
