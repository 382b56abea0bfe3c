// Tests calls of the handles that combinators make: the arguments that reach each handle, the order in which the
// handles run, and the results.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

public class CombinatorCalls {
    static final StringBuilder trace = new StringBuilder();

    static Object record(String name, Object[] arguments) {
        trace.append(' ').append(name).append(Arrays.deepToString(arguments));
        return name;
    }

    static final MethodHandle RECORD;
    static {
        try {
            RECORD = MethodHandles.lookup().findStatic(CombinatorCalls.class, "record",
                    MethodType.methodType(Object.class, String.class, Object[].class));
        } catch (ReflectiveOperationException exception) {
            throw new AssertionError(exception);
        }
    }

    // Makes a handle of this result type and these parameters. The handle records its call, and returns `result`.
    static MethodHandle noting(String name, Object result, Class<?> type, Class<?>... parameters) {
        MethodHandle noted = RECORD.bindTo(name).asCollector(Object[].class,
                parameters.length).asType(MethodType.methodType(void.class, parameters));
        if (type == void.class) return noted;
        return MethodHandles.filterReturnValue(noted, MethodHandles.constant(type, result));
    }

    static void call(String what, MethodHandle handle, Object... arguments) {
        trace.setLength(0);
        Object result;
        try {
            result = handle.invokeWithArguments(arguments);
            if (result instanceof Object[]) result = Arrays.deepToString((Object[]) result);
        } catch (Throwable thrown) {
            result = thrown.getClass().getName();
        }
        System.out.println(what + " " + handle.type() + ":" + trace + " -> " + result);
    }

    static int limit = 3;
    static boolean below(int value) { return value < limit; }
    static int add(int value, int i,
            String more) { trace.append(" add").append(value).append(i).append(more); return value + i; }
    static void each(String element, List<String> from) { trace.append(" each ").append(element).append(from.size()); }
    static int lengths(int sum, String element) { return sum + element.length(); }
    static int grow(int value) { return value + 1; }

