// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack traces of members called by reflection, and of calls that are refused: the frames of the accessors, and the
// causes.
// since: 21
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

public class ReflectedTraces {
    public ReflectedTraces(String s, int i, long l, Integer b) {}
    public ReflectedTraces() { throw new NullPointerException("own"); }
    public ReflectedTraces(int x) { Object o = "s"; Integer i = (Integer) o; }
    static abstract class Abs { public Abs() {} }
    static void st(String s, int i, long l, Integer b) {}
    static int own() { Object o = null; return o.hashCode(); }
    static void cce() { Object o = "s"; Integer i = (Integer) o; }
    void vv(String... a) { System.out.println(a.length); }
    static char ch(char c, double d, boolean z, byte b) { return c; }
    static long walk() {
        StackWalker.getInstance(StackWalker.Option.SHOW_REFLECT_FRAMES).forEach(System.out::println);
        return StackWalker.getInstance().walk(frames -> frames.count());
    }
    static void show(String name, Callable<?> c) {
        System.out.println("-- " + name);
        try { System.out.println(c.call()); } catch (Throwable t) { t.printStackTrace(System.out); }
    }
    public static void main(String[] a) throws Exception {
        Method st = ReflectedTraces.class.getDeclaredMethod("st", String.class, int.class, long.class, Integer.class);
        Constructor<?> co = ReflectedTraces.class.getConstructor(String.class, int.class, long.class, Integer.class);
        Object[][] args = {
            {"s", 1, 2L, 3}, {"s", 1, 2, 3}, {null, 1, 2, null}, {"s", null, 2, 3}, {"s", 1L, 2L, 3}, {1, 1, 2, 3},
            {"s", 1, 2, 3L}, {"s", (byte) 1, 'c', 3}, {"s", 1}, {"s", "x", 2L, 3}, null, {"s", 1, 2.0, 3},
            {"s", true, 2, 3}
        };
        for (Object[] each : args) {
            String text = Arrays.toString(each);
            show("st " + text, () -> st.invoke(null, each));
            show("co " + text, () -> co.newInstance(each).getClass());
        }
        for (String n : new String[] {"own", "cce"})
            show(n, () -> ReflectedTraces.class.getDeclaredMethod(n).invoke(null));
        show("c own", () -> ReflectedTraces.class.getConstructor().newInstance());
        show("c cce", () -> ReflectedTraces.class.getConstructor(int.class).newInstance(4));
        show("abs", () -> Abs.class.getConstructor().newInstance());
        Method ch = ReflectedTraces.class.getDeclaredMethod("ch", char.class, double.class, boolean.class, byte.class);
        show("ch", () -> ch.invoke(null, 'c', 1, true, (byte) 1));
        show("ch2", () -> ch.invoke(null, 'c', 'd', true, (byte) 1));
        show("ch3", () -> ch.invoke(null, (byte) 1, 1f, true, (byte) 1));
        show("ch4", () -> ch.invoke(null, 'c', 1f, null, (byte) 1));
        show("null receiver", () ->
            ReflectedTraces.class.getDeclaredMethod("vv", String[].class).invoke(null, (Object) null));
        show("list", () -> List.class.getMethod("get", int.class).invoke(List.of(1, 2), 5));
        show("polymorphic", () -> MethodHandle.class.getMethod("invokeExact", Object[].class).invoke(
                MethodHandles.constant(int.class, 1), (Object) new Object[0]));
        for (int i = 0; i < 3; i++) show("again", () -> ReflectedTraces.class.getDeclaredMethod("walk").invoke(null));
        show("throwing field", () -> Integer.class.getDeclaredField("value").get(3));
    }
}
