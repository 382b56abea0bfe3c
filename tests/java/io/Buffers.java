// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// NIO buffers, channels and charsets.
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.*;
import java.nio.file.*;

public class Buffers {
    public static void main(String[] args) throws Exception {
        ByteBuffer b = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        b.putInt(1).putLong(2).putDouble(3.5).put((byte) 9).flip();
        System.out.println(
                b
                        + " "
                        + b.getInt()
                        + b.getLong()
                        + b.getDouble()
                        + b.get()
                        + " "
                        + b.hasRemaining());
        ByteBuffer d = ByteBuffer.allocateDirect(64);
        d.putInt(0, 0x01020304).putLong(8, -1L);
        System.out.println(d.get(0) + " " + d.isDirect() + " " + d.getLong(8) + " " + d.order());
        CharBuffer c =
                StandardCharsets.UTF_8.decode(
                        ByteBuffer.wrap("é日\uD83D\uDE00".getBytes(StandardCharsets.UTF_8)));
        System.out.println(c.length() + " " + c);
        System.out.println(
                new String(new byte[] {(byte) 0xe9}, StandardCharsets.ISO_8859_1)
                        + " "
                        + "日".getBytes(StandardCharsets.US_ASCII)[0]
                        + " "
                        + Charset.forName("UTF-16").newEncoder().canEncode('x'));
        Path f = Files.createTempFile("kh", "bin");
        try (FileChannel ch =
                FileChannel.open(f, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            ch.write(ByteBuffer.wrap("hello channel".getBytes()));
            ByteBuffer r = ByteBuffer.allocate(5);
            ch.read(r, 6);
            System.out.println(new String(r.array()) + " " + ch.size() + " " + ch.position());
        }
        Files.delete(f);
        try {
            b.put(new byte[100]);
        } catch (BufferOverflowException e) {
            System.out.println("overflow");
        }
        try {
            ByteBuffer.allocate(1).asReadOnlyBuffer().put((byte) 1);
        } catch (ReadOnlyBufferException e) {
            System.out.println("read only");
        }
        IntBuffer ib = IntBuffer.wrap(new int[] {1, 2, 3, 4});
        System.out.println(
                ib.slice(1, 2).get(1)
                        + " "
                        + ib.duplicate().position(2).remaining()
                        + " "
                        + ib.compareTo(IntBuffer.wrap(new int[] {1, 2, 4})));
    }
}
