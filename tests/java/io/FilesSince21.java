// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Files and channels: mismatch, temporary files, modification times, scattering reads, truncation, skipNBytes and
// readNBytes, a reader's transferTo.
// since: 21
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;

public class FilesSince21 {
    public static void main(String[] arguments) throws Exception {
        Path file = Files.writeString(Path.of("one.txt"), "Zeile\nzwei\n");
        Path copy = Files.copy(file, Path.of("two.txt"));
        System.out.println(Files.mismatch(file, copy) + " " + Files.size(file));
        Files.writeString(copy, "x", StandardOpenOption.APPEND);
        System.out.println(Files.mismatch(file, copy) + " " + Files.readString(copy).lines().count());
        StringWriter out = new StringWriter();
        System.out.println(new StringReader("transferred").transferTo(out) + " " + out + " "
            + Reader.nullReader().read());
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        System.out.println(Files.getLastModifiedTime(file));
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer[] parts = {ByteBuffer.allocate(3), ByteBuffer.allocate(4)};
            System.out.println(channel.read(parts) + " " + parts[1].flip().remaining() + " " + channel.position());
            channel.truncate(2);
            System.out.println(channel.size());
            System.out.println(ByteBuffer.allocate(16).put(3, new byte[] {1, 2, 3}).slice(2, 4).get(1));
        }
        try (var stream = Files.newInputStream(file)) {
            stream.skipNBytes(2);
            System.out.println(new String(stream.readNBytes(3), StandardCharsets.UTF_8));
            try {
                stream.skipNBytes(100);
            } catch (java.io.EOFException e) {
                System.out.println(e);
            }
        }
        try {
            Files.readString(Path.of("missing"));
        } catch (NoSuchFileException e) {
            System.out.println(e.getMessage());
        }
        Path temporary = Files.createTempFile(Path.of(""), "a", ".b");
        System.out.println(Files.exists(temporary) + " " + Files.deleteIfExists(temporary)
            + Files.deleteIfExists(temporary));
        System.out.println(Path.of("a/b").resolve(Path.of("../c")).normalize() + " "
            + Path.of("/a/b").relativize(Path.of("/a/c/d")));
    }
}
