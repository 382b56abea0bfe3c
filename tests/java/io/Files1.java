// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.nio.file and java.io: write, read, list, attributes, copy, move, delete, errors.
import java.io.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.util.*;

public class Files1 {
    public static void main(String[] args) throws Exception {
        Path d = Files.createTempDirectory("kh");
        Path f = d.resolve("a.txt");
        Files.writeString(f, "line one\nline two é\n");
        System.out.println(
                Files.readAllLines(f)
                        + " "
                        + Files.size(f)
                        + " "
                        + Files.exists(f)
                        + " "
                        + Files.isDirectory(d)
                        + " "
                        + Files.isRegularFile(f));
        Files.write(f, List.of("three"), StandardOpenOption.APPEND);
        System.out.println(Files.readString(f).length());
        Files.copy(f, d.resolve("b.txt"));
        Files.move(d.resolve("b.txt"), d.resolve("c.txt"));
        Files.createDirectories(d.resolve("x/y"));
        try (var s = Files.walk(d)) {
            System.out.println(s.map(p -> d.relativize(p).toString()).sorted().toList());
        }
        try (BufferedWriter w = new BufferedWriter(new FileWriter(d.resolve("w.txt").toFile()))) {
            for (int i = 0; i < 1000; i++) w.write("row " + i + "\n");
        }
        try (BufferedReader r = new BufferedReader(new FileReader(d.resolve("w.txt").toFile()))) {
            System.out.println(r.lines().count());
        }
        try (RandomAccessFile ra = new RandomAccessFile(f.toFile(), "rw")) {
            ra.seek(5);
            ra.write("XXX".getBytes());
            ra.seek(0);
            System.out.println(ra.readLine() + " " + ra.length() + " " + ra.getFilePointer());
        }
        try (DataOutputStream o =
                new DataOutputStream(new FileOutputStream(d.resolve("bin").toFile()))) {
            o.writeInt(5);
            o.writeUTF("utf é");
            o.writeDouble(2.5);
        }
        try (DataInputStream in =
                new DataInputStream(new FileInputStream(d.resolve("bin").toFile()))) {
            System.out.println(
                    in.readInt() + in.readUTF() + in.readDouble() + " " + in.available());
        }
        for (String n : new String[] {"none.txt", "x"})
            try {
                new FileInputStream(d.resolve(n).toFile()).read();
            } catch (IOException e) {
                System.out.println(e.getMessage().substring(d.toString().length()));
            }
        try {
            Files.readString(d.resolve("nope"));
        } catch (NoSuchFileException e) {
            System.out.println("nsf " + e.getFile().endsWith("nope"));
        }
        try {
            Files.delete(d.resolve("x"));
        } catch (DirectoryNotEmptyException e) {
            System.out.println("dne");
        }
        File file = f.toFile();
        System.out.println(
                file.length()
                        + " "
                        + file.canRead()
                        + " "
                        + file.getName()
                        + " "
                        + file.isFile()
                        + " "
                        + new File("rel/../x").getPath()
                        + " "
                        + Paths.get("/a/./b/../c").normalize()
                        + " "
                        + Path.of("/a").resolve("b").getParent()
                        + " "
                        + f.getFileName());
        try (var s = Files.walk(d)) {
            s.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
        }
        System.out.println(Files.exists(d));
    }
}
