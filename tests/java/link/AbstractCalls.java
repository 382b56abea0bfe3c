// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls for which there is no method to run: abstract methods, conflicting defaults, a private method where an
// interface requires a public one.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class AbstractCalls {
    public interface A { default String m() { return "A"; } }
    public interface B { default String m() { return "B"; } }
    public interface C { String m(); }
    public static abstract class D { public abstract String m(); }

    static class Loader extends ClassLoader {
        Loader() { super("calls", AbstractCalls.class.getClassLoader()); }
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static Object make(String name, String superclass, int access, String... interfaces) throws Exception {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(V11, ACC_PUBLIC | ACC_SUPER, name, null, superclass, interfaces);
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, superclass, "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(1, 1);
        init.visitEnd();
        if (access >= 0) {
            MethodVisitor m = writer.visitMethod(access, "m", "()Ljava/lang/String;", null, null);
            m.visitCode();
            m.visitLdcInsn("own");
            m.visitInsn(ARETURN);
            m.visitMaxs(1, 1);
            m.visitEnd();
        }
        writer.visitEnd();
        return new Loader().define(writer.toByteArray()).getConstructor().newInstance();
    }

    interface Call { String run() throws Exception; }

    static void attempt(String what, Call call) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(what + ": " + call.run());
            } catch (Throwable e) {
                System.out.println(what + ": " + e.toString().replaceAll("@[0-9a-f]+", "@"));
            }
        }
    }

    public static void main(String[] args) {
        String outer = "AbstractCalls$";
        String object = "java/lang/Object";
        attempt("two defaults through A", () -> ((A) make("Both", object, -1, outer + "A", outer + "B")).m());
        attempt("two defaults through B", () -> ((B) make("Both", object, -1, outer + "A", outer + "B")).m());
        attempt("nothing for C", () -> ((C) make("Nothing", object, -1, outer + "C")).m());
        attempt("nothing for D", () -> ((D) make("NothingD", outer + "D", -1)).m());
        attempt("private for C", () -> ((C) make("Private", object, ACC_PRIVATE, outer + "C")).m());
        attempt("package for C", () -> ((C) make("Package", object, 0, outer + "C")).m());
        attempt("protected for C", () -> ((C) make("Protected", object, ACC_PROTECTED, outer + "C")).m());
        attempt("static for C", () -> ((C) make("Static", object, ACC_PUBLIC | ACC_STATIC, outer + "C")).m());
        attempt("public for C", () -> ((C) make("Public", object, ACC_PUBLIC, outer + "C")).m());
        attempt("default and abstract", () -> ((C) make("Mixed", object, -1, outer + "C", outer + "A")).m());
        attempt("not a C", () -> ((C) make("NoC", object, ACC_PUBLIC)).m());
        attempt("private for A", () -> ((A) make("PrivateA", object, ACC_PRIVATE, outer + "A")).m());
    }
}
