// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The place of a SegmentViewVarHandle's value in a memory segment. Coordinates: the segment, and the offset in it.
package java.lang.invoke;

import java.lang.foreign.MemorySegment;
import jdk.internal.foreign.AbstractMemorySegmentImpl;

final class SegmentPlace {
    Class<?>[] coordinates() {
        return new Class<?>[] {MemorySegment.class, long.class};
    }

    long in(AbstractMemorySegmentImpl segment, Object[] arguments, int size, long alignmentMask, boolean reads) {
        long offset = (Long) arguments[1];
        segment.checkAccess(offset, size, reads);
        long place = segment.unsafeGetOffset() + offset;
        // An array's elements are aligned only to their own size, wherever the array lies.
        if (((place | segment.maxAlignMask()) & alignmentMask) != 0) {
            throw new IllegalArgumentException("Misaligned access at address: " + place);
        }
        return place;
    }
}
