// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Zip and jar files: written, read as a stream and by name, manifests, URLs into them, broken files.
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

public class Jars {
    public static void main(String[] args) throws Exception {
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().putValue("Long", "x".repeat(100));
        m.getEntries().put("a.txt", new Attributes());
        m.getEntries().get("a.txt").putValue("Kind", "text");
        Path file = Path.of("test.jar").toAbsolutePath();
        try (JarOutputStream out = new JarOutputStream(new FileOutputStream(file.toFile()), m)) {
            ZipEntry a = new ZipEntry("a.txt");
            a.setTime(1000000000000L);
            a.setComment("comment");
            out.putNextEntry(a);
            out.write("hello ".repeat(1000).getBytes());
            ZipEntry s = new ZipEntry("dir/stored");
            s.setMethod(ZipEntry.STORED);
            s.setSize(3);
            s.setCrc(0x352441c2L);
            out.putNextEntry(s);
            out.write("abc".getBytes());
            try {
                out.putNextEntry(new ZipEntry("a.txt"));
            } catch (ZipException e) {
                System.out.println(e.getMessage());
            }
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            jar.stream()
                    .map(e
                            -> e.getName() + " " + e.getSize() + " " + e.getMethod() + " " + e.getComment() + " "
                                    + Long.toHexString(e.getCrc()))
                    .forEach(System.out::println);
            System.out.println(jar.getManifest().getMainAttributes().getValue("long").length() + " "
                    + ((JarEntry) jar.getEntry("a.txt")).getAttributes().getValue("Kind") + " " + jar.size() + " "
                    + jar.getEntry("none"));
            try (InputStream in = jar.getInputStream(jar.getEntry("a.txt"))) {
                System.out.println(in.readAllBytes().length);
            }
        }
        try (JarInputStream in = new JarInputStream(Files.newInputStream(file))) {
            System.out.println(in.getManifest().getEntries().keySet());
            for (JarEntry e = in.getNextJarEntry(); e != null; e = in.getNextJarEntry())
                System.out.println(e.getName() + " " + in.readAllBytes().length);
        }
        URL url = new URL("jar:" + file.toUri() + "!/a.txt");
        System.out.println(
                ((JarURLConnection) url.openConnection()).getEntryName() + " " + url.openStream().readNBytes(5).length);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {file.toUri().toURL()}, null)) {
            System.out.println(loader.getResource("dir/stored").toString().endsWith("test.jar!/dir/stored") + " "
                    + loader.getResource("nope") + " "
                    + new String(loader.getResourceAsStream("dir/stored").readAllBytes()));
            try {
                loader.loadClass("Nope");
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
        try (FileSystem fs = FileSystems.newFileSystem(file)) {
            System.out.println(Files.readString(fs.getPath("/dir/stored")) + " "
                    + Files.list(fs.getPath("/")).map(Path::toString).sorted().toList());
            Files.writeString(fs.getPath("new.txt"), "new");
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            System.out.println(zip.stream().map(ZipEntry::getName).sorted().toList());
        }
        Files.write(Path.of("bad.zip"), new byte[] {'P', 'K', 3, 4, 5});
        try {
            new ZipFile("bad.zip");
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new ZipInputStream(new ByteArrayInputStream(new byte[10])).getNextEntry());
    }
}
