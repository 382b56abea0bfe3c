// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Variable handles: fields, array elements, views of bytes, and the combinators over them that libraries from 22 on
// have.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

final class Variables {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final List<VarHandle> FIELDS = new ArrayList<>();
    static {
        try {
            Field[] fields = Fields.class.getDeclaredFields();
            Arrays.sort(fields, (one, other) -> one.getName().compareTo(other.getName()));
            for (Field field : fields) FIELDS.add(LOOKUP.unreflectVarHandle(field));
        } catch (ReflectiveOperationException exception) {
            throw new ExceptionInInitializerError(exception);
        }
    }
    private static final Class<?>[] ARRAYS = {int[].class, long[].class, byte[].class, short[].class, char[].class,
            boolean[].class, float[].class, double[].class, Object[].class, String[].class, Integer[].class,
            Values.Base[].class, Values.Named[].class, Number[].class};
    private static final Class<?>[] VIEWS = {int[].class, long[].class, short[].class, char[].class, float[].class,
            double[].class, int[].class, byte[].class};

    private final Dice dice;
    private final StringBuilder text;

    Variables(Dice dice, StringBuilder text) {
        this.dice = dice;
        this.text = text;
    }

    private VarHandle simple() {
        ByteOrder order = dice.oneIn(2) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        switch (dice.below(8)) {
            case 0: case 1: return MethodHandles.arrayElementVarHandle(dice.of(ARRAYS));
            case 2: {
                text.append(' ').append(order).append(" array");
                return MethodHandles.byteArrayViewVarHandle(dice.of(VIEWS), order);
            }
            case 3: {
                text.append(' ').append(order).append(" buffer");
                return MethodHandles.byteBufferViewVarHandle(dice.of(VIEWS), order);
            }
            default: return dice.of(FIELDS);
        }
    }

    VarHandle any() throws Throwable {
        VarHandle handle = simple();
        text.append(' ').append(handle);
        if (HAS_COMBINATORS && dice.oneIn(3)) {
            handle = derived(handle);
            text.append(' ').append(handle);
        }
        if (dice.oneIn(4)) {
            text.append(" exact");
            handle = handle.withInvokeExactBehavior();
        }
        return dice.oneIn(8) ? handle.withInvokeBehavior() : handle;
    }

    // --- combinators -------------------------------------------------------------------------------------------------

    private static final boolean HAS_COMBINATORS = Runtime.version().feature() >= 22;

    private static VarHandle call(String name, Object... arguments) throws Throwable {
        for (java.lang.reflect.Method each : MethodHandles.class.getMethods()) {
            if (!each.getName().equals(name)) continue;
            try {
                return (VarHandle) each.invoke(null, arguments);
            } catch (InvocationTargetException exception) {
                throw exception.getCause();
            }
        }
        throw new NoSuchMethodException(name);
    }

    private MethodHandle filter(Class<?> result, Class<?> parameter) {
        MethodHandle traced = Sources.tracing(parameter);
        return MethodHandles.explicitCastArguments(traced, MethodType.methodType(result, parameter));
    }

    private int position(int count) {
        return dice.oneIn(15) ? dice.below(count + 3) - 1 : dice.below(Math.max(1, count));
    }

