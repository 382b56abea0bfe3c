// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method handles: find, invoke, adapt, combine.
import java.lang.invoke.*;
import java.util.*;

public class Handles {
    int f = 3;

    static int add(int a, int b) {
        return a + b;
    }

    String cat(String x, Object y) {
        return x + y + f;
    }

    private static long priv(long x) {
        return x * 2;
    }

    static String va(String p, Object... r) {
        return p + r.length;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle add =
                l.findStatic(
                        Handles.class,
                        "add",
                        MethodType.methodType(int.class, int.class, int.class));
        System.out.println(
                (int) add.invokeExact(2, 3)
                        + " "
                        + add.invoke((byte) 2, 3)
                        + " "
                        + add.invokeWithArguments(4, 5)
                        + " "
                        + add.type());
        MethodHandle cat =
                l.findVirtual(
                        Handles.class,
                        "cat",
                        MethodType.methodType(String.class, String.class, Object.class));
        Handles h = new Handles();
        System.out.println(
                (String) cat.invokeExact(h, "a", (Object) 1) + " " + cat.bindTo(h).invoke("b", 2));
        System.out.println(
                l.findConstructor(ArrayList.class, MethodType.methodType(void.class)).invoke()
                        + " "
                        + l.findGetter(Handles.class, "f", int.class).invoke(h)
                        + " "
                        + (long)
                                l.findStatic(
                                                Handles.class,
                                                "priv",
                                                MethodType.methodType(long.class, long.class))
                                        .invokeExact(21L));
        l.findSetter(Handles.class, "f", int.class).invoke(h, 8);
        System.out.println(h.f);
        System.out.println(
                MethodHandles.insertArguments(add, 0, 10).invoke(5)
                        + " "
                        + MethodHandles.filterReturnValue(
                                        add,
                                        l.findStatic(
                                                String.class,
                                                "valueOf",
                                                MethodType.methodType(String.class, int.class)))
                                .invoke(1, 2)
                        + " "
                        + MethodHandles.permuteArguments(
                                        l.findVirtual(
                                                String.class,
                                                "concat",
                                                MethodType.methodType(String.class, String.class)),
                                        MethodType.methodType(
                                                String.class, String.class, String.class),
                                        1,
                                        0)
                                .invoke("x", "y")
                        + " "
                        + MethodHandles.guardWithTest(
                                        l.findVirtual(
                                                String.class,
                                                "isEmpty",
                                                MethodType.methodType(boolean.class)),
                                        MethodHandles.dropArguments(
                                                MethodHandles.constant(String.class, "empty"),
                                                0,
                                                String.class),
                                        MethodHandles.identity(String.class))
                                .invoke("")
                        + " "
                        + add.asSpreader(Object[].class, 2).invoke(new Object[] {3, 4})
                        + " "
                        + l.findStatic(
                                        Handles.class,
                                        "va",
                                        MethodType.methodType(
                                                String.class, String.class, Object[].class))
                                .invoke("v", 1, 2, 3)
                        + " "
                        + MethodHandles.arrayElementGetter(int[].class)
                                .invoke(new int[] {7, 8}, 1));
        try {
            add.invokeExact("wrong");
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        try {
            l.findStatic(Handles.class, "nope", MethodType.methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle thrower =
                MethodHandles.catchException(
                        l.findStatic(
                                Integer.class,
                                "parseInt",
                                MethodType.methodType(int.class, String.class)),
                        NumberFormatException.class,
                        MethodHandles.dropArguments(
                                MethodHandles.constant(int.class, -1),
                                0,
                                NumberFormatException.class));
        System.out.println((int) thrower.invokeExact("12") + (int) thrower.invokeExact("zz"));
        System.out.println(
                MethodType.fromMethodDescriptorString("(I[JLjava/lang/String;)V", null)
                        + " "
                        + add.asType(MethodType.methodType(long.class, Integer.class, short.class))
                                .invoke(1, (short) 2));
        CallSite cs = new MutableCallSite(MethodHandles.constant(int.class, 1));
        MethodHandle dyn = cs.dynamicInvoker();
        System.out.print((int) dyn.invokeExact());
        cs.setTarget(MethodHandles.constant(int.class, 2));
        System.out.println((int) dyn.invokeExact());
    }
}
