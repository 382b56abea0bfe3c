// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method handles of each kind: find, bind, unreflect, spread, collect, filter, fold, guard, loops, exceptions.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;
import java.util.ArrayList;
import java.util.List;
import static java.lang.invoke.MethodType.methodType;

public class HandleKinds {
    int field = 3;
    static String join(String a, int b, Object c) { return a + b + c; }
    private int secret(int x) { return x + field; }
    static int twice(int x) { return 2 * x; }
    static boolean small(int x) { return x < 10; }
    static int fails(int x) { throw new IllegalStateException("f" + x); }
    static int recover(IllegalStateException e, int x) { return -x; }
    static int sum(int... xs) { int s = 0; for (int x : xs) s += x; return s; }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle join = l.findStatic(
                HandleKinds.class, "join", methodType(String.class, String.class, int.class, Object.class));
        System.out.println((String) join.invokeExact("a", 1, (Object) "c") + join.invoke("x", (short) 2, 5L)
                + join.bindTo("bound").invoke(7, null) + " " + join.type());
        MethodHandle secret = l.findVirtual(HandleKinds.class, "secret", methodType(int.class, int.class));
        System.out.println((int) secret.invoke(new HandleKinds(), 4) + " "
                + (int) l.findGetter(HandleKinds.class, "field", int.class).invoke(new HandleKinds()) + " "
                + l.findConstructor(ArrayList.class, methodType(void.class, int.class)).invoke(5));
        MethodHandle twice = l.findStatic(HandleKinds.class, "twice", methodType(int.class, int.class)),
                     small = l.findStatic(HandleKinds.class, "small", methodType(boolean.class, int.class));
        MethodHandle fails = l.findStatic(HandleKinds.class, "fails", methodType(int.class, int.class)),
                     recover = l.findStatic(HandleKinds.class, "recover",
                             methodType(int.class, IllegalStateException.class, int.class));
        MethodHandle guard = MethodHandles.guardWithTest(small, twice, MethodHandles.identity(int.class));
        System.out.println((int) guard.invoke(5) + " " + (int) guard.invoke(50) + " "
                + (int) MethodHandles.catchException(fails, IllegalStateException.class, recover).invoke(8) + " "
                + (int) MethodHandles.filterReturnValue(twice, twice).invoke(3) + " "
                + MethodHandles.filterArguments(join, 1, twice).invoke("k", 4, 'z'));
        System.out.println(join.asSpreader(Object[].class, 3).invoke(new Object[] {"s", 1, 2}) + " "
                + MethodHandles
                        .permuteArguments(
                                join, methodType(String.class, Object.class, int.class, String.class), 2, 1, 0)
                        .invoke((Object) "o", 1, "s")
                + " " + MethodHandles.insertArguments(join, 1, 9).invoke("i", "j") + " "
                + MethodHandles.dropArguments(twice, 0, String.class).invoke("d", 21));
        MethodHandle sum = l.findStatic(HandleKinds.class, "sum", methodType(int.class, int[].class));
        System.out.println((int) sum.invoke(1, 2, 3) + " " + sum.isVarargsCollector() + " "
                + (int) sum.asFixedArity().invoke(new int[] {4}) + " "
                + (int) sum.asCollector(int[].class, 2).invoke(5, 6) + " " + sum.invokeWithArguments(List.of(1, 1)));
        MethodHandle count =
                MethodHandles.countedLoop(MethodHandles.constant(int.class, 5), MethodHandles.constant(int.class, 1),
                        l.findVirtual(MethodHandle.class, "hashCode", methodType(int.class)) == null
                                ? null
                                : MethodHandles.dropArguments(twice, 1, int.class));
        System.out.println((int) count.invoke() + " "
                + MethodHandles.arrayElementGetter(int[].class).invoke(new int[] {3, 4}, 1) + " "
                + MethodHandles.arrayLength(String[].class).invoke(new String[2]) + " "
                + MethodHandles.zero(long.class).invoke());
        for (Object[] wrong : new Object[][] {{"a"}, {1, 2, 3}, {"a", "b", "c"}}) {
            try {
                join.invokeWithArguments(wrong);
            } catch (WrongMethodTypeException | ClassCastException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            String s = (String) join.invokeExact("a", 1, "c");
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        try {
            MethodHandles.publicLookup().findVirtual(HandleKinds.class, "secret", methodType(int.class, int.class));
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        try {
            l.findStatic(HandleKinds.class, "nope", methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(MethodType.fromMethodDescriptorString("(I[JLjava/lang/String;)V", null) + " "
                + methodType(int.class, long.class).wrap().erase().generic() + " "
                + l.unreflect(HandleKinds.class.getDeclaredMethod("twice", int.class)) + " "
                + l.revealDirect(twice).getReferenceKind());
    }
}
