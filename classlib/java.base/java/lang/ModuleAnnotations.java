// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotations of module-info.java. They are read from a class that is generated from module-info.class:
//
//   module-info.class                                made of it
//   access flags       MODULE                        INTERFACE | ABSTRACT | SYNTHETIC
//   superclass         none                          java.lang.Object, by two constants after the others
//   constants Module   name of a module or package   String: nothing refers to them but attributes that the VM skips
//   and Package
//
// The class has a loader of its own, which finds the annotations' types where the module finds them.
package java.lang;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

final class ModuleAnnotations {
    private static final int UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, STRING = 8, METHOD_HANDLE = 15,
            METHOD_TYPE = 16, MODULE = 19, PACKAGE = 20;
    private static final int INTERFACE = 0x200, ABSTRACT = 0x400, SYNTHETIC = 0x1000;

    private static final class Holder extends ClassLoader {
        private final byte[] content;

        Holder(ClassLoader parent, byte[] content) {
            super(parent);
            this.content = content;
        }

        Class<?> define() {
            return defineClass("module-info", content, 0, content.length);
        }
    }

    private ModuleAnnotations() {}

    static Class<?> classOf(ClassLoader loader, byte[] moduleInfo) {
        try {
            return new Holder(loader, interfaceOf(ByteBuffer.wrap(moduleInfo))).define();
        } catch (IOException impossible) {
            throw new InternalError(impossible);
        }
    }

    private static byte[] interfaceOf(ByteBuffer in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(in.limit() + 32);
        DataOutputStream out = new DataOutputStream(bytes);
        copy(in, out, 8);                                  // magic and version
        int count = in.getShort() & 0xFFFF;
        out.writeShort(count + 2);
        for (int i = 1; i < count; i++) {
            int tag = in.get();
            out.writeByte(tag == MODULE || tag == PACKAGE ? STRING : tag);
            switch (tag) {
                case UTF8:
                    int length = in.getShort() & 0xFFFF;
                    out.writeShort(length);
                    copy(in, out, length);
                    break;
                case LONG: case DOUBLE:
                    copy(in, out, 8);
                    i++;
                    break;
                case CLASS: case STRING: case METHOD_TYPE: case MODULE: case PACKAGE: copy(in, out, 2); break;
                case METHOD_HANDLE: copy(in, out, 3); break;
                default: copy(in, out, 4); break;
            }
        }
        out.writeByte(UTF8);
        out.writeUTF("java/lang/Object");
        out.writeByte(CLASS);
        out.writeShort(count);
        in.getShort();
        out.writeShort(INTERFACE | ABSTRACT | SYNTHETIC);
        copy(in, out, 2);                                  // this class
        in.getShort();
        out.writeShort(count + 1);
        copy(in, out, in.remaining());
        return bytes.toByteArray();
    }

    private static void copy(ByteBuffer in, DataOutputStream out, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.get(bytes);
        out.write(bytes);
    }
}
