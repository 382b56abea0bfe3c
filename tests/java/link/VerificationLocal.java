// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// With -XX:+BytecodeVerificationLocal all classes are verified, even under -XX:-BytecodeVerificationRemote.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED -XX:+UnlockDiagnosticVMOptions
// jvm: -XX:-BytecodeVerificationRemote -XX:+BytecodeVerificationLocal
// until: 17
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class VerificationLocal {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    // Makes a class with `int f(int)`, which counts down to 0 and returns 7. The code is right, but it lacks the stack
    // map frame that a verifier requires at the loop.
    static Class<?> define(int version) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, "Loop", null, "java/lang/Object", null);
        MethodVisitor f = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "f", "(I)I", null, null);
        Label loop = new Label();
        f.visitCode();
        f.visitLabel(loop);
        f.visitIincInsn(0, -1);
        f.visitVarInsn(ILOAD, 0);
        f.visitJumpInsn(IFGT, loop);
        f.visitIntInsn(BIPUSH, 7);
        f.visitInsn(IRETURN);
        f.visitMaxs(0, 0);
        f.visitEnd();
        writer.visitEnd();
        return new Loader().define(writer.toByteArray());
    }

    public static void main(String[] args) throws Exception {
        for (int version : new int[] {V1_5, V1_6, V17}) {
            try {
                System.out.println(version + ": " + define(version).getMethod("f", int.class).invoke(null, 10_000));
            } catch (VerifyError e) {
                System.out.println(version + ": " + e.getMessage());
            }
        }
    }
}
