// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Each loader brings 60 KB of names that no other loader has: names of fields, methods, a package, arrays and hidden
// classes, and names that are only looked up. All these names together exceed the metaspace, so they must be freed with
// their loaders.
// jvm: -Xmx48m -XX:MaxMetaspaceSize=32m
// stress: no
// timeout: 120

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Names {
    static final int rounds = 900, fields = 200, padding = 290;

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static final String digits = "########", pad = "x".repeat(padding);
    static final Map<String, byte[]> templates = new HashMap<>();

    static String number(int round) { return String.format("%08d", round); }
    static String field(String number, int field) { return "f" + number + "_" + field + pad; }

    /** Returns the class file of `name`, with the digits of `number` in place of each ########. */
    static byte[] classFile(String name, String number) throws IOException {
        byte[] template = templates.get(name);
        if (template == null) templates.put(name, template = template(name));
        byte[] bytes = template.clone();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '#' || bytes[i + 1] != '#') continue;
            for (int k = 0; k < 8; k++) bytes[i + k] = (byte) number.charAt(k);
            i += 7;
        }
        return bytes;
    }

    // Makes the class file of: public class `name` {
    //   public static int f#0...; ...
    //   public static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    // }
    static byte[] template(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(52);
        out.writeShort(14 + fields);
        text(out, name);                                         // 1
        out.writeByte(7); out.writeShort(1);                     // 2 this
        text(out, "java/lang/Object");                           // 3
        out.writeByte(7); out.writeShort(3);                     // 4
        text(out, "I");                                          // 5
        text(out, "Code");                                       // 6
        text(out, "lookup");                                     // 7
        text(out, "()Ljava/lang/invoke/MethodHandles$Lookup;");  // 8
        text(out, "java/lang/invoke/MethodHandles");             // 9
        out.writeByte(7); out.writeShort(9);                     // 10
        out.writeByte(12); out.writeShort(7); out.writeShort(8); // 11
        out.writeByte(10); out.writeShort(10); out.writeShort(11); // 12
        text(out, "nothing");                                    // 13
        for (int i = 0; i < fields; i++) text(out, field(digits, i));
        out.writeShort(0x21);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(0);
        out.writeShort(fields);
        for (int i = 0; i < fields; i++) {
            out.writeShort(9);
            out.writeShort(14 + i);
            out.writeShort(5);
            out.writeShort(0);
        }
        out.writeShort(1);
        out.writeShort(9);
        out.writeShort(7);
        out.writeShort(8);
        out.writeShort(1);
        out.writeShort(6);
        out.writeInt(16);
        out.writeShort(1);
        out.writeShort(0);
        out.writeInt(4);
        out.writeByte(0xB8); out.writeShort(12); out.writeByte(0xB0);   // invokestatic, areturn
        out.writeShort(0);
        out.writeShort(0);
        out.writeShort(0);
        return bytes.toByteArray();
    }

    static void text(DataOutputStream out, String text) throws IOException {
        out.writeByte(1);
        out.writeUTF(text);
    }

    static WeakReference<ClassLoader> round(int round) throws Exception {
        Loader loader = new Loader();
        String number = number(round);
        Class<?> made = loader.define(classFile("p########/C", number));
        if (made.getField(field(number, round % fields)).getInt(null) != 0) throw new AssertionError("static");
        if (!Class.forName("[[Lp" + number + ".C;", false, loader).getName().equals("[[Lp" + number + ".C;"))
            throw new AssertionError("array");
        MethodHandles.Lookup lookup = (MethodHandles.Lookup) made.getMethod("lookup").invoke(null);
        Class<?> hidden = lookup.defineHiddenClass(classFile("p########/H", number), true).lookupClass();
        if (hidden.getDeclaredField(field(number, 1)).getInt(null) != 0) throw new AssertionError("static");
        try {
            Class.forName("p" + number + ".Missing" + pad, false, loader);
            throw new AssertionError("found");
        } catch (ClassNotFoundException expected) {
            if (!expected.getMessage().startsWith("p" + number)) throw new AssertionError(expected);
        }
        byte[] twice = classFile("p########/C", number);
        try {
            loader.define(twice);
            throw new AssertionError("defined twice");
        } catch (LinkageError expected) {
            if (!expected.getMessage().contains("duplicate")) throw expected;
        }
        byte[] damaged = classFile("q########/D", number);
        damaged[damaged.length - 1] = 1;
        try {
            loader.define(damaged);
            throw new AssertionError("a damaged class file");
        } catch (ClassFormatError expected) {
        }
        return new WeakReference<>(loader);
    }

    static long residentMebibytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
        }
        throw new AssertionError("no RssAnon");
    }

    static long left(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().filter(each -> each.get() != null).count();
    }

    public static void main(String[] arguments) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        long before = 0;
        for (int i = 0; i < rounds; i++) {
            if (i == rounds / 3) before = residentMebibytes();
            loaders.add(round(i));
        }
        // The last two thirds of the rounds made 36 MiB of names, in several copies. Most names must have been freed.
        long growth = residentMebibytes() - before;
        System.out.println(growth < 30 ? "memory stays" : "memory has grown by " + growth + " MiB");
        for (int i = 0; i < 5000 && left(loaders) > 1; i++) {
            System.gc();
            Thread.sleep(1);   // waits until other threads have dropped the loaders
        }
        System.out.println(left(loaders) <= 1 ? "all are gone" : "some are left");
    }
}
