// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Members that a class lost or changed after its user was compiled: the class is rewritten by the loader.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

public class ChangedMembers {
    public static class Api {
        public int gone = 1;
        public static int nowInstance = 2;
        public int nowStatic = 3;
        public final int nowPrivate = Integer.parseInt("4");
        public int otherType = 5;
        public int nowFinal = 6;
        public void lost() {}
        public static void madeInstance() {}
        public void madeStatic() {}
        public void madePrivate() {}
        public int otherReturn() { return 1; }
        public void made_abstract() {}
    }

    public static class User implements Runnable {
        int step;
        public void run() {
            Api api = new Api();
            switch (step) {
                case 0 -> System.out.println(api.gone);
                case 1 -> System.out.println(Api.nowInstance);
                case 2 -> System.out.println(api.nowStatic);
                case 3 -> System.out.println(api.nowPrivate);
                case 4 -> System.out.println(api.otherType);
                case 5 -> api.nowFinal = 7;
                case 6 -> api.lost();
                case 7 -> Api.madeInstance();
                case 8 -> api.madeStatic();
                case 9 -> api.madePrivate();
                case 10 -> System.out.println(api.otherReturn());
                default -> System.out.println("fine");
            }
        }
    }

    static class Changer extends ClassLoader {
        Changer() { super("changer", ChangedMembers.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("ChangedMembers$")) return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (var in = getParent().getResourceAsStream(name + ".class")) {
                ClassReader reader = new ClassReader(in.readAllBytes());
                ClassWriter writer = new ClassWriter(0);
                reader.accept(name.endsWith("Api") ? new Change(writer) : writer, 0);
                byte[] bytes = writer.toByteArray();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static class Change extends ClassVisitor {
        Change(ClassVisitor next) { super(Opcodes.ASM8, next); }

        @Override
        public FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
            switch (name) {
                case "gone": return null;
                case "nowInstance": access &= ~Opcodes.ACC_STATIC; break;
                case "nowStatic": access |= Opcodes.ACC_STATIC; break;
                case "nowPrivate": access = Opcodes.ACC_PRIVATE; break;
                case "otherType": type = "J"; break;
                case "nowFinal": access |= Opcodes.ACC_FINAL; break;
                default: break;
            }
            return super.visitField(access, name, type, signature, value);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
            if (name.equals("<init>") || name.equals("<clinit>")) {
                if (name.equals("<clinit>")) return null;
                MethodVisitor code = super.visitMethod(access, name, type, signature, exceptions);
                code.visitCode();
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                code.visitInsn(Opcodes.RETURN);
                code.visitMaxs(1, 1);
                code.visitEnd();
                return null;
            }
            switch (name) {
                case "lost": return null;
                case "madeInstance": access &= ~Opcodes.ACC_STATIC; break;
                case "madeStatic": access |= Opcodes.ACC_STATIC; break;
                case "madePrivate": access = Opcodes.ACC_PRIVATE; break;
                case "otherReturn": type = "()J"; break;
                default: break;
            }
            MethodVisitor code = super.visitMethod(access, name, type, signature, exceptions);
            code.visitCode();
            if (type.endsWith("J")) {
                code.visitInsn(Opcodes.LCONST_1);
                code.visitInsn(Opcodes.LRETURN);
            } else {
                code.visitInsn(Opcodes.RETURN);
            }
            code.visitMaxs(2, 1);
            code.visitEnd();
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> user = new Changer().loadClass("ChangedMembers$User");
        var step = user.getDeclaredField("step");
        step.setAccessible(true);
        for (int i = 0; i < 12; i++) {
            Runnable r = (Runnable) user.getConstructor().newInstance();
            step.setInt(r, i);
            for (int twice = 0; twice < 2; twice++) {
                try {
                    r.run();
                    System.out.println(i + " went through");
                } catch (LinkageError e) {
                    System.out.println(i + " " + e.toString().replaceAll("@[0-9a-f]+", "@"));
                }
            }
        }
    }
}
