// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method handles: table switches, counted loops, tryFinally, dropped results.
// since: 21
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class HandlesSince21 {
    volatile int field = 5;

    static String say(String prefix, int which) {
        return prefix + which;
    }

    static int step(int value, int index, int limit) {
        return value * 10 + index;
    }

    static String clean(Throwable thrown, String result, String argument) {
        return argument + " -> " + (thrown == null ? result : thrown.getClass().getSimpleName());
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle say = lookup.findStatic(HandlesSince21.class, "say",
            MethodType.methodType(String.class, String.class, int.class));
        MethodHandle zero = MethodHandles.permuteArguments(say.bindTo("zero "),
            MethodType.methodType(String.class, int.class), 0);
        MethodHandle one = say.bindTo("one "), other = say.bindTo("other ");
        MethodHandle table = MethodHandles.tableSwitch(other, zero, one);
        for (int i = -1; i < 4; i++) System.out.println((String) table.invokeExact(i));
        MethodHandle step = lookup.findStatic(HandlesSince21.class, "step",
            MethodType.methodType(int.class, int.class, int.class, int.class));
        MethodHandle loop = MethodHandles.countedLoop(MethodHandles.identity(int.class),
            MethodHandles.dropArguments(MethodHandles.constant(int.class, 0), 0, int.class), step);
        System.out.println((int) loop.invoke(5));
        MethodHandle length = lookup.findVirtual(String.class, "toUpperCase", MethodType.methodType(String.class));
        MethodHandle guarded = MethodHandles.tryFinally(length, lookup.findStatic(HandlesSince21.class, "clean",
            MethodType.methodType(String.class, Throwable.class, String.class, String.class)));
        System.out.println((String) guarded.invoke("abc"));
        try {
            System.out.println((String) guarded.invoke((String) null));
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
        System.out.println(MethodHandles.dropReturn(say).type());
    }
}
