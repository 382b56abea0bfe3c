// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods with unbalanced monitors (JVMS 2.11.10), which javac never generates: they return with a monitor held,
// exit a monitor that they do not hold, or exit the monitor of their own synchronized method.
// jvm: -Xint
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class UnbalancedMonitors extends ClassLoader {
    static final int ALOAD_0 = 0x2A, ICONST_1 = 0x04, LCONST_1 = 0x0A, IRETURN = 0xAC, LRETURN = 0xAD, RETURN = 0xB1,
                     ENTER = 0xC2, EXIT = 0xC3, ACONST_NULL = 0x01, ATHROW = 0xBF, LDC = 0x12, MADE = 2, POP = 0x57,
                     ICONST_2 = 0x05;
    static final int STATIC = 0x9, SYNCHRONIZED = 0x20;

    static int handler;   // the bci of the handler, which covers all code before it; 0: there is no handler

    /** Makes a class with one static method `run` of the given descriptor and code. */
    static Method make(int flags, String descriptor, int... code) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(49);
        out.writeShort(8);
        out.writeByte(1); out.writeUTF("Made");
        out.writeByte(7); out.writeShort(1);
        out.writeByte(1); out.writeUTF("java/lang/Object");
        out.writeByte(7); out.writeShort(3);
        out.writeByte(1); out.writeUTF("run");
        out.writeByte(1); out.writeUTF(descriptor);
        out.writeByte(1); out.writeUTF("Code");
        out.writeShort(0x21); out.writeShort(2); out.writeShort(4);
        out.writeShort(0); out.writeShort(0);
        out.writeShort(1);
        out.writeShort(flags); out.writeShort(5); out.writeShort(6); out.writeShort(1);
        out.writeShort(7); out.writeInt((handler == 0 ? 12 : 20) + code.length);
        out.writeShort(4); out.writeShort(4); out.writeInt(code.length);
        for (int b : code) out.writeByte(b);
        out.writeShort(handler == 0 ? 0 : 1);
        if (handler != 0) { out.writeShort(0); out.writeShort(handler); out.writeShort(handler); out.writeShort(0); }
        out.writeShort(0);
        out.writeShort(0);
        byte[] image = bytes.toByteArray();
        return new UnbalancedMonitors()
                .defineClass("Made", image, 0, image.length)
                .getMethod("run", dies ? Throwable.class : Object.class);
    }

    static boolean dies;   // true: `run` throws a ThreadDeath, which an IllegalMonitorStateException must not replace

    static void run(String what, int flags, String descriptor, int... code) throws Exception {
        Object lock = dies ? new ThreadDeath() : new Object();
        Method method = make(flags, descriptor, code);
        for (int i = 0; i < 3; i++) {
            try {
                System.out.println(what + ": " + method.invoke(null, lock));
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause();
                System.out.println(what + ": " + cause.getClass() + " in " + cause.getStackTrace()[0].getMethodName());
            }
            System.out.println(
                    "  held: " + Thread.holdsLock(lock) + " " + Thread.holdsLock(method.getDeclaringClass()));
        }
        synchronized (lock) { System.out.println("  held inside: " + Thread.holdsLock(lock)); }
        System.out.println("  held outside: " + Thread.holdsLock(lock));
    }

    public static void main(String[] arguments) throws Exception {
        run("balanced", STATIC, "(Ljava/lang/Object;)I", ALOAD_0, ENTER, ALOAD_0, EXIT, ICONST_1, IRETURN);
        run("held at return", STATIC, "(Ljava/lang/Object;)V", ALOAD_0, ENTER, RETURN);
        run("held twice", STATIC, "(Ljava/lang/Object;)J", ALOAD_0, ENTER, ALOAD_0, ENTER, ALOAD_0, EXIT, LCONST_1,
                LRETURN);
        run("not held", STATIC, "(Ljava/lang/Object;)V", ALOAD_0, EXIT, RETURN);
        run("given back twice", STATIC, "(Ljava/lang/Object;)V", ALOAD_0, ENTER, ALOAD_0, EXIT, ALOAD_0, EXIT, RETURN);
        run("synchronized", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)I", ICONST_1, IRETURN);
        run("synchronized and held", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)I", ALOAD_0, ENTER, ICONST_1, IRETURN);
        run("held at throw", STATIC, "(Ljava/lang/Object;)V", ALOAD_0, ENTER, ACONST_NULL, ATHROW);
        run("held twice at throw", STATIC, "(Ljava/lang/Object;)V", ALOAD_0, ENTER, ALOAD_0, ENTER, ACONST_NULL,
                ATHROW);
        run("balanced at throw", STATIC, "(Ljava/lang/Object;)V", ALOAD_0, ENTER, ALOAD_0, EXIT, ACONST_NULL, ATHROW);
        run("synchronized, throws", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)V", ACONST_NULL, ATHROW);
        run("synchronized and held, throws", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)V", ALOAD_0, ENTER,
                ACONST_NULL, ATHROW);
        run("own given back", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)I", LDC, MADE, EXIT, ICONST_1, IRETURN);
        run("own given back, throws", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)V", LDC, MADE, EXIT, ACONST_NULL,
                ATHROW);
        run("own given back and locked again", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)I", LDC, MADE, EXIT, LDC,
                MADE, ENTER, ICONST_1, IRETURN);
        handler = 4;
        run("held at return, caught", STATIC, "(Ljava/lang/Object;)I", ALOAD_0, ENTER, ICONST_1, IRETURN, POP, ICONST_2,
                IRETURN);
        run("held at return, caught and given back", STATIC, "(Ljava/lang/Object;)I", ALOAD_0, ENTER, ICONST_1, IRETURN,
                POP, ALOAD_0, EXIT, ICONST_2, IRETURN);
        run("synchronized and held, caught and given back", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)I", ALOAD_0,
                ENTER, ICONST_1, IRETURN, POP, ALOAD_0, EXIT, ICONST_2, IRETURN);
        handler = 0;
        dies = true;
        run("held at a thread's death", STATIC, "(Ljava/lang/Throwable;)V", ALOAD_0, ENTER, ALOAD_0, ATHROW);
        run("own given back, a thread's death", STATIC | SYNCHRONIZED, "(Ljava/lang/Throwable;)V", LDC, MADE, EXIT,
                ALOAD_0, ATHROW);
        dies = false;
        run("synchronized, balanced", STATIC | SYNCHRONIZED, "(Ljava/lang/Object;)V", ALOAD_0, ENTER, ALOAD_0, EXIT,
                RETURN);
    }
}
