// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the jars of loading.py into the working directory, from `classes` and the keys of `keys`: signed ones, and
// copies of these that were changed after signing.
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import jdk.security.jarsigner.JarSigner;

public class MakeJars {
    static final String MANIFEST = "META-INF/MANIFEST.MF";
    static final String TITLES = "Specification-Title: title\nSpecification-Version: 1.2\nImplementation-Vendor: vendor\n"
            + "Implementation-Version: 7.1\n";
    static final String PACKAGE = "\nName: p/\nImplementation-Title: of the package\n";

    static byte[] file(String name) throws Exception {
        return Files.readAllBytes(Path.of("classes", name));
    }

    static Map<String, byte[]> content(String manifest, String... names) throws Exception {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        if (manifest != null) entries.put(MANIFEST, ("Manifest-Version: 1.0\nMain-Class: p.Main\n" + manifest).getBytes());
        for (String name : names) {
            boolean isText = name.endsWith(".txt");
            entries.put(name, isText ? "as signed".getBytes() : file(name.replaceFirst("META-INF/versions/\\d+/", "")));
        }
        return entries;
    }

    static void write(String jar, Map<String, byte[]> entries) throws Exception {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(Path.of(jar)))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(each.getKey()));
                out.write(each.getValue());
            }
        }
    }

    // Writes a jar with an index, which says which jars have which packages.
    static void writeIndexed(String jar, String manifest, String lines, String... names) throws Exception {
        Map<String, byte[]> entries = content(manifest, names);
        entries.put("META-INF/INDEX.LIST", ("JarIndex-Version: 1.0\n\n" + lines + "\n").getBytes());
        write(jar, entries);
    }

    // Writes a copy of plain.jar with one byte changed. A negative position counts from the end.
    static void patch(String jar, int position, int value) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of("plain.jar"));
        bytes[position < 0 ? bytes.length + position : position] = (byte) value;
        Files.write(Path.of(jar), bytes);
    }

    // Writes a jar whose directory gives the manifest a stored size that is two bytes too large. So a stream that
    // reads the manifest also yields the beginning of the next entry.
    static void writeOverstated(String jar, Map<String, byte[]> entries) throws Exception {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(file)) {
            out.setMethod(ZipOutputStream.STORED);
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                CRC32 sum = new CRC32();
                sum.update(each.getValue());
                entry.setSize(each.getValue().length);
                entry.setCrc(sum.getValue());
                out.putNextEntry(entry);
                out.write(each.getValue());
            }
        }
        byte[] bytes = file.toByteArray();
        int directory = 0;   // the position of the jar's directory, whose first entry is the manifest
        while (bytes[directory] != 'P' || bytes[directory + 1] != 'K' || bytes[directory + 2] != 1) directory++;
        bytes[directory + 21] += 2;
        Files.write(Path.of(jar), bytes);
    }

    static void sign(String jar, String key, Map<String, byte[]> entries) throws Exception {
        write("unsigned.jar", entries);
        char[] password = "changeit".toCharArray();
        KeyStore.PrivateKeyEntry entry = (KeyStore.PrivateKeyEntry) KeyStore.getInstance(Path.of("keys").toFile(), password)
                .getEntry(key, new KeyStore.PasswordProtection(password));
        try (ZipFile in = new ZipFile("unsigned.jar"); OutputStream out = Files.newOutputStream(Path.of(jar))) {
            new JarSigner.Builder(entry).signerName(key).build().sign(in, out);
        }
    }

    static Map<String, byte[]> read(String jar) throws Exception {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipFile in = new ZipFile(jar)) {
            for (var all = in.entries(); all.hasMoreElements();) {
                ZipEntry each = all.nextElement();
                entries.put(each.getName(), in.getInputStream(each).readAllBytes());
            }
        }
        return entries;
    }

    // Writes signed.jar with another text in one entry, or without the entry if the text is null.
    static void changed(String jar, String entry, UnaryOperator<String> change) throws Exception {
        Map<String, byte[]> entries = read("signed.jar");
        String text = new String(entries.get(entry), StandardCharsets.ISO_8859_1);
        String other = change.apply(text);
        if (other == null) entries.remove(entry);
        else entries.put(entry, other.getBytes(StandardCharsets.ISO_8859_1));
        write(jar, entries);
    }

    public static void main(String[] arguments) throws Exception {
        String main = "p/Main.class", other = "p/Other.class", text = "p/text.txt", bare = "Bare.class";
        sign("signed.jar", "one", content(TITLES, main, other, bare, text));
        sign("main.jar", "one", content(TITLES, main, text));
        sign("other.jar", "one", content(null, other));
        sign("bytwo.jar", "two", content(null, other));
        sign("sealed.jar", "one", content(TITLES + "Sealed: true\n", main, text));
        sign("section.jar", "one", content(TITLES + PACKAGE + "Sealed: true\n", main, other));
        sign("versions.jar", "one", content("Multi-Release: true\n", main, other, "META-INF/versions/11/" + other));
        write("plain.jar", content(TITLES, main, other, bare, text));
        write("plainmain.jar", content(TITLES + PACKAGE, main));
        write("plainother.jar", content(null, other));
        write("plainsealed.jar", content(TITLES + "Sealed: true\n", main, text));
        write("sealsother.jar", content(PACKAGE + "SEALED: True\n", other));
        write("unsealed.jar", content("Sealed: true\n" + PACKAGE + "Sealed: false\n", main));
        write("names.jar", content("Class-Path: other.jar\n", main));
        write("unended.jar", content("Class-Path: other.jar\n continued without end", main));
        write("bare.jar", content("", bare));
        writeIndexed("indexed.jar", "", "indexed.jar\np\n\nplainother.jar\np\n", main);
        writeIndexed("wrongindex.jar", "", "bare.jar\np\n", main);
        writeIndexed("shortindex.jar", "Class-Path: plainother.jar\n", "bare.jar\nq\n", main);
        writeOverstated("overstated.jar", content(TITLES, main, other, text));
        writeOverstated("overstatedpath.jar", content(TITLES + "Class-Path: plainother.jar\n", main, other, text));
        patch("comment.jar", -2, 5);   // states a length of the jar's comment that reaches beyond the end of the file
        patch("name.jar", 26, 9);      // the name's length in the first local header is wrong
        changed("badclass.jar", main, was -> was.replace("certificates", "certificatez"));
        changed("badother.jar", other, was -> was.replace("as it was", "as it is?"));
        changed("badtext.jar", text, was -> "as changed");
        changed("badmanifest.jar", MANIFEST, was -> was.replaceFirst("(p/Main.class\\s+SHA-\\d+-Digest: )....", "$1AAAA"));
        changed("badmain.jar", MANIFEST, was -> was.replace("1.2", "1.3"));
        changed("badsection.jar", MANIFEST, was -> was + "Name: p/\r\nImplementation-Title: forged\r\n\r\n");
        changed("badfile.jar", "META-INF/ONE.SF", was -> was.replaceFirst("Digest: ....", "Digest: AAAA"));
        changed("noblock.jar", "META-INF/ONE.EC", was -> null);
        changed("badblock.jar", "META-INF/ONE.EC", was -> was.substring(0, 40));
        changed("nomanifest.jar", MANIFEST, was -> null);
        Map<String, byte[]> added = read("main.jar");
        added.put(other, file(other));
        write("added.jar", added);
    }
}
