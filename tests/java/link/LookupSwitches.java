// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Both verifiers require that the keys of a lookupswitch ascend strictly.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.util.Arrays;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class LookupSwitches {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    // Makes a class with `int f(int)`, which returns the index of its argument in `keys`, or -1.
    static Class<?> define(int version, int... keys) {
        ClassWriter writer = new ClassWriter(version < V1_6 ? ClassWriter.COMPUTE_MAXS : ClassWriter.COMPUTE_FRAMES);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, "Switch", null, "java/lang/Object", null);
        MethodVisitor f = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "f", "(I)I", null, null);
        f.visitCode();
        f.visitVarInsn(ILOAD, 0);
        Label none = new Label();
        Label[] labels = new Label[keys.length];
        for (int i = 0; i < keys.length; i++) labels[i] = new Label();
        f.visitLookupSwitchInsn(none, keys, labels);
        for (int i = 0; i < keys.length; i++) {
            f.visitLabel(labels[i]);
            f.visitIntInsn(BIPUSH, i);
            f.visitInsn(IRETURN);
        }
        f.visitLabel(none);
        f.visitInsn(ICONST_M1);
        f.visitInsn(IRETURN);
        f.visitMaxs(0, 0);
        f.visitEnd();
        writer.visitEnd();
        return new Loader().define(writer.toByteArray());
    }

    static void attempt(int version, int... keys) throws Exception {
        String what = "version " + version + " " + Arrays.toString(keys);
        try {
            Class<?> made = define(version, keys);
            for (int key : new int[] {Integer.MIN_VALUE, -1, 0, 1, 2, Integer.MAX_VALUE})
                what += " " + made.getMethod("f", int.class).invoke(null, key);
            System.out.println(what);
        } catch (VerifyError e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        for (int version : new int[] {V1_5, V1_7, V17}) {
            attempt(version);
            attempt(version, 1);
            attempt(version, 1, 2);
            attempt(version, Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE);
            attempt(version, 2, 1);
            attempt(version, 1, 1);
            attempt(version, 0, 1, 2, 2);
            attempt(version, 0, Integer.MIN_VALUE);
        }
    }
}
