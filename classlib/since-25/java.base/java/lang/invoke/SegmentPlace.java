// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The place of a SegmentViewVarHandle's value in a memory segment. Coordinates: the segment, the offset of the
// enclosing layout in it, and, unless it is constant, the offset of the value in that layout.
package java.lang.invoke;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import jdk.internal.foreign.AbstractMemorySegmentImpl;

record SegmentPlace(MemoryLayout enclosing, boolean isConstant, long constant) {
    Class<?>[] coordinates() {
        return isConstant ? new Class<?>[] {MemorySegment.class, long.class}
                          : new Class<?>[] {MemorySegment.class, long.class, long.class};
    }

    long in(AbstractMemorySegmentImpl segment, Object[] arguments, int size, long alignmentMask, boolean reads) {
        long start = (Long) arguments[1];
        segment.checkEnclosingLayout(start, enclosing, reads);
        return segment.unsafeGetOffset() + start + (isConstant ? constant : (Long) arguments[2]);
    }
}