    private VarHandle derived(VarHandle handle) throws Throwable {
        List<Class<?>> types = handle.coordinateTypes();
        int at = position(types.size());
        Class<?> type = at >= 0 && at < types.size() ? types.get(at) : Object.class;
        int kind = dice.below(6);
        text.append(" > derived ").append(kind).append(" at ").append(at);
        switch (kind) {
            case 0: {
                Class<?> other = dice.oneIn(10) ? void.class : dice.of(Values.ALL);
                return call("filterValue", handle, filter(handle.varType(), other == void.class ? int.class : other),
                            filter(other, handle.varType()));
            }
            case 1: {
                Class<?> from = dice.oneIn(2) || type.isPrimitive() ? dice.of(Values.PRIMITIVES) : Object.class;
                MethodHandle[] filters = {filter(type, type.isPrimitive() ? from : Object.class)};
                if (dice.oneIn(10)) filters = new MethodHandle[] {filters[0], filters[0], filters[0]};
                return call("filterCoordinates", handle, at, filters);
            }
            case 2: {
                Object value = type == int.class ? dice.below(4)
                        : dice.oneIn(8)          ? Values.any(dice) : Values.of(dice, type);
                Object[] values = dice.oneIn(10) ? new Object[] {value, value, value} : new Object[] {value};
                return call("insertCoordinates", handle, at, values);
            }
            case 3: {
                int[] order = new int[types.size()];
                for (int i = 0; i < order.length; i++) order[i] = order.length - 1 - i;
                List<Class<?>> wanted = new ArrayList<>(types);
                Collections.reverse(wanted);
                if (dice.oneIn(3)) wanted.add(dice.of(Values.ALL));
                if (dice.oneIn(10) && order.length > 0) order[0]++;
                return call("permuteCoordinates", handle, wanted, order);
            }
            case 4: {
                Class<?> result = dice.oneIn(5) ? void.class : type;
                MethodHandle combined = Sources.returning(dice,
                        MethodType.methodType(result, dice.of(Values.ALL), dice.of(Values.ALL)));
                return call("collectCoordinates", handle, at, combined);
            }
            default: return call("dropCoordinates", handle, dice.oneIn(10) ? 5 : dice.below(types.size() + 1),
                                 new Class<?>[] {dice.of(Values.ALL)});
        }
    }

    // --- calls -------------------------------------------------------------------------------------------------------

    // Returns an argument of the right class, and mostly in the right range.
    Object argument(Class<?> type, int index) {
        if (index == 1 && type == int.class && !dice.oneIn(6)) return dice.below(4);
        if (index == 0 && type == byte[].class && !dice.oneIn(8)) return new byte[16];
        if (type == ByteBuffer.class && !dice.oneIn(8)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(16);
            return dice.oneIn(8) ? buffer.asReadOnlyBuffer() : buffer;
        }
        return Values.of(dice, type);
    }

    Object[] arguments(Class<?>[] types) {
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < arguments.length; i++) arguments[i] = argument(types[i], i);
        // Draws the last argument again if it is null, and in half of the other calls, so that more comparisons
        // succeed.
        if (types.length > 1 && dice.oneIn(2)) arguments[types.length - 1] = null;
        if (types.length > 1 && arguments[types.length - 1] == null) {
            arguments[types.length - 1] = Values.of(dice, types[types.length - 1]);
        }
        return arguments;
    }

    private MethodType near(MethodType type) {
        Steps steps = new Steps(dice, text);
        for (int i = 0; i < type.parameterCount(); i++) {
            if (dice.oneIn(2)) type = type.changeParameterType(i, steps.near(type.parameterType(i)));
        }
        return dice.oneIn(2) ? type : type.changeReturnType(steps.near(type.returnType()));
    }

    // The size of array headers decides which elements of a view are aligned, so accesses that are not plain differ
    // between VMs.
    static boolean isComparable(VarHandle handle, VarHandle.AccessMode mode) {
        boolean isPlain = mode == VarHandle.AccessMode.GET || mode == VarHandle.AccessMode.SET;
        boolean isView = handle.coordinateTypes().contains(byte[].class) && handle.varType() != byte.class;
        return isPlain || !isView || !handle.isAccessModeSupported(mode);
    }

    // Returns a method handle of one of the variable handle's access modes.
    MethodHandle access(VarHandle handle) {
        VarHandle.AccessMode mode = dice.of(VarHandle.AccessMode.values());
        if (!isComparable(handle, mode)) mode = dice.oneIn(2) ? VarHandle.AccessMode.GET : VarHandle.AccessMode.SET;
        text.append(' ').append(mode).append(' ').append(handle.isAccessModeSupported(mode));
        MethodType type = handle.accessModeType(mode);
        switch (dice.below(4)) {
            case 0: case 1: return handle.toMethodHandle(mode);
            case 2: {
                MethodType called = dice.oneIn(2) ? type : near(type);
                text.append(" invoker ").append(called);
                return MethodHandles.insertArguments(MethodHandles.varHandleInvoker(mode, called), 0, handle);
            }
            default: {
                MethodType called = dice.oneIn(4) ? near(type) : type;
                text.append(" exactInvoker ").append(called);
                return MethodHandles.insertArguments(MethodHandles.varHandleExactInvoker(mode, called), 0, handle);
            }
        }
    }
}
