// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arenas: confined, shared, automatic; zeroed memory, strings, access after close and from other threads.
// since: 25
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

public class NativeSegments {
    static void refused(Runnable action) {
        try {
            action.run();
            System.out.println("accepted");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage().replaceAll("(#|0x)[0-9a-f]+", "N"));
        }
    }

    public static void main(String[] arguments) throws Exception {
        MemorySegment kept;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = kept = arena.allocate(64, 16);
            System.out.println(segment.byteSize() + " " + segment.address() % 16 + " "
                + segment.get(ValueLayout.JAVA_LONG, 8)
                               + " " + segment.isNative());
            segment.setAtIndex(ValueLayout.JAVA_INT, 5, 77);
            System.out.println(segment.getAtIndex(ValueLayout.JAVA_INT, 5));
            MemorySegment text = arena.allocateFrom("Grüße");
            System.out.println(text.byteSize() + " " + text.getString(0));
            MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 1, 2);
            System.out.println(numbers.byteSize() + " " + numbers.getAtIndex(ValueLayout.JAVA_INT, 0));
            MemorySegment slice = SegmentAllocator.slicingAllocator(segment)
                .allocate(MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_INT));
            System.out.println(slice.address() == segment.address());
            Thread other = new Thread(() -> refused(() -> segment.get(ValueLayout.JAVA_BYTE, 0)));
            other.start();
            other.join();
            MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
            pointer.set(ValueLayout.ADDRESS, 0, segment);
            System.out.println(pointer.get(ValueLayout.ADDRESS, 0).address() == segment.address());
            refused(() -> segment.get(ValueLayout.JAVA_INT, 62));
            refused(() -> arena.allocate(-1));
            refused(() -> arena.allocate(8, 3));
        }
        refused(() -> kept.get(ValueLayout.JAVA_BYTE, 0));
        System.out.println(kept.scope().isAlive());
        Arena shared = Arena.ofShared();
        MemorySegment many = shared.allocate(800);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int own = t;
            threads[t] = Thread.ofVirtual().start(() -> {
                for (int i = own; i < 100; i += 4) many.setAtIndex(ValueLayout.JAVA_LONG, i, i);
            });
        }
        for (Thread thread : threads) thread.join();
        long sum = 0;
        for (int i = 0; i < 100; i++) sum += many.getAtIndex(ValueLayout.JAVA_LONG, i);
        System.out.println(sum);
        shared.close();
        refused(shared::close);
        refused(() -> many.get(ValueLayout.JAVA_BYTE, 0));
        refused(() -> Arena.global().close());
        refused(() -> Arena.ofAuto().close());
        System.out.println(Arena.ofAuto().allocate(8).byteSize() + " " + Arena.global().scope().isAlive() + " "
            + MemorySegment.NULL);
    }
}
