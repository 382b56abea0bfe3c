// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A VarHandle of a value in a java.lang.foreign.MemorySegment. The first coordinate is the segment; SegmentPlace
// interprets the others.
//
// All access goes through ScopedMemoryAccess, which knows whether the segment is still open; closing one waits for
// threads that are inside.
package java.lang.invoke;

import java.nio.ByteOrder;
import java.util.Objects;
import jdk.internal.foreign.AbstractMemorySegmentImpl;
import jdk.internal.foreign.MemorySessionImpl;
import jdk.internal.misc.ScopedMemoryAccess;
import jdk.internal.vm.annotation.Hidden;

final class SegmentViewVarHandle extends VarHandle {
    private static final ScopedMemoryAccess MEMORY = ScopedMemoryAccess.getScopedMemoryAccess();

    private final SegmentPlace place;
    private final long alignmentMask;
    private final ByteOrder order;
    private final char letter;
    private final int size;

    SegmentViewVarHandle(Class<?> carrier, SegmentPlace place, long alignmentMask, ByteOrder order, boolean exact) {
        super(carrier, exact, place.coordinates());
        this.place = place;
        this.alignmentMask = alignmentMask;
        this.order = order;
        letter = carrier.descriptorString().charAt(0);
        size = "BZ".indexOf(letter) >= 0 ? 1 : "SC".indexOf(letter) >= 0 ? 2 : "IF".indexOf(letter) >= 0 ? 4 : 8;
    }

    @Override
    VarHandle withExact(boolean wanted) {
        return new SegmentViewVarHandle(varType, place, alignmentMask, order, wanted);
    }

    private static boolean isPlain(AccessMode mode) {
        return mode == AccessMode.GET || mode == AccessMode.SET;
    }

    // A value that may be unaligned can only be read and written.
    @Override
    boolean supports(AccessMode mode) {
        if (isPlain(mode)) return true;
        if (alignmentMask + 1 < size) return false;
        if (mode.operation <= WRITE) return true;
        return size >= 4 && (mode.operation < ADD || letter == 'I' || letter == 'J');
    }

    @Override
    @Hidden
    Object accessBoxed(AccessMode mode, Object[] arguments) {
        AbstractMemorySegmentImpl segment = (AbstractMemorySegmentImpl) Objects.requireNonNull(arguments[0]);
        long place = this.place.in(segment, arguments, size, alignmentMask, mode.operation == READ);
        int next = coordinates.length;
        long first = mode.operation == READ ? 0 : toMemory(bitsOf(arguments[next]));
        boolean hasTwo = mode.operation == COMPARE || mode.operation == EXCHANGE;
        long second = hasTwo ? toMemory(bitsOf(arguments[next + 1])) : 0;
        MemorySessionImpl session = segment.sessionImpl();
        Object base = segment.unsafeGetBase();
        long bits;
        switch (mode.operation) {
            case READ: bits = isPlain(mode) ? plain(session, base, place) : ordered(session, base, place); break;
            case WRITE:
                if (isPlain(mode)) putPlain(session, base, place, first);
                else putOrdered(session, base, place, first);
                return null;
            case COMPARE: return exchange(session, base, place, first, second) == narrowed(first);
            case EXCHANGE: bits = exchange(session, base, place, first, second); break;
            default: bits = update(session, base, place, mode.operation, first); break;
        }
        return Boxing.ofBits(letter, letter == 'Z' ? bits & 1 : toMemory(bits));
    }

    // Converts between a value and its bits in memory, as the machine's byte order reads them. It is its own inverse.
    private long toMemory(long bits) {
        if (order == ByteOrder.nativeOrder()) return bits;
        switch (size) {
            case 8: return Long.reverseBytes(bits);
            case 4: return Integer.reverseBytes((int) bits);
            case 2: return Short.reverseBytes((short) bits);
            default: return bits;
        }
    }

    private long narrowed(long bits) {
        return size == 8 ? bits : (int) bits;
    }

    private long plain(MemorySessionImpl session, Object base, long place) {
        switch (size) {
            case 8: return MEMORY.getLongUnaligned(session, base, place, false);
            case 4: return MEMORY.getIntUnaligned(session, base, place, false);
            case 2: return MEMORY.getShortUnaligned(session, base, place, false);
            default: return MEMORY.getByte(session, base, place);
        }
    }

    private void putPlain(MemorySessionImpl session, Object base, long place, long bits) {
        switch (size) {
            case 8: MEMORY.putLongUnaligned(session, base, place, bits, false); break;
            case 4: MEMORY.putIntUnaligned(session, base, place, (int) bits, false); break;
            case 2: MEMORY.putShortUnaligned(session, base, place, (short) bits, false); break;
            default: MEMORY.putByte(session, base, place, (byte) bits); break;
        }
    }

    private long ordered(MemorySessionImpl session, Object base, long place) {
        switch (size) {
            case 8: return MEMORY.getLongVolatile(session, base, place);
            case 4: return MEMORY.getIntVolatile(session, base, place);
            case 2: return MEMORY.getShortVolatile(session, base, place);
            default: return MEMORY.getByteVolatile(session, base, place);
        }
    }

    private void putOrdered(MemorySessionImpl session, Object base, long place, long bits) {
        switch (size) {
            case 8: MEMORY.putLongVolatile(session, base, place, bits); break;
            case 4: MEMORY.putIntVolatile(session, base, place, (int) bits); break;
            case 2: MEMORY.putShortVolatile(session, base, place, (short) bits); break;
            default: MEMORY.putByteVolatile(session, base, place, (byte) bits); break;
        }
    }

    private long exchange(MemorySessionImpl session, Object base, long place, long expected, long wanted) {
        return size == 8 ? MEMORY.compareAndExchangeLong(session, base, place, expected, wanted)
                         : MEMORY.compareAndExchangeInt(session, base, place, (int) expected, (int) wanted);
    }

    // Updates the memory with `operand`, given as its bits in memory. Returns the bits that were there before.
    private long update(MemorySessionImpl session, Object base, long place, int operation, long operand) {
        for (;;) {
            long old = ordered(session, base, place);
            long made;
            switch (operation) {
                case ADD: made = toMemory(toMemory(old) + toMemory(operand)); break;
                case OR: made = old | operand; break;
                case AND: made = old & operand; break;
                case XOR: made = old ^ operand; break;
                default: made = operand; break;
            }
            if (exchange(session, base, place, old, made) == old) return old;
        }
    }
}
