// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compression with ByteBuffers, CRC32C, and zip files that a zip file system writes and reads.
// since: 21
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.ZipFile;

public class InflateMore {
    public static void main(String[] arguments) throws Exception {
        byte[] text = "round and round ".repeat(200).getBytes();
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(ByteBuffer.wrap(text));
        deflater.finish();
        ByteBuffer packed = ByteBuffer.allocateDirect(1000);
        deflater.deflate(packed);
        System.out.println((packed.flip().remaining() < 100) + " " + deflater.getBytesRead());
        Inflater inflater = new Inflater(true);
        inflater.setInput(packed);
        byte[] again = new byte[text.length];
        System.out.println(inflater.inflate(again) + " " + java.util.Arrays.equals(text, again) + " "
            + inflater.finished());
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.wrap(text));
        System.out.println(Long.toHexString(sum.getValue()));
        Path zip = Path.of("made.zip").toAbsolutePath();
        try (FileSystem system = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            Files.createDirectory(system.getPath("/in"));
            Files.write(system.getPath("/in/text"), text);
            Files.writeString(system.getPath("/top"), "small");
        }
        try (ZipFile file = new ZipFile(zip.toFile())) {
            System.out.println(file.stream().map(e -> e.getName() + e.getSize()).sorted().toList());
        }
        try (FileSystem system = FileSystems.newFileSystem(URI.create("jar:" + zip.toUri()), Map.of());
             var walk = Files.walk(system.getPath("/"))) {
            System.out.println(walk.map(Path::toString).sorted().toList());
        }
    }
}
