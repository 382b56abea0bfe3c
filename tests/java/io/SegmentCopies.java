// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies between segments of all kinds, also overlapping or with swapped byte orders; parallel streams over elements.
// since: 25
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

public class SegmentCopies {
    public static void main(String[] arguments) {
        int[] numbers = {1, 2, 3, 4, 5, 6};
        MemorySegment array = MemorySegment.ofArray(numbers);
        MemorySegment.copy(array, 0, array, 4, 16);
        System.out.println(Arrays.toString(numbers));
        MemorySegment.copy(array, 8, array, 0, 16);
        System.out.println(Arrays.toString(numbers));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment outside = arena.allocate(ValueLayout.JAVA_INT, 1000);
            MemorySegment.copy(numbers, 1, outside, ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 0, 3);
            System.out.println(Integer.toHexString(outside.get(ValueLayout.JAVA_INT, 0)) + " "
                               + outside.get(ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 4));
            for (int i = 0; i < 1000; i++) outside.setAtIndex(ValueLayout.JAVA_INT, i, i);
            System.out.println(outside.elements(ValueLayout.JAVA_INT).parallel()
                .mapToInt(e -> e.get(ValueLayout.JAVA_INT, 0)).sum());
            int[] back = new int[4];
            MemorySegment.copy(outside, ValueLayout.JAVA_INT, 400, back, 0, 4);
            System.out.println(Arrays.toString(back) + " "
                + outside.asSlice(4, 12).toArray(ValueLayout.JAVA_INT).length);
            ByteBuffer buffer = outside.asByteBuffer().order(ByteOrder.nativeOrder());
            buffer.putInt(0, 99);
            System.out.println(outside.get(ValueLayout.JAVA_INT, 0) + " " + buffer.isDirect() + " "
                + buffer.capacity());
            System.out.println(MemorySegment.mismatch(outside, 0, 40, outside.asSlice(0, 40), 0, 40) + " "
                               + MemorySegment.mismatch(outside, 0, 8, outside, 4, 12));
            System.out.println(MemorySegment.ofBuffer(buffer.slice(8, 4)).get(ValueLayout.JAVA_INT, 0));
        }
        MemorySegment doubles = MemorySegment.ofArray(new double[] {1, 2});
        MemorySegment longs = MemorySegment.ofArray(new long[2]).copyFrom(doubles);
        System.out.println(Long.toHexString(longs.getAtIndex(ValueLayout.JAVA_LONG, 1)));
        try {
            MemorySegment.copy(array, 20, longs, 0, 8);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("outside");
        }
    }
}
