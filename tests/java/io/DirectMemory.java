// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct memory: its limit, the error's text, cleaning, mapped files, slices that outlive their parents.
// jvm: -XX:MaxDirectMemorySize=8m -Xmx64m
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;

public class DirectMemory {
    public static void main(String[] x) throws Exception {
        for (int i = 0; i < 200; i++) ByteBuffer.allocateDirect(1 << 20).put(0, (byte) 1);
        System.out.println("recycled");
        List<ByteBuffer> l = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) l.add(ByteBuffer.allocateDirect(1 << 20));
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage() + " " + l.size());
        }
        l.clear();
        System.out.println(ByteBuffer.allocateDirect(3 << 20).capacity());
        try {
            ByteBuffer.allocateDirect(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            ByteBuffer.allocateDirect(Integer.MAX_VALUE);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        ByteBuffer s =
                ByteBuffer.allocateDirect(4096)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(8, 77)
                        .position(8)
                        .slice()
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 30; i++) {
            System.gc();
            ByteBuffer.allocateDirect(4096).putLong(16, -1);
        }
        System.out.println(s.getLong(0) + " " + s.isDirect() + s.isReadOnly() + " " + s.order());
        System.out.println(
                ByteBuffer.allocateDirect(64).alignedSlice(16).capacity()
                        + " "
                        + ByteBuffer.allocateDirect(64).alignmentOffset(0, 8));
        Path p = Files.createTempFile("kh", "m");
        try (FileChannel c =
                FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 3, 5000);
            m.putInt(0, 0x01020304);
            m.force();
            System.out.println(c.size() + " " + m.isLoaded());
            MappedByteBuffer r = c.map(FileChannel.MapMode.READ_ONLY, 0, 7);
            System.out.println(r.get(3) + r.get(6));
            try {
                r.put(0, (byte) 1);
            } catch (ReadOnlyBufferException e) {
                System.out.println("ro");
            }
            MappedByteBuffer pr = c.map(FileChannel.MapMode.PRIVATE, 0, 10);
            pr.put(4, (byte) 99);
            System.out.println(r.get(4));
            try {
                c.map(FileChannel.MapMode.READ_ONLY, 0, 1L << 33);
            } catch (Exception e) {
                System.out.println(e.getMessage());
            }
            c.truncate(2);
            try {
                byte b = m.get(4500);
                System.out.println("read " + b);
            } catch (InternalError e) {
                System.out.println("InternalError " + e.getMessage());
            }
        }
        Files.delete(p);
        var bp =
                java.lang.management.ManagementFactory.getPlatformMXBeans(
                        java.lang.management.BufferPoolMXBean.class);
        for (var b : bp) System.out.println(b.getName());
        LongBuffer lb = ByteBuffer.allocateDirect(80).asLongBuffer();
        lb.put(3, 5);
        System.out.println(
                lb.duplicate().get(3)
                        + " "
                        + lb.slice(3, 2).get(0)
                        + lb.compareTo(LongBuffer.allocate(10))
                        + lb.mismatch(LongBuffer.allocate(10)));
    }
}
