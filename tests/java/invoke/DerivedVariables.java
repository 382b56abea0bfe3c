// since: 25
// Tests variable handles that are derived from other handles: the arguments that the combinators accept and refuse, and
// the number and order of calls of filters. However often a call site is executed, it must not take a derived handle
// for the handle of a field.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.List;

public class DerivedVariables {
    static int variable;
    Object field = "field";
    Comparable<?> compared = "compared";

    static int sum(int left, long right) { return (int) (left + right); }
    static long outward(String further, int value) { System.out.println("outward " + further); return value; }
    static int inward(String further, long value) { System.out.println("inward " + further); return (int) value; }
    static int declares(long value) throws Exception { throw new Exception("declared"); }
    static int throwing(long value) { throw new IllegalStateException("thrown"); }
    static long wide(int value) { return value; }
    static DerivedVariables same(DerivedVariables holder) { return holder; }

    interface Body { Object run() throws Throwable; }

    static void show(String what, Body body) {
        String line;
        try {
            line = String.valueOf(body.run());
        } catch (NullPointerException thrown) {
            line = "NullPointerException";
        } catch (Throwable thrown) {
            line = thrown + " / " + thrown.getCause();
        }
        System.out.println(what + ": " + line);
    }

    static MethodHandle method(String name) {
        for (Method each : DerivedVariables.class.getDeclaredMethods()) {
            if (!each.getName().equals(name)) continue;
            try {
                return MethodHandles.lookup().unreflect(each);
            } catch (IllegalAccessException exception) {
                throw new AssertionError(exception);
            }
        }
        throw new AssertionError(name);
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle own = lookup.findStaticVarHandle(DerivedVariables.class, "variable", int.class);
        VarHandle array = MethodHandles.arrayElementVarHandle(int[].class);
        values(own);
        coordinates(array);
        VarHandle field = lookup.findVarHandle(DerivedVariables.class, "field", Object.class);
        repeated(MethodHandles.filterCoordinates(field, 0, method("same")),
                 MethodHandles.filterValue(own, method("inward"), method("outward")));
        interfaces(lookup.findVarHandle(DerivedVariables.class, "compared", Comparable.class));
    }

    static void values(VarHandle own) {
        show("further coordinate", () -> {
            VarHandle made = MethodHandles.filterValue(own, method("inward"), method("outward"));
            made.set("set", 5L);
            long got = (long) made.get("get");
            boolean swapped = made.compareAndSet("compareAndSet", 5L, 6L);
            long before = (long) made.getAndAdd("getAndAdd", 3L);
            long witness = (long) made.compareAndExchange("compareAndExchange", 9L, 10L);
            return made + " " + got + swapped + before + witness + variable;
        });
        show("declares", () -> MethodHandles.filterValue(own, method("declares"), method("wide")));
        show("throws what is checked", () -> {
            MethodHandle thrower = MethodHandles.throwException(int.class, Exception.class).bindTo(new Exception("it"));
            VarHandle made = MethodHandles.filterValue(own, MethodHandles.dropArguments(thrower, 0, long.class),
                                                       method("wide"));
            made.set(1L);
            return "set";
        });
        show("throws", () -> {
            VarHandle made = MethodHandles.filterValue(own, method("throwing"), method("wide"));
            made.set(1L);
            return "set";
        });
        show("other arity", () -> MethodHandles.filterValue(own, method("sum"), method("wide")));
        MethodHandle one = MethodHandles.constant(int.class, 1);
        show("no parameter", () -> MethodHandles.filterValue(own, one, one));
        MethodHandle same = MethodHandles.identity(long.class);
        show("other variable", () -> MethodHandles.filterValue(own, same, same));
        show("no match", () -> MethodHandles.filterValue(own, method("throwing"), MethodHandles.identity(int.class)));
    }

    static void coordinates(VarHandle array) {
        MethodHandle same = MethodHandles.identity(int[].class);
        show("many filters", () -> MethodHandles.filterCoordinates(array, 0, same, method("wide"), method("wide")));
        show("binary filter", () -> MethodHandles.filterCoordinates(array, 1, method("sum")));
        show("filter of another type", () -> MethodHandles.filterCoordinates(array, 1, method("wide")));
        show("no filters", () -> MethodHandles.filterCoordinates(array, 0) == array);
        show("null filter", () -> MethodHandles.filterCoordinates(array, 0, (MethodHandle) null));
        show("filter declares", () -> MethodHandles.filterCoordinates(array, 1, method("declares")));
        show("insert String", () -> MethodHandles.insertCoordinates(array, 0, "x"));
        show("insert null", () -> MethodHandles.insertCoordinates(array, 1, (Object) null));
        show("insert long", () -> MethodHandles.insertCoordinates(array, 1, 5L));
        show("insert short", () -> (int) MethodHandles.insertCoordinates(array, 1, (short) 1).get(new int[] {1, 2}));
        show("insert two", () -> MethodHandles.insertCoordinates(array, 1, 1, 2));
        show("insert none", () -> MethodHandles.insertCoordinates(array, 0) == array);
        show("permute too few", () -> MethodHandles.permuteCoordinates(array, List.of(int.class), 0));
        show("permute out of range", () -> MethodHandles.permuteCoordinates(array, List.of(int[].class), 0, 1));
        show("permute others", () -> MethodHandles.permuteCoordinates(array, List.of(int.class, int[].class), 0, 1));
        show("permute", () -> (int) MethodHandles
                .permuteCoordinates(array, List.of(int.class, String.class, int[].class), 2, 0)
                .get(1, "dropped", new int[] {7, 8}));
        show("collect out of range", () -> MethodHandles.collectCoordinates(array, 2, method("sum")));
        show("collect another type", () -> MethodHandles.collectCoordinates(array, 0, method("sum")));
        show("collect", () -> (int) MethodHandles.collectCoordinates(array, 1, method("sum"))
                .get(new int[] {7, 8, 9}, 1, 1L));
        show("drop none", () -> MethodHandles.dropCoordinates(array, 1) == array);
        show("drop void", () -> MethodHandles.dropCoordinates(array, 1, void.class));
        show("drop null", () -> MethodHandles.dropCoordinates(array, 1, (Class<?>) null));
        show("of an exact one", () -> MethodHandles.dropCoordinates(array.withInvokeExactBehavior(), 0, int.class)
                .hasInvokeExactBehavior());
    }

    static void repeated(VarHandle filtered, VarHandle value) {
        DerivedVariables holder = new DerivedVariables();
        for (int i = 0; i < 5; i++) {
            filtered.set(holder, "value " + i);
            System.out.println(filtered.get(holder) + " " + (Object) filtered.getAndSet(holder, "next"));
            System.out.println((long) value.getAndAdd("again", 1L));
        }
    }

    // A variable of an interface type rejects references to objects that do not implement the interface.
    static void interfaces(VarHandle compared) throws Throwable {
        DerivedVariables holder = new DerivedVariables();
        MethodHandle cast = MethodHandles.explicitCastArguments(MethodHandles.identity(Object.class),
                MethodType.methodType(Comparable.class, Object.class));
        for (Object each : new Object[] {"right", new Object[0], "right", null, new Object[0]}) {
            Comparable<?> value = (Comparable<?>) cast.invokeExact(each);
            show("interface", () -> {
                compared.setVolatile(holder, value);
                return holder.compared;
            });
            show("interface, exchanged", () -> {
                return (boolean) compared.compareAndSet(holder, value, value);
            });
        }
    }
}
