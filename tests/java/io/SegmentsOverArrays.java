// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory segments over arrays: reads and writes of each kind, slices, bounds, read-only, copies, fill, mismatch.
// since: 25
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

public class SegmentsOverArrays {
    static void refused(Runnable action) {
        try {
            action.run();
            System.out.println("accepted");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage().replaceAll("@[0-9a-f]+", "@N"));
        }
    }

    public static void main(String[] arguments) {
        byte[] bytes = new byte[32];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
        segment.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 1, 0x01020304);
        segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, -2L);
        segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 16, 1.5);
        segment.set(ValueLayout.JAVA_CHAR_UNALIGNED, 25, 'x');
        segment.set(ValueLayout.JAVA_BOOLEAN, 31, true);
        System.out.println(Arrays.toString(bytes));
        System.out.println(segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 16) + " "
            + segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 1)
                           + " " + segment.get(ValueLayout.JAVA_BOOLEAN, 31)
                               + segment.get(ValueLayout.JAVA_BOOLEAN, 30));
        MemorySegment ints = MemorySegment.ofArray(new int[] {1, 2, 3, 4});
        System.out.println(ints.getAtIndex(ValueLayout.JAVA_INT, 3) + " " + ints.byteSize() + " " + ints.isNative());
        ints.setAtIndex(ValueLayout.JAVA_INT, 1, 20);
        System.out.println(Arrays.toString(ints.toArray(ValueLayout.JAVA_INT)) + " "
            + ints.asSlice(4, 8).getAtIndex(ValueLayout.JAVA_INT, 0));
        refused(() -> ints.get(ValueLayout.JAVA_INT, 16));
        refused(() -> ints.get(ValueLayout.JAVA_INT, 2));
        refused(() -> ints.get(ValueLayout.JAVA_LONG, 0));
        refused(() -> segment.get(ValueLayout.JAVA_INT, 0));
        refused(() -> ints.asSlice(8, 9));
        refused(() -> ints.asReadOnly().set(ValueLayout.JAVA_INT, 0, 1));
        MemorySegment.copy(ints, 0, segment, 4, 8);
        System.out.println(Arrays.toString(Arrays.copyOf(bytes, 14)));
        System.out.println(segment.mismatch(MemorySegment.ofArray(bytes.clone())) + " "
                           + segment.fill((byte) 3).asSlice(5, 4)
                               .mismatch(MemorySegment.ofArray(new byte[] {3, 3, 4, 3})));
        MemorySegment.copy(new short[] {9, 8, 7}, 1, segment, ValueLayout.JAVA_SHORT_UNALIGNED, 3, 2);
        System.out.println(segment.asByteBuffer().order(ByteOrder.nativeOrder()).getShort(3) + " "
            + segment.heapBase().get().equals(bytes));
        System.out.println(segment.equals(MemorySegment.ofArray(bytes)) + " "
            + segment.elements(ValueLayout.JAVA_LONG_UNALIGNED).count());
        System.out.println(segment.asSlice(2).asOverlappingSlice(segment.asSlice(0, 6)).get().byteSize());
        refused(() -> segment.reinterpret(64));
        MemorySegment floats = MemorySegment.ofArray(new float[] {1, 2});
        System.out.println(floats.getAtIndex(ValueLayout.JAVA_FLOAT, 1) + " "
            + MemorySegment.ofArray(new long[3]).byteSize());
    }
}
