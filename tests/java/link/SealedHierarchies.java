// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sealed classes and interfaces that permit a subtype or refuse it: by its module, its package, its name.
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

public class SealedHierarchies {
    static class Loader extends ClassLoader {
        Loader(ClassLoader parent) { super(parent); }
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static final int INTERFACE = 0x600, SUPER = 0x20;

    // Makes a class file without members. Constant 2k + 2 is the k-th of the classes to which the file refers.
    static byte[] file(int flags, String name, String superclass, List<String> interfaces, List<String> permitted)
            throws IOException {
        List<String> classes = new ArrayList<>(List.of(name, superclass));
        classes.addAll(interfaces);
        classes.addAll(permitted);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(61);
        int attribute = 2 * classes.size() + 1;
        out.writeShort(attribute + 1);
        for (int k = 0; k < classes.size(); k++) {
            out.writeByte(1);
            out.writeUTF(classes.get(k));
            out.writeByte(7);
            out.writeShort(2 * k + 1);
        }
        out.writeByte(1);
        out.writeUTF("PermittedSubclasses");
        out.writeShort(flags);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(interfaces.size());
        for (int k = 2; k < 2 + interfaces.size(); k++) out.writeShort(2 * k + 2);
        out.writeInt(0);    // no fields, no methods
        out.writeShort(permitted.isEmpty() ? 0 : 1);
        if (!permitted.isEmpty()) {
            out.writeShort(attribute);
            out.writeInt(2 + 2 * permitted.size());
            out.writeShort(permitted.size());
            for (int k = classes.size() - permitted.size(); k < classes.size(); k++) out.writeShort(2 * k + 2);
        }
        return bytes.toByteArray();
    }

    static void attempt(String what, boolean ofInterface, int flags, String sealed, String sub, String permitted,
                        boolean otherLoader) throws IOException {
        Loader first = new Loader(SealedHierarchies.class.getClassLoader());
        Loader second = otherLoader ? new Loader(first) : first;
        String object = "java/lang/Object";
        try {
            first.define(file(1 | (ofInterface ? INTERFACE : SUPER), sealed, object, List.of(), List.of(permitted)));
            second.define(ofInterface ? file(flags, sub, object, List.of(sealed), List.of())
                    : file(flags, sub, sealed, List.of(), List.of()));
            System.out.println(what + ": permitted");
        } catch (Error e) {
            System.out.println(what + ": " + e.toString().replaceAll("@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws IOException {
        for (int visibility = 0; visibility < 2; visibility++) {
            for (int kind = 0; kind < 3; kind++) {
                boolean ofInterface = kind > 0;
                int flags = visibility | (kind == 2 ? INTERFACE : SUPER);
                String what = (visibility == 1 ? "public " : "") + List.of("class below a class", "class below an "
                        + "interface", "interface below an interface").get(kind);
                attempt(what, ofInterface, flags, "S", "T", "T", false);
                attempt(what + ", above in a package", ofInterface, flags, "p/S", "T", "T", false);
                attempt(what + ", below in a package", ofInterface, flags, "S", "q/T", "q/T", false);
                attempt(what + ", both in packages", ofInterface, flags, "p/S", "q/T", "q/T", false);
                attempt(what + ", of another loader", ofInterface, flags, "S", "T", "T", true);
                attempt(what + ", not named", ofInterface, flags, "S", "T", "Other", false);
                attempt(what + ", nothing right", ofInterface, flags, "p/S", "q/T", "Other", true);
            }
        }
    }
}
