// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads its own jar in each way that a program on the class path has: classes, resources, the manifest, packages.
import java.io.InputStream;
import java.util.Collections;
import java.util.zip.CRC32;

public class Jarred {
    interface Step {
        Object take() throws Exception;
    }

    static void show(String name, Step step) {
        try {
            System.out.println(name + ": " + step.take());
        } catch (Throwable e) {
            System.out.println(name + ": " + e.getClass().getName());
        }
    }

    static String content(InputStream in) throws Exception {
        if (in == null) return "none";
        try (in) {
            byte[] bytes = in.readAllBytes();
            CRC32 sum = new CRC32();
            sum.update(bytes);
            return bytes.length + " bytes, " + Long.toHexString(sum.getValue());
        }
    }

    public static void main(String[] args) {
        ClassLoader loader = Jarred.class.getClassLoader();
        show("short text", () -> content(loader.getResourceAsStream("short.txt")));
        show("long text", () -> content(loader.getResourceAsStream("folder/long.txt")));
        show("stored text", () -> content(loader.getResourceAsStream("folder/stored.bin")));
        show("twice", () -> content(loader.getResourceAsStream("twice")));
        show("versioned", () -> content(loader.getResourceAsStream("versioned.txt")));
        show("folder", () -> loader.getResource("folder/") != null);
        show("manifests", () -> Collections.list(loader.getResources("META-INF/MANIFEST.MF")).size());
        for (String name : new String[] {"inside.First", "inside.Second", "inside.Missing"})
            show(name, () -> Class.forName(name).getDeclaredConstructor().newInstance());
        show("package", () -> {
            Package its = Class.forName("inside.First").getPackage();
            return its.getImplementationTitle() + ", " + its.getSpecificationVersion() + ", " + its.isSealed();
        });
        show("source", () -> Class.forName("inside.First").getProtectionDomain().getCodeSource().getLocation() != null);
    }
}
