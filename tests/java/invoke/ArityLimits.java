// timeout: 90
// Limits of arity: the numbers of arguments that handles, invokers, collectors, spreaders and varargs take, and the
// errors when there are more.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;

public class ArityLimits {
    interface Body { Object run() throws Throwable; }

    // Prints the outcome. A long text is replaced by its beginning, its length and its hash.
    static void show(String what, Body body) {
        String line;
        try {
            line = "= " + body.run();
        } catch (NullPointerException thrown) {
            line = "NullPointerException";
        } catch (Throwable thrown) {
            line = "! " + thrown + (thrown.getCause() != null ? " / " + thrown.getCause() : "");
        }
        if (line.length() > 400) line = line.substring(0, 150) + "..." + line.length() + " " + line.hashCode();
        System.out.println(what + " " + line);
    }

    static int count(Object... all) { return all.length; }
    static int counti(int... all) { return all.length; }
    static int countl(long... all) { return all.length; }
    static int lead(String first, int... all) { return all.length; }
    static String strs(String... all) { return all.length + all[0]; }

    static class C {
        final int n;
        C(Object... all) { n = all.length; }
        C(int[] first, long... all) { n = all.length; }
    }

    static MethodType mt(Class<?> result, Class<?> parameter, int count) {
        return MethodType.methodType(result, Collections.nCopies(count, parameter));
    }

    static MethodHandle f(String name) throws Throwable {
        for (var each : ArityLimits.class.getDeclaredMethods()) {
            if (each.getName().equals(name)) return MethodHandles.lookup().unreflect(each);
        }
        return null;
    }

    static Object[] fill(int count, Object value) {
        Object[] all = new Object[count];
        Arrays.fill(all, value);
        return all;
    }

