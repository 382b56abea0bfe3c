// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments of mapped files: written, forced, loaded; read-only and private maps; a segment whose arena is closed.
// since: 25
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class MappedSegments {
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of("mapped.bin");
        MemorySegment kept;
        try (Arena arena = Arena.ofShared();
             FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                 StandardOpenOption.WRITE)) {
            MemorySegment segment = kept = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
            System.out.println(segment.byteSize() + " " + segment.isMapped() + " " + channel.size());
            for (int i = 0; i < 512; i++) segment.setAtIndex(ValueLayout.JAVA_LONG, i, (long) i * i);
            segment.force();
            segment.load();
            segment.unload();
            MemorySegment part = channel.map(FileChannel.MapMode.READ_ONLY, 800, 80, arena);
            System.out.println(part.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) + " " + part.isReadOnly());
            try {
                part.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
            MemorySegment secret = channel.map(FileChannel.MapMode.PRIVATE, 0, 16, arena);
            secret.set(ValueLayout.JAVA_LONG, 8, -1L);
            System.out.println(segment.get(ValueLayout.JAVA_LONG, 8) + " " + secret.get(ValueLayout.JAVA_LONG, 8));
        }
        System.out.println(kept.scope().isAlive());
        byte[] bytes = Files.readAllBytes(file);
        System.out.println(bytes.length + " " + MemorySegment.ofArray(bytes)
            .get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * 100));
        try (FileChannel closed = FileChannel.open(file, StandardOpenOption.READ); Arena arena = Arena.ofConfined()) {
            try {
                closed.map(FileChannel.MapMode.READ_WRITE, 0, 10, arena);
            } catch (java.nio.channels.NonWritableChannelException e) {
                System.out.println(e.getClass().getSimpleName());
            }
            System.out.println(closed.map(FileChannel.MapMode.READ_ONLY, 4096, 0, arena).byteSize());
        }
        MemorySegment buffer = MemorySegment.ofBuffer(java.nio.ByteBuffer.wrap(bytes, 8, 16));
        System.out.println(buffer.byteSize() + " " + buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }
}
