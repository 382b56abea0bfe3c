// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Strings in memory segments: charsets, odd offsets, strings without a terminator, strings that do not fit.
// since: 25
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

public class SegmentStrings {
    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            for (var charset : new java.nio.charset.Charset[] {StandardCharsets.UTF_8, StandardCharsets.UTF_16LE,
                StandardCharsets.US_ASCII,
                    StandardCharsets.ISO_8859_1}) {
                MemorySegment text = arena.allocateFrom("Käse \u20ac", charset);
                System.out.println(charset + " " + text.byteSize() + " " + text.getString(0, charset));
            }
            MemorySegment segment = arena.allocate(32);
            segment.setString(3, "abc");
            segment.setString(7, "defg");
            System.out.println(segment.getString(3) + segment.getString(7) + segment.getString(9) + "|"
                + segment.getString(0) + "|");
            segment.fill((byte) 'x');
            try {
                segment.getString(0);
            } catch (IndexOutOfBoundsException e) {
                System.out.println("no end");
            }
            try {
                segment.setString(30, "long");
            } catch (IndexOutOfBoundsException e) {
                System.out.println("no room");
            }
            MemorySegment heap = MemorySegment.ofArray("from bytes\0rest".getBytes());
            System.out.println(heap.getString(0) + " " + heap.getString(11 - 6));
        } catch (IndexOutOfBoundsException e) {
            System.out.println("rest has no end");
        }
    }
}