    public static void main(String[] x) throws Throwable {
    int[] sizes = {0, 1, 126, 127, 128, 129, 250, 251, 252, 253, 254, 255, 256, 300};
    for (int n : sizes) {
      show("type ints " + n, () -> mt(int.class, int.class, n).parameterCount());
      show("type longs " + n, () -> mt(int.class, long.class, n).parameterCount());
      show("generic " + n, () -> MethodType.genericMethodType(n).parameterCount());
      show("genericArr " + n, () -> MethodType.genericMethodType(n, true).parameterCount());
      show("empty ints " + n, () -> MethodHandles.empty(mt(int.class, int.class, n)));
      show("empty longs " + n, () -> MethodHandles.empty(mt(int.class, long.class, n)));
      show("invoker ints " + n, () -> MethodHandles.invoker(mt(int.class, int.class, n)));
      show("exactInvoker ints " + n, () -> MethodHandles.exactInvoker(mt(int.class, int.class, n)));
      show("exactInvoker longs " + n, () -> MethodHandles.exactInvoker(mt(int.class, long.class, n)));
      show("invoker longs " + n, () -> MethodHandles.invoker(mt(int.class, long.class, n)));
      for (int l : new int[] {0, 1, 3}) {
      show("spreadInvoker ints " + l + " " + n, () -> MethodHandles.spreadInvoker(mt(int.class, int.class, n), l));
      show("spreadInvoker longs " + l + " " + n, () -> MethodHandles.spreadInvoker(mt(int.class, long.class, n), l)); }
      show("vhInvoker " + n, () -> MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET, mt(int.class, int.class,
              n)));
      show("vhExactInvoker " + n, () -> MethodHandles.varHandleExactInvoker(VarHandle.AccessMode.GET, mt(int.class,
              int.class, n)));
      show("collect obj " + n, () -> f("count").asFixedArity().asCollector(Object[].class, n));
      show("collect int " + n, () -> f("counti").asFixedArity().asCollector(int[].class, n));
      show("collect long " + n, () -> f("countl").asFixedArity().asCollector(long[].class, n));
      show("collect lead " + n, () -> f("lead").asFixedArity().asCollector(int[].class, n));
      show("collect call " + n, () -> f("counti").asFixedArity().asCollector(int[].class,
              n).invokeWithArguments(fill(n, 1)));
      show("collect calll " + n, () -> f("countl").asFixedArity().asCollector(long[].class,
              n).invokeWithArguments(fill(n, 1)));
      show("varargs obj " + n, () -> f("count").invokeWithArguments(fill(n, 1)));
      show("varargs int " + n, () -> f("counti").invokeWithArguments(fill(n, 1)));
      show("varargs int wrong " + n, () -> f("counti").invokeWithArguments(fill(n, "x")));
      show("varargs int null " + n, () -> f("counti").invokeWithArguments(fill(n, null)));
      show("varargs int byte " + n, () -> f("counti").invokeWithArguments(fill(n, (byte) 1)));
      show("varargs long " + n, () -> f("countl").invokeWithArguments(fill(n, 1)));
      show("varargs lead " + n, () -> { Object[] a = fill(n + 1, 1); a[0] = "s";
              return f("lead").invokeWithArguments(a); });
      show("varargs strs " + n, () -> f("strs").invokeWithArguments(fill(n, "s")));
      show("varargs strs wrong " + n, () -> f("strs").invokeWithArguments(fill(n, 1)));
      show("varargs list " + n, () -> f("count").invokeWithArguments(Arrays.asList(fill(n, 1))));
      show("fixed obj " + n, () -> f("count").asFixedArity().invokeWithArguments(fill(n, 1)));
      show("ctor " + n, () -> ((C) MethodHandles.lookup().findConstructor(C.class, MethodType.methodType(void.class,
              Object[].class)).invokeWithArguments(fill(n, 1))).n);
      show("ctor2 " + n, () -> { Object[] a = fill(n + 1, 1L); a[0] = new int[1];
              return ((C) MethodHandles.lookup().findConstructor(C.class, MethodType.methodType(void.class,
              int[].class, long[].class)).invokeWithArguments(a)).n; });
      show("varargs asType " + n, () -> f("count").asType(mt(int.class, Object.class, n)));
      show("varargs asType int " + n, () -> f("counti").asType(mt(int.class, int.class, n)));
      show("varargs asType long " + n, () -> f("countl").asType(mt(int.class, long.class, n)));
      show("spread obj " + n, () -> MethodHandles.empty(mt(int.class, int.class, n)).asSpreader(Object[].class, n));
      show("spread long " + n, () -> MethodHandles.empty(mt(int.class, int.class, n)).asSpreader(long[].class, n));
      show("spread long2 " + n, () -> MethodHandles.empty(mt(int.class, Object.class, n)).asSpreader(long[].class, n));
      show("spread int2 " + n, () -> MethodHandles.empty(mt(int.class, Object.class, n)).asSpreader(int[].class, n));
      show("spread call " + n, () -> (int) f("counti").asFixedArity().asCollector(int[].class,
              n).asSpreader(Object[].class, n).invoke(fill(n, 1)));
      show("drop " + n, () -> MethodHandles.dropArguments(MethodHandles.constant(int.class, 1), 0,
              Collections.nCopies(n, int.class)));
      show("dropl " + n, () -> MethodHandles.dropArguments(MethodHandles.constant(int.class, 1), 0,
              Collections.nCopies(n, long.class)));
      show("dropMatch " + n, () -> MethodHandles.dropArgumentsToMatch(MethodHandles.constant(int.class, 1), 0,
              Collections.nCopies(n, int.class), 0));
      show("permute " + n, () -> MethodHandles.permuteArguments(MethodHandles.identity(int.class), mt(int.class,
              int.class, n), 0));
      show("explicit " + n, () -> MethodHandles.explicitCastArguments(MethodHandles.empty(mt(int.class, int.class,
              n)), mt(int.class, long.class, n)));
      show("asType " + n, () -> MethodHandles.empty(mt(int.class, long.class, n)).asType(mt(int.class, int.class, n)));
      show("asType2 " + n, () -> MethodHandles.empty(mt(int.class, Object.class, n)).asType(mt(int.class, long.class,
              n)));
      show("collectArgs " + n, () -> MethodHandles.collectArguments(MethodHandles.identity(int.class), 0,
              MethodHandles.empty(mt(int.class, int.class, n))));
      show("fold " + n, () -> MethodHandles.foldArguments(MethodHandles.empty(mt(int.class, int.class, n)),
              MethodHandles.constant(int.class, 1)));
      show("bind " + n, () -> MethodHandles.insertArguments(MethodHandles.empty(mt(int.class, int.class, n)), 0, 1));
      show("guard " + n, () -> MethodHandles.guardWithTest(MethodHandles.constant(boolean.class, true),
              MethodHandles.empty(mt(int.class, int.class, n)), MethodHandles.empty(mt(int.class, int.class, n))));
      show("catch " + n, () -> MethodHandles.catchException(MethodHandles.empty(mt(int.class, int.class, n)),
              Throwable.class, MethodHandles.empty(MethodType.methodType(int.class, Throwable.class))));
      show("catch2 " + n, () -> MethodHandles.catchException(MethodHandles.empty(mt(int.class, int.class, n)),
              Throwable.class, MethodHandles.empty(mt(int.class, int.class, n).insertParameterTypes(0,
              Throwable.class))));
      show("finally " + n, () -> MethodHandles.tryFinally(MethodHandles.empty(mt(int.class, int.class, n)),
              MethodHandles.empty(MethodType.methodType(int.class, Throwable.class, int.class))));
      show("counted " + n, () -> MethodHandles.countedLoop(MethodHandles.constant(int.class, 1), null,
              MethodHandles.empty(mt(int.class, int.class, n))));
      show("table " + n, () -> MethodHandles.tableSwitch(MethodHandles.empty(mt(int.class, int.class, n)),
              MethodHandles.empty(mt(int.class, int.class, n))));
      show("asVarargs " + n, () -> MethodHandles.empty(mt(int.class, int[].class, n)).asVarargsCollector(int[].class));
    }
    for (int n : new int[] {-1, -255, 256, 1000}) { 
      show("coll " + n, () -> f("count").asFixedArity().asCollector(Object[].class, n));
      show("colll " + n, () -> f("countl").asFixedArity().asCollector(long[].class, n));
      show("spr " + n, () -> f("count").asFixedArity().asSpreader(Object[].class, n));
      show("generic " + n, () -> MethodType.genericMethodType(n)); }
  }
}
