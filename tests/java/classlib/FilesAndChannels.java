// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Files, streams, channels, attributes, zip and serialisation, with the texts of their errors.
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.zip.*;

public class FilesAndChannels {
    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("kh");
        File f = new File(dir.toFile(), "a.txt");
        try {
            new FileInputStream("nosuch.txt");
        } catch (IOException e) {
            System.out.println(e);
        }
        try {
            new FileInputStream(dir.toFile());
        } catch (IOException e) {
            System.out.println(e.getClass() + " " + e.getMessage().replace(dir.toString(), "DIR"));
        }
        try (FileOutputStream o = new FileOutputStream(f)) {
            o.write("hello\nworld\n".getBytes());
            o.write('x');
        }
        try (FileOutputStream o = new FileOutputStream(f, true)) {
            o.write("more".getBytes());
        }
        System.out.println(
                f.length()
                        + " "
                        + f.exists()
                        + " "
                        + f.isFile()
                        + " "
                        + f.isDirectory()
                        + " "
                        + f.canRead());
        try (BufferedReader r = new BufferedReader(new FileReader(f))) {
            String l;
            while ((l = r.readLine()) != null) System.out.println(l);
        }
        FileInputStream in = new FileInputStream(f);
        System.out.println(
                in.available()
                        + " "
                        + in.skip(3)
                        + " "
                        + in.read()
                        + " "
                        + in.readAllBytes().length);
        in.close();
        try {
            in.read();
        } catch (IOException e) {
            System.out.println(e);
        }
        try (RandomAccessFile raf = new RandomAccessFile(f, "rw")) {
            raf.seek(2);
            raf.writeInt(42);
            raf.seek(2);
            System.out.println(raf.readInt() + " " + raf.getFilePointer() + " " + raf.length());
            raf.setLength(5);
            System.out.println(raf.length() + " " + raf.getFilePointer());
        }
        Path p = dir.resolve("b.txt");
        Files.writeString(p, "eins\nzwei\ndrei\n");
        System.out.println(
                Files.readAllLines(p)
                        + " "
                        + Files.size(p)
                        + " "
                        + Files.exists(p)
                        + " "
                        + Files.isDirectory(dir));
        Files.copy(p, dir.resolve("c.txt"));
        Files.move(dir.resolve("c.txt"), dir.resolve("d.txt"));
        try {
            Files.copy(p, dir.resolve("d.txt"));
        } catch (FileAlreadyExistsException e) {
            System.out.println("exists " + e.getMessage().replace(dir.toString(), "DIR"));
        }
        try {
            Files.readString(dir.resolve("zz"));
        } catch (NoSuchFileException e) {
            System.out.println("none " + e.getMessage().replace(dir.toString(), "DIR"));
        }
        Files.createDirectories(dir.resolve("x/y/z"));
        Files.createSymbolicLink(dir.resolve("link"), p);
        System.out.println(
                Files.readSymbolicLink(dir.resolve("link")).getFileName()
                        + " "
                        + Files.isSymbolicLink(dir.resolve("link"))
                        + " "
                        + Files.isSameFile(p, dir.resolve("link")));
        List<String> names = new ArrayList<>();
        try (var s = Files.walk(dir)) {
            s.forEach(q -> names.add(dir.relativize(q).toString()));
        }
        Collections.sort(names);
        System.out.println(names);
        String[] l = dir.toFile().list();
        Arrays.sort(l);
        System.out.println(Arrays.toString(l));
        Files.setPosixFilePermissions(p, PosixFilePermissions.fromString("rw-r-----"));
        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(p)));
        BasicFileAttributes at = Files.readAttributes(p, BasicFileAttributes.class);
        System.out.println(at.isRegularFile() + " " + at.size());
        Files.setLastModifiedTime(p, FileTime.fromMillis(1234567890123L));
        System.out.println(Files.getLastModifiedTime(p) + " " + p.toFile().lastModified());
        try (FileChannel c =
                FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer b = ByteBuffer.allocate(4);
            c.read(b);
            b.flip();
            System.out.println(
                    StandardCharsets.UTF_8.decode(b) + " " + c.position() + " " + c.size());
            c.write(ByteBuffer.wrap("ZWEI".getBytes()), 5);
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, c.size());
            m.put(0, (byte) 'E');
            m.force();
            try (FileLock k = c.lock()) {
                System.out.println(k.isValid());
            }
            try (FileChannel o =
                    FileChannel.open(
                            dir.resolve("e.txt"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE)) {
                System.out.println(c.transferTo(0, c.size(), o));
            }
        }
        System.out.print(Files.readString(dir.resolve("e.txt")));
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (GZIPOutputStream z = new GZIPOutputStream(bo)) {
            for (int i = 0; i < 1000; i++) z.write(("line " + i % 10 + "\n").getBytes());
        }
        byte[] gz = bo.toByteArray();
        try (GZIPInputStream z = new GZIPInputStream(new ByteArrayInputStream(gz))) {
            byte[] all = z.readAllBytes();
            System.out.println(gz.length + " " + all.length + " " + new String(all, 0, 7).trim());
        }
        CRC32 crc = new CRC32();
        crc.update("abc".getBytes());
        Adler32 ad = new Adler32();
        ad.update("abc".getBytes());
        System.out.println(crc.getValue() + " " + ad.getValue());
        try (ZipOutputStream zo =
                new ZipOutputStream(Files.newOutputStream(dir.resolve("t.zip")))) {
            zo.putNextEntry(new ZipEntry("q/r.txt"));
            zo.write("inside".getBytes());
            zo.closeEntry();
        }
        try (ZipFile zf = new ZipFile(dir.resolve("t.zip").toFile())) {
            System.out.println(
                    new String(zf.getInputStream(zf.getEntry("q/r.txt")).readAllBytes()));
        }
        try {
            new Inflater().setInput(new byte[] {1, 2, 3});
            Inflater inf = new Inflater();
            inf.setInput(new byte[] {1, 2, 3, 4});
            inf.inflate(new byte[10]);
        } catch (DataFormatException e) {
            System.out.println(e);
        }
        Files.walkFileTree(
                dir,
                new SimpleFileVisitor<Path>() {
                    public FileVisitResult visitFile(Path q, BasicFileAttributes a)
                            throws IOException {
                        Files.delete(q);
                        return FileVisitResult.CONTINUE;
                    }

                    public FileVisitResult postVisitDirectory(Path q, IOException e)
                            throws IOException {
                        Files.delete(q);
                        return FileVisitResult.CONTINUE;
                    }
                });
        System.out.println(Files.exists(dir));
        ByteArrayOutputStream so = new ByteArrayOutputStream();
        try (ObjectOutputStream oo = new ObjectOutputStream(so)) {
            oo.writeObject(new ArrayList<>(List.of("a", 1, 2.5)));
        }
        System.out.println(
                new ObjectInputStream(new ByteArrayInputStream(so.toByteArray())).readObject());
        System.out.println(new File("/tmp/../tmp/./nosuch/..//x").getCanonicalPath());
        PipedInputStream pi = new PipedInputStream();
        PipedOutputStream po = new PipedOutputStream(pi);
        po.write(7);
        System.out.println(pi.read());
    }
}
