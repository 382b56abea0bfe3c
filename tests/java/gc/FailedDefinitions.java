// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// expected: DefinitionsMade\n40000\n40000\nno growth
// jvm: -Xmx64m
// stress: no
// Definitions that fail (a duplicate name, a missing superclass, a truncated file) leave no memory behind: after the
// first 40,000, another 40,000 do not enlarge the process by more than collections do.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.Arrays;

class DefinitionsSuper { }
class DefinitionsMade { int field = 3; int method(int n) { return n * field; } }
class DefinitionsOrphan extends DefinitionsSuper { int field = 3; int method(int n) { return n + field; } }

public class FailedDefinitions {
    static class Loader extends ClassLoader {
        Loader() { super(FailedDefinitions.class.getClassLoader()); }
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static byte[] bytes(String name) throws IOException {
        try (InputStream in = FailedDefinitions.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    static long residentKilobytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
        return 0;
    }

    static int failures(Loader loader, byte[][] shapes, int count) {
        int failures = 0;
        for (int i = 0; i < count; i++) {
            try {
                loader.define(shapes[i % shapes.length]);
            } catch (LinkageError e) {
                failures++;
            }
        }
        return failures;
    }

    public static void main(String[] args) throws Exception {
        Loader loader = new Loader();
        byte[] made = bytes("DefinitionsMade");
        System.out.println(loader.define(made).getName());
        String text = new String(bytes("DefinitionsOrphan"), StandardCharsets.ISO_8859_1);
        byte[] orphan = text.replace("DefinitionsSuper", "DefinitionsNoOne").getBytes(StandardCharsets.ISO_8859_1);
        byte[][] shapes = {made, orphan, Arrays.copyOf(made, made.length - 3)};
        System.out.println(failures(loader, shapes, 40_000));
        System.gc();
        long before = residentKilobytes();
        System.out.println(failures(loader, shapes, 40_000));
        System.gc();
        long grown = residentKilobytes() - before;
        System.out.println(grown < 12_000 ? "no growth" : "grown by " + grown + " KB");
    }
}