    static MethodHandle own(String name, Class<?> result, Class<?>... parameters) throws ReflectiveOperationException {
        return MethodHandles.lookup().findStatic(CombinatorCalls.class, name,
                MethodType.methodType(result, parameters));
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle target = noting("target", "t", String.class, String.class, int.class, Object.class);
        call("plain", target, "a", 1, 'c');
        for (int pos = 0; pos <= 3; pos++) {
            call("drop at " + pos, MethodHandles.dropArguments(target, pos, long.class, boolean.class),
                    arrange(pos, 7L, true));
        }
        call("insert", MethodHandles.insertArguments(target, 1, 5, null), "a");
        call("insert widened",
                MethodHandles.insertArguments(noting("wide", 1.5, double.class, long.class, double.class), 0, 3, 2.5f));
        call("permute", MethodHandles.permuteArguments(target,
                MethodType.methodType(String.class, Object.class, int.class, String.class), 2, 1, 0), 'x', 4, "s");
        call("permute twice",
                MethodHandles.permuteArguments(noting("two", 0, int.class, int.class, int.class),
                MethodType.methodType(int.class, int.class), 0, 0), 9);
        MethodHandle parse = noting("filter", 42, int.class, String.class);
        call("filter", MethodHandles.filterArguments(target, 0, null, parse), "a", "12", 'c');
        call("filters", MethodHandles.filterArguments(target, 0, noting("first", "f", String.class, long.class), parse,
                null), 3L, "5", "z");
        call("filter result", MethodHandles.filterReturnValue(target, noting("after", 1, int.class, String.class)), "a",
                1, null);
        call("filter void", MethodHandles.filterReturnValue(noting("void", null, void.class, int.class),
                noting("after", "x", String.class)), 8);
        call("collect", MethodHandles.collectArguments(target, 1,
                noting("collector", 6, int.class, long.class, String.class)), "a", 2L, "b", 'c');
        call("collect nothing",
                MethodHandles.collectArguments(target, 2, noting("collector", null, void.class, char.class)), "a", 3,
                'v', 'c');
        call("fold", MethodHandles.foldArguments(target, noting("combiner", "r", String.class, int.class)), 1, "o");
        call("fold at 1", MethodHandles.foldArguments(target, 1, noting("combiner", 77, int.class, Object.class)), "a",
                "o");
        call("fold void", MethodHandles.foldArguments(target, 1, noting("combiner", null, void.class, int.class)), "a",
                3, "o");
        call("guard true", MethodHandles.guardWithTest(noting("test", true, boolean.class, String.class), target,
                noting("other", "o", String.class, String.class, int.class, Object.class)),
             "a", 1, 2);
        call("guard false", MethodHandles.guardWithTest(noting("test", false, boolean.class), target,
                noting("other", "o", String.class, String.class, int.class, Object.class)), "a", 1, 2);
        MethodHandle thrower = MethodHandles.throwException(String.class, IllegalStateException.class);
        call("catch", MethodHandles.catchException(thrower, RuntimeException.class,
                noting("handler", "h", String.class, Exception.class)), new IllegalStateException("x"));
        call("catch with arguments",
                MethodHandles.catchException(MethodHandles.dropArguments(thrower, 1, int.class),
                IllegalStateException.class,
             noting("handler", "h", String.class, IllegalStateException.class, IllegalStateException.class, int.class)),
                     new IllegalStateException("y"), 4);
        call("catch not", MethodHandles.catchException(thrower, Error.class,
                noting("handler", "h", String.class, Error.class)), new IllegalStateException("z"));
        call("finally", MethodHandles.tryFinally(target,
                noting("cleanup", "c", String.class, Throwable.class, String.class, String.class)), "a", 1, 2);
        call("finally void", MethodHandles.tryFinally(noting("void", null, void.class, int.class),
                noting("cleanup", null, void.class, Throwable.class)), 1);
        call("finally thrown",
                MethodHandles.tryFinally(thrower, noting("cleanup", "c", String.class, Throwable.class, String.class)),
                new IllegalStateException("w"));
        MethodHandle cases = MethodHandles.tableSwitch(noting("default", 9, int.class, int.class, String.class),
                noting("zero", 0, int.class, int.class, String.class),
                                                       noting("one", 1, int.class, int.class, String.class));
        for (int i = -1; i <= 2; i++) call("switch", cases, i, "s");
        List<Class<?>> longer = List.of(long.class, String.class, int.class, Object.class, byte.class);
        call("match", MethodHandles.dropArgumentsToMatch(target, 0, longer, 1), 5L, "a", 1, 2, (byte) 3);
        call("match after one",
                MethodHandles.dropArgumentsToMatch(target, 1, List.of(int.class, Object.class, char.class), 0), "a", 1,
                2, 'd');
        call("match in the middle",
                MethodHandles.dropArgumentsToMatch(target, 2, List.of(char.class, Object.class, char.class), 1), "a", 1,
                'p', 2, 'd');
        call("drop result", MethodHandles.dropReturn(target), "a", 1, 2);
        call("spread", target.asSpreader(Object[].class, 3), (Object) new Object[] {"a", 1, 2});
        call("spread two", target.asSpreader(1, Object[].class, 2), "a", new Object[] {3, null});
        call("spread ints", noting("ints", null, void.class, int.class, long.class, Object.class).asSpreader(0,
                int[].class, 2), new int[] {1, 2}, "o");
        call("spread too few", target.asSpreader(Object[].class, 2), "a", new Object[] {1});
        call("spread null", target.asSpreader(Object[].class, 0), "a", 1, 2, null);
        call("collect array", noting("array", null, void.class, String.class, int[].class).asCollector(int[].class, 3),
                "a", 1, 2, 3);
        call("collect front",
                noting("array", null, void.class, Object.class, String.class).asCollector(0, String[].class, 2), "a",
                "b", "c");
        MethodHandle varargs = noting("varargs", null, void.class, String.class,
                Object.class).asVarargsCollector(String[].class);
        call("varargs 0", varargs, "a");
        call("varargs 2", varargs, "a", "b", "c");
        call("varargs array", varargs, "a", new String[] {"z"});
        call("fixed", varargs.asFixedArity(), "a", new String[] {"z"});
        call("with varargs", noting("with", null, void.class, int[].class).withVarargs(true), 1, 2, 3);
        call("cast", MethodHandles.explicitCastArguments(noting("narrow", 300, int.class, byte.class, boolean.class,
                String.class),
             MethodType.methodType(byte.class, int.class, long.class, Object.class)), 513, 3L, "s");
        call("cast null", MethodHandles.explicitCastArguments(noting("zero", null, void.class, int.class),
                MethodType.methodType(void.class, Integer.class)), (Object) null);
        call("cast fails", MethodHandles.explicitCastArguments(noting("int", 5, int.class),
                MethodType.methodType(String.class)));

        call("while", MethodHandles.whileLoop(MethodHandles.constant(int.class, 0),
                own("below", boolean.class, int.class), own("grow", int.class, int.class)));
        call("do while", MethodHandles.doWhileLoop(MethodHandles.constant(int.class, 5),
                own("grow", int.class, int.class), own("below", boolean.class, int.class)));
        call("counted", MethodHandles.countedLoop(MethodHandles.constant(int.class, 3),
                MethodHandles.constant(int.class, 10), own("add", int.class, int.class, int.class, String.class)), "m");
        call("counted from", MethodHandles.countedLoop(MethodHandles.constant(int.class, 2),
                MethodHandles.constant(int.class, 4), null,
             own("add", int.class, int.class, int.class, String.class)), "n");
        call("iterated", MethodHandles.iteratedLoop(null, null, own("each", void.class, String.class, List.class)),
                List.of("x", "yy"));
        MethodHandle iterator = MethodHandles.lookup().findVirtual(List.class, "iterator",
                MethodType.methodType(Iterator.class));
        call("iterated sum", MethodHandles.iteratedLoop(iterator, MethodHandles.constant(int.class, 100),
                own("lengths", int.class, int.class, String.class)), List.of("x", "yy"));
        MethodHandle[] counter = {MethodHandles.constant(int.class, 0), own("grow", int.class, int.class)};
        MethodHandle[] condition = {null, null, own("below", boolean.class, int.class),
                MethodHandles.dropArguments(noting("done", "end", String.class, int.class), 1, String.class)};
        call("clauses", MethodHandles.loop(counter, condition), "argument");
        MethodHandle[] unset = {null, noting("step", 1L, long.class, long.class, int.class, String.class)};
        call("three clauses",
                MethodHandles.loop(unset,
                new MethodHandle[] {null,
                MethodHandles.dropArguments(own("grow", int.class, int.class), 0, long.class)},
             new MethodHandle[] {null, null,
                     MethodHandles.dropArguments(own("below", boolean.class, int.class), 0, long.class),
                     noting("done", 'd', char.class, long.class, int.class)}), "q");
    }

    // Returns ("a", 1, 'c') with two further elements at `pos`.
    static Object[] arrange(int pos, Object first, Object second) {
        List<Object> all = new java.util.ArrayList<>(Arrays.asList("a", 1, 'c'));
        all.add(pos, second);
        all.add(pos, first);
        return all.toArray();
    }
}
