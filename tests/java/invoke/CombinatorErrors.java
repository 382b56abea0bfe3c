// stress: no
// timeout: 60
// Tests arguments that the combinators of MethodHandles and the adapters of MethodHandle refuse: positions out of
// range, types that do not fit, and nulls. Also tests arguments at the limits of what is accepted.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class CombinatorErrors {
    interface Making { Object make() throws Throwable; }

    static void show(String what, Making making) {
        String line;
        try {
            line = String.valueOf(making.make());
        } catch (Throwable thrown) {
            line = thrown.getClass().getName();
            if (!(thrown instanceof NullPointerException)) line += ": " + thrown.getMessage();
            if (thrown.getCause() != null) line += " / " + thrown.getCause();
        }
        System.out.println(what + " -> " + line.replaceAll("@[0-9a-f]+", "@HASH"));
    }

    static MethodType type(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters);
    }

    static MethodHandle handle(Class<?> result, Class<?>... parameters) {
        return MethodHandles.empty(type(result, parameters));
    }

    static final Map<String, MethodHandle> HANDLES = new LinkedHashMap<>();
    static {
        add(null);
        add(handle(void.class));
        add(handle(int.class));
        add(handle(boolean.class));
        add(handle(void.class, int.class));
        add(handle(int.class, int.class));
        add(handle(String.class, int.class));
        add(handle(boolean.class, int.class));
        add(handle(boolean.class, String.class));
        add(handle(int.class, String.class, int.class));
        add(handle(void.class, String.class, int.class));
        add(handle(String.class, Object.class, int.class, long.class));
        add(handle(int.class, Throwable.class, int.class));
        add(handle(int.class, Throwable.class, int.class, int.class));
        add(handle(void.class, Throwable.class));
        add(handle(int.class, RuntimeException.class, String.class));
        add(handle(int.class, int.class, int.class, String.class));
        add(handle(String.class, String.class, String.class));
        add(handle(Object.class, Object[].class));
        add(handle(int.class, int[].class));
        add(handle(void.class, Object.class, Object[].class));
        add(handle(java.util.Iterator.class, List.class));
    }

    static void add(MethodHandle handle) {
        HANDLES.put(handle == null ? "null" : handle.type().toString(), handle);
    }

    interface Use1 { void use(String name, MethodHandle handle); }
    interface Use2 { void use(String names, MethodHandle first, MethodHandle second); }
    interface Use3 { void use(String names, MethodHandle first, MethodHandle second, MethodHandle third); }

    static void each(Use1 use) {
        for (Map.Entry<String, MethodHandle> entry : HANDLES.entrySet()) use.use(entry.getKey(), entry.getValue());
    }

    static void pairs(Use2 use) {
        each((a, first) -> each((b, second) -> use.use(a + " " + b, first, second)));
    }

    static void triples(Use3 use) {
        List<String> few = new ArrayList<>(HANDLES.keySet());
        for (int i = 0; i < few.size(); i++) {
            for (int j = 0; j < few.size(); j++) {
                for (int k = 0; k < few.size(); k++) {
                    if ((i * 7 + j * 3 + k) % 23 != 0) continue;
                    String names = few.get(i) + " " + few.get(j) + " " + few.get(k);
                    use.use(names, HANDLES.get(few.get(i)), HANDLES.get(few.get(j)), HANDLES.get(few.get(k)));
                }
            }
        }
    }

    static final int[] POSITIONS = {-1, 0, 1, 2, 3};
    static final Class<?>[] TYPES = {null, void.class, int.class, boolean.class, Object.class, int[].class,
            Object[].class, String[].class, List.class};
    static final MethodType[] METHOD_TYPES = {null, type(void.class), type(int.class), type(int.class, int.class),
            type(long.class, int.class), type(String.class, int.class),
        type(void.class, Object.class, Object.class), type(int.class, String.class, int.class),
                type(Object.class, Object.class, Object.class, Object.class)};

    static void filtering() {
        for (int pos : POSITIONS) {
            each((a, target) -> {
                show("filterArguments " + a + " " + pos + " none", () -> MethodHandles.filterArguments(target, pos));
                show("filterArguments " + a + " " + pos + " null", () ->
                        MethodHandles.filterArguments(target, pos, (MethodHandle) null));
                show("filterArguments " + a + " " + pos + " nulls", () ->
                        MethodHandles.filterArguments(target, pos, null, null));
                show("filterArguments " + a + " " + pos + " null array", () ->
                        MethodHandles.filterArguments(target, pos, (MethodHandle[]) null));
                show("insertArguments " + a + " " + pos + " none", () -> MethodHandles.insertArguments(target, pos));
                show("insertArguments " + a + " " + pos + " 1", () -> MethodHandles.insertArguments(target, pos, 1));
                show("insertArguments " + a + " " + pos + " x", () -> MethodHandles.insertArguments(target, pos, "x"));
                show("insertArguments " + a + " " + pos + " null", () ->
                        MethodHandles.insertArguments(target, pos, (Object) null));
                show("insertArguments " + a + " " + pos + " x 1", () ->
                        MethodHandles.insertArguments(target, pos, "x", 1));
                show("insertArguments " + a + " " + pos + " null array", () ->
                        MethodHandles.insertArguments(target, pos, (Object[]) null));
                show("dropArguments " + a + " " + pos + " none", () -> MethodHandles.dropArguments(target, pos));
                show("dropArguments " + a + " " + pos + " int", () ->
                        MethodHandles.dropArguments(target, pos, int.class));
                show("dropArguments " + a + " " + pos + " void", () ->
                        MethodHandles.dropArguments(target, pos, void.class));
                show("dropArguments " + a + " " + pos + " null", () ->
                        MethodHandles.dropArguments(target, pos, (Class<?>) null));
                show("dropArguments " + a + " " + pos + " null array", () ->
                        MethodHandles.dropArguments(target, pos, (Class<?>[]) null));
                show("dropArguments " + a + " " + pos + " null list", () ->
                        MethodHandles.dropArguments(target, pos, (List<Class<?>>) null));
                show("dropArguments " + a + " " + pos + " list of void", () ->
                        MethodHandles.dropArguments(target, pos, List.of(void.class)));
                show("dropArguments " + a + " " + pos + " 254", () ->
                        MethodHandles.dropArguments(target, pos,
                        Collections.nCopies(254, int.class)).type().parameterCount());
                show("dropArguments " + a + " " + pos + " 130 longs",
                     () -> MethodHandles.dropArguments(target, pos,
                             Collections.nCopies(130, long.class)).type().parameterCount());
                show("collectArguments null filter " + a + " " + pos, () ->
                        MethodHandles.collectArguments(target, pos, null));
                for (Class<?> array : TYPES) {
                    String name = a + " " + pos + " " + array;
                    show("asSpreader " + name, () -> target.asSpreader(array, pos));
                    show("asCollector " + name, () -> target.asCollector(array, pos));
                    for (int length : new int[] {-1, 0, 1, 2, 256}) {
                        // Object[] is left out: java cannot spread it over references that come before other
                        // parameters.
                        if (array != Object[].class) {
                            show("asSpreader at " + name + " " + length, () -> target.asSpreader(pos, array, length));
                        }
                        show("asCollector at " + name + " " + length, () -> target.asCollector(pos, array, length));
                    }
                }
            });
            pairs((names, target, filter) -> {
                String name = names + " " + pos;
                show("filterArguments " + name, () -> MethodHandles.filterArguments(target, pos, filter));
                show("filterArguments two " + name, () -> MethodHandles.filterArguments(target, pos, null, filter));
                show("collectArguments " + name, () -> MethodHandles.collectArguments(target, pos, filter));
                show("foldArguments " + name, () -> MethodHandles.foldArguments(target, pos, filter));
            });
        }
        pairs((names, target, filter) -> {
            show("foldArguments " + names, () -> MethodHandles.foldArguments(target, filter));
            show("filterReturnValue " + names, () -> MethodHandles.filterReturnValue(target, filter));
        });
    }

    static void dropping() {
        List<List<Class<?>>> lists = Arrays.asList(null, List.of(), List.of(int.class),
                List.of(String.class, int.class), List.of(int.class, String.class, int.class),
                                                   List.of(void.class), Arrays.asList((Class<?>) null),
                                                           List.of(Object.class, int.class, long.class, void.class));
        for (int skip : new int[] {-1, 0, 1, 3}) {
            for (int pos : new int[] {-1, 0, 1, 3}) {
                each((a, target) -> {
                    for (List<Class<?>> list : lists) {
                        show("dropArgumentsToMatch " + a + " " + skip + " " + list + " " + pos, () ->
                                MethodHandles.dropArgumentsToMatch(target, skip, list, pos));
                    }
                });
            }
        }
        each((a, target) -> show("dropReturn " + a, () -> MethodHandles.dropReturn(target)));
    }

    static void conversions() {
        each((a, target) -> {
            for (MethodType type : METHOD_TYPES) {
                show("asType " + a + " " + type, () -> target.asType(type));
                show("explicitCastArguments " + a + " " + type, () ->
                        MethodHandles.explicitCastArguments(target, type));
                int[][] orders = {null, {}, {0}, {1}, {-1}, {0, 0}, {0, 1}, {1, 0}, {0, 2}, {2, 1, 0}, {0, 1, 2}};
                for (int[] order : orders) {
                    show("permuteArguments " + a + " " + type + " " + Arrays.toString(order), () ->
                            MethodHandles.permuteArguments(target, type, order));
                }
            }
            for (Class<?> type : TYPES) {
                show("asVarargsCollector " + a + " " + type, () -> target.asVarargsCollector(type) + " "
                        + target.asVarargsCollector(type).isVarargsCollector());
            }
            show("withVarargs " + a, () -> target.withVarargs(true) + " "
                    + target.withVarargs(true).isVarargsCollector());
            show("withVarargs false " + a, () -> target.withVarargs(false));
            show("bindTo null " + a, () -> target.bindTo(null));
            show("bindTo x " + a, () -> target.bindTo("x"));
            show("bindTo 1 " + a, () -> target.bindTo(1));
            show("invokeWithArguments " + a, () -> target.invokeWithArguments());
            show("invokeWithArguments null " + a, () -> target.invokeWithArguments((Object[]) null));
            show("invokeWithArguments null list " + a, () -> target.invokeWithArguments((List<?>) null));
            show("invokeWithArguments 1 " + a, () -> target.invokeWithArguments(1));
        });
        for (MethodType type : METHOD_TYPES) {
            show("invoker " + type, () -> MethodHandles.invoker(type));
            show("exactInvoker " + type, () -> MethodHandles.exactInvoker(type));
            show("empty " + type, () -> MethodHandles.empty(type));
            show("varHandleInvoker " + type, () -> MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET, type));
            show("varHandleInvoker null " + type, () -> MethodHandles.varHandleInvoker(null, type));
            show("varHandleExactInvoker " + type, () ->
                    MethodHandles.varHandleExactInvoker(VarHandle.AccessMode.SET, type));
            for (int pos : POSITIONS) {
                show("spreadInvoker " + type + " " + pos, () -> MethodHandles.spreadInvoker(type, pos));
            }
        }
    }

    @SuppressWarnings("unchecked")
    static void simple() {
        for (Class<?> type : TYPES) {
            show("identity " + type, () -> MethodHandles.identity(type));
            show("zero " + type, () -> MethodHandles.zero(type));
            show("arrayConstructor " + type, () -> MethodHandles.arrayConstructor(type));
            show("arrayLength " + type, () -> MethodHandles.arrayLength(type));
            show("arrayElementGetter " + type, () -> MethodHandles.arrayElementGetter(type));
            show("arrayElementSetter " + type, () -> MethodHandles.arrayElementSetter(type));
            show("arrayElementVarHandle " + type, () -> MethodHandles.arrayElementVarHandle(type).coordinateTypes());
            show("byteArrayViewVarHandle " + type, () ->
                    MethodHandles.byteArrayViewVarHandle(type, ByteOrder.BIG_ENDIAN).coordinateTypes());
            show("byteArrayViewVarHandle null " + type, () ->
                    MethodHandles.byteArrayViewVarHandle(type, null).coordinateTypes());
            show("byteBufferViewVarHandle " + type, () ->
                    MethodHandles.byteBufferViewVarHandle(type, ByteOrder.LITTLE_ENDIAN).coordinateTypes());
            for (Object value : new Object[] {null, 1, "x", 'c', 1L, true, new int[0], List.of()}) {
                show("constant " + type + " " + (value instanceof int[] ? "array" : value), () ->
                        MethodHandles.constant(type, value));
            }
            for (Class<?> thrown : new Class<?>[] {null, Throwable.class, RuntimeException.class, String.class,
                    int.class}) {
                show("throwException " + type + " " + thrown, () ->
                        MethodHandles.throwException(type, (Class<? extends Throwable>) thrown));
                pairs((names, target, handler) -> {
                    if (type != void.class) return;
                    show("catchException " + names + " " + thrown, () ->
                            MethodHandles.catchException(target, (Class<? extends Throwable>) thrown, handler));
                });
            }
        }
        show("byteArrayViewVarHandle byte", () ->
                MethodHandles.byteArrayViewVarHandle(byte[].class, ByteOrder.BIG_ENDIAN));
        show("byteArrayViewVarHandle boolean", () ->
                MethodHandles.byteArrayViewVarHandle(boolean[].class, ByteOrder.BIG_ENDIAN));
        show("byteBufferViewVarHandle byte", () ->
                MethodHandles.byteBufferViewVarHandle(byte[].class, ByteOrder.BIG_ENDIAN));
    }

    static void control() {
        pairs((names, target, cleanup) -> {
            show("tryFinally " + names, () -> MethodHandles.tryFinally(target, cleanup));
            show("tableSwitch " + names, () -> MethodHandles.tableSwitch(target, cleanup));
            show("whileLoop null " + names, () -> MethodHandles.whileLoop(null, target, cleanup));
            show("doWhileLoop null " + names, () -> MethodHandles.doWhileLoop(null, target, cleanup));
            show("countedLoop null " + names, () -> MethodHandles.countedLoop(target, null, cleanup));
            show("iteratedLoop null " + names, () -> MethodHandles.iteratedLoop(target, null, cleanup));
            // Loops without any variable or argument are left out: java fails with another error than Keyhole.
            if (!names.replace("null", "").replace("()void", "").isBlank()) {
                show("loop " + names, () ->
                        MethodHandles.loop(new MethodHandle[] {target, cleanup},
                        new MethodHandle[] {null, null, handle(boolean.class)}));
            }
            show("loop predicate " + names, () -> MethodHandles.loop(new MethodHandle[] {target, null, cleanup}));
        });
        each((a, target) -> {
            show("tableSwitch " + a, () -> MethodHandles.tableSwitch(target));
            show("tableSwitch " + a + " null", () -> MethodHandles.tableSwitch(target, (MethodHandle) null));
            show("tableSwitch " + a + " null array", () -> MethodHandles.tableSwitch(target, (MethodHandle[]) null));
            show("loop " + a, () -> MethodHandles.loop(new MethodHandle[] {target, target, target, target, target}));
            show("loop one " + a, () -> MethodHandles.loop(new MethodHandle[] {target}));
            show("loop null clause " + a, () -> MethodHandles.loop(new MethodHandle[] {target}, null));
        });
        show("loop nothing", () -> MethodHandles.loop());
        show("loop null", () -> MethodHandles.loop((MethodHandle[][]) null));
        show("loop empty clause", () -> MethodHandles.loop(new MethodHandle[0]));
        triples((names, first, second, third) -> {
            show("guardWithTest " + names, () -> MethodHandles.guardWithTest(first, second, third));
            show("whileLoop " + names, () -> MethodHandles.whileLoop(first, second, third));
            show("doWhileLoop " + names, () -> MethodHandles.doWhileLoop(first, second, third));
            show("countedLoop " + names, () -> MethodHandles.countedLoop(first, second, third));
            show("countedLoop from 0 " + names, () ->
                    MethodHandles.countedLoop(handle(int.class), first, second, third));
            show("iteratedLoop " + names, () -> MethodHandles.iteratedLoop(first, second, third));
            show("loop " + names, () ->
                    MethodHandles.loop(new MethodHandle[] {first, second, handle(boolean.class), third}));
            show("loop two " + names, () ->
                    MethodHandles.loop(new MethodHandle[] {first, second},
                    new MethodHandle[] {null, null, third, first}));
            show("tableSwitch " + names, () -> MethodHandles.tableSwitch(first, second, third));
        });
    }

    public static void main(String[] args) {
        filtering();
        dropping();
        conversions();
        simple();
        control();
    }
}
