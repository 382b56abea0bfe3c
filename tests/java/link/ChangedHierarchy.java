// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class files that do not fit each other: a class that became an interface, an interface that became a class, a
// superclass that became final, a method that became final.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.util.Map;
import java.util.TreeMap;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class ChangedHierarchy {
    static class Defined extends ClassLoader {
        final Map<String, ClassWriter> classes = new TreeMap<>();
        Defined() { super("defined", ChangedHierarchy.class.getClassLoader()); }
        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ClassWriter writer = classes.get(name);
            if (writer == null) throw new ClassNotFoundException(name);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        }
        ClassWriter add(int access, String name, String superclass, String... interfaces) {
            ClassWriter writer = new ClassWriter(0);
            classes.put(name, writer);
            writer.visit(V11, access, name, null, superclass, interfaces);
            return writer;
        }
    }

    static void constructor(ClassWriter to, String superclass) {
        MethodVisitor code = to.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitMethodInsn(INVOKESPECIAL, superclass, "<init>", "()V", false);
        code.visitInsn(RETURN);
        code.visitMaxs(1, 1);
        code.visitEnd();
    }

    static void method(ClassWriter to, int access, String name) {
        MethodVisitor code = to.visitMethod(access, name, "()V", null, null);
        if ((access & ACC_ABSTRACT) == 0) {
            code.visitCode();
            code.visitInsn(RETURN);
            code.visitMaxs(0, 1);
        }
        code.visitEnd();
    }

    static void attempt(String what, Defined loader, String name) {
        try {
            Class<?> c = loader.loadClass(name);
            Object o = c.getDeclaredConstructor().newInstance();
            System.out.println(what + ": " + o.getClass().getName());
        } catch (Throwable e) {
            System.out.println(what + ": " + e.toString().replaceAll("@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) {
        Defined a = new Defined();
        a.add(ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "Face", "java/lang/Object").visitEnd();
        ClassWriter sub = a.add(ACC_PUBLIC | ACC_SUPER, "Sub", "Face");
        constructor(sub, "Face");
        sub.visitEnd();
        attempt("extends an interface", a, "Sub");

        ClassWriter plain = a.add(ACC_PUBLIC | ACC_SUPER, "Plain", "java/lang/Object");
        constructor(plain, "java/lang/Object");
        plain.visitEnd();
        ClassWriter impl = a.add(ACC_PUBLIC | ACC_SUPER, "Impl", "java/lang/Object", "Plain");
        constructor(impl, "java/lang/Object");
        impl.visitEnd();
        attempt("implements a class", a, "Impl");

        ClassWriter last = a.add(ACC_PUBLIC | ACC_FINAL | ACC_SUPER, "Last", "java/lang/Object");
        constructor(last, "java/lang/Object");
        last.visitEnd();
        ClassWriter after = a.add(ACC_PUBLIC | ACC_SUPER, "After", "Last");
        constructor(after, "Last");
        after.visitEnd();
        attempt("extends a final class", a, "After");

        ClassWriter base = a.add(ACC_PUBLIC | ACC_SUPER, "Base", "java/lang/Object");
        constructor(base, "java/lang/Object");
        method(base, ACC_PUBLIC | ACC_FINAL, "fixed");
        base.visitEnd();
        ClassWriter over = a.add(ACC_PUBLIC | ACC_SUPER, "Over", "Base");
        constructor(over, "Base");
        method(over, ACC_PUBLIC, "fixed");
        over.visitEnd();
        attempt("overrides a final method", a, "Over");

        ClassWriter twice =
                a.add(ACC_PUBLIC | ACC_SUPER, "Twice", "java/lang/Object", "java/lang/Runnable", "java/lang/Runnable");
        constructor(twice, "java/lang/Object");
        twice.visitEnd();
        attempt("an interface twice", a, "Twice");

        ClassWriter self = a.add(ACC_PUBLIC | ACC_SUPER, "Self", "Self");
        constructor(self, "Self");
        self.visitEnd();
        attempt("extends itself", a, "Self");

        ClassWriter missing = a.add(ACC_PUBLIC | ACC_SUPER, "Orphan", "NotThere");
        constructor(missing, "NotThere");
        missing.visitEnd();
        attempt("superclass not found", a, "Orphan");
        attempt("superclass not found again", a, "Orphan");

        ClassWriter dup = a.add(ACC_PUBLIC | ACC_SUPER, "Dup", "java/lang/Object");
        constructor(dup, "java/lang/Object");
        method(dup, ACC_PUBLIC, "m");
        method(dup, ACC_PUBLIC, "m");
        dup.visitEnd();
        attempt("a method twice", a, "Dup");

        ClassWriter fields = a.add(ACC_PUBLIC | ACC_SUPER, "Fields", "java/lang/Object");
        constructor(fields, "java/lang/Object");
        fields.visitField(ACC_PUBLIC, "f", "I", null, null).visitEnd();
        fields.visitField(ACC_PUBLIC, "f", "I", null, null).visitEnd();
        fields.visitEnd();
        attempt("a field twice", a, "Fields");

        ClassWriter hole = a.add(ACC_PUBLIC | ACC_SUPER, "Hole", "java/lang/Object");
        constructor(hole, "java/lang/Object");
        method(hole, ACC_PUBLIC | ACC_ABSTRACT, "m");
        hole.visitEnd();
        attempt("an abstract method in a class that is not", a, "Hole");

        ClassWriter abstractClass = a.add(ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, "Abs", "java/lang/Object");
        constructor(abstractClass, "java/lang/Object");
        abstractClass.visitEnd();
        attempt("an abstract class", a, "Abs");

        ClassWriter flags = a.add(ACC_PUBLIC | ACC_SUPER | ACC_FINAL | ACC_ABSTRACT, "Flags", "java/lang/Object");
        constructor(flags, "java/lang/Object");
        flags.visitEnd();
        attempt("final and abstract", a, "Flags");

        ClassWriter badName = a.add(ACC_PUBLIC | ACC_SUPER, "Named", "java/lang/Object");
        constructor(badName, "java/lang/Object");
        method(badName, ACC_PUBLIC, "a.b");
        badName.visitEnd();
        attempt("a method of a bad name", a, "Named");

        ClassWriter badType = a.add(ACC_PUBLIC | ACC_SUPER, "Typed", "java/lang/Object");
        constructor(badType, "java/lang/Object");
        badType.visitField(ACC_PUBLIC, "f", "Q", null, null).visitEnd();
        badType.visitEnd();
        attempt("a field of a bad type", a, "Typed");
    }
}
