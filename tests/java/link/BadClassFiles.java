// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class files that are cut short, or have a changed byte: the errors of defineClass.
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public class BadClassFiles {
    public static class Victim { int field; void method() {} }

    static class Loader extends ClassLoader {
        Loader() { super("bad", BadClassFiles.class.getClassLoader()); }
        Class<?> define(String name, byte[] bytes) { return defineClass(name, bytes, 0, bytes.length); }
    }

    static void attempt(String what, String name, byte[] bytes) {
        try {
            System.out.println(what + ": " + new Loader().define(name, bytes).getName());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    static byte[] with(byte[] from, int at, int... values) {
        byte[] to = from.clone();
        for (int i = 0; i < values.length; i++) to[at + i] = (byte) values[i];
        return to;
    }

    static byte[] renamed(byte[] from, String old, String fresh) {
        String text = new String(from, StandardCharsets.ISO_8859_1);
        return text.replace(old, fresh).getBytes(StandardCharsets.ISO_8859_1);
    }

    public static void main(String[] args) throws Exception {
        byte[] good;
        try (InputStream in = BadClassFiles.class.getResourceAsStream("BadClassFiles$Victim.class")) {
            good = in.readAllBytes();
        }
        String name = "BadClassFiles$Victim";
        attempt("good", name, good);
        attempt("no name given", null, good);
        attempt("another name", "Other", good);
        attempt("slashes in the name", "a/b", good);
        attempt("array name", "[I", good);
        attempt("magic", name, with(good, 0, 0xca, 0xfe, 0xd0, 0x0d));
        attempt("version 44", name, with(good, 4, 0, 0, 0, 44));
        attempt("version 45.3", name, with(good, 4, 0, 3, 0, 45));
        attempt("version 61 with a minor", name, with(good, 4, 0, 1, 0, 61));
        attempt("empty pool", name, with(good, 8, 0, 0));
        attempt("unknown tag", name, with(good, 10, 2));
        attempt("half", name, Arrays.copyOf(good, good.length / 2));
        attempt("one byte less", name, Arrays.copyOf(good, good.length - 1));
        attempt("one byte more", name, Arrays.copyOf(good, good.length + 1));
        attempt("four bytes", name, Arrays.copyOf(good, 4));
        attempt("nothing", name, new byte[0]);
        attempt("method of a bad name", name, renamed(good, "method", "met;od"));
        attempt("field of a bad name", name, renamed(good, "field", "fie/d"));
        // The last two bytes of the file are the flags of the only entry of InnerClasses.
        attempt("inner class is a module", name, with(good, good.length - 2, 0x80, 0));
        attempt("inner class abstract and final", name, with(good, good.length - 2, 0x04, 0x10));
        attempt("inner class an annotation, but no interface", name, with(good, good.length - 2, 0x20, 0));
        attempt("in java.lang", "java.lang.Fresh", good);
    }
}
