// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A variable handle over another one that changes coordinates and values before it passes them on. Libraries from 22 on
// offer such handles as combinators of MethodHandles, and describe native memory with them.
//
// An access of one mode is the target's access as a method handle, with a combinator of MethodHandles around it. It is
// made at the first access in that mode.
package java.lang.invoke;

import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import jdk.internal.vm.annotation.Hidden;

final class DerivedVarHandle extends VarHandle {
    // Changes the target's access in one mode.
    private interface Adaption {
        MethodHandle around(AccessMode mode, MethodHandle access);
    }

    private final VarHandle target;
    private final Adaption adaption;
    private final MethodHandle[] accesses = new MethodHandle[AccessMode.count()];    // racy, any value is right

    private DerivedVarHandle(VarHandle target, Class<?> varType, List<Class<?>> types, Adaption adaption,
                             boolean exact) {
        super(varType, exact, types.toArray(new Class<?>[0]));
        checkSlots(types);
        this.target = target;
        this.adaption = adaption;
    }

    // Checks that the types of get, set and compareAndSet, in this order, do not exceed the slots of a method type.
    private void checkSlots(List<Class<?>> types) {
        MethodType get = MethodType.methodType(varType, types);
        get.appendParameterTypes(varType).appendParameterTypes(varType);
    }

    private static DerivedVarHandle over(VarHandle target, List<Class<?>> types, Adaption adaption) {
        return new DerivedVarHandle(target, target.varType, types, adaption, false);
    }

    @Override
    VarHandle withExact(boolean wanted) {
        return new DerivedVarHandle(target, varType, coordinateTypes(), adaption, wanted);
    }

    @Override
    boolean supports(AccessMode mode) {
        return target.supports(mode);
    }

    @Override
    @Hidden
    Object accessBoxed(AccessMode mode, Object[] arguments) throws Throwable {
        MethodHandle access = accesses[mode.ordinal()];
        if (access == null) {
            access = adaption.around(mode, target.toMethodHandle(mode));
            accesses[mode.ordinal()] = access;
        }
        return access.invokeBoxed(arguments);
    }

    // --- filters may not throw checked exceptions --------------------------------------------------------------------

    private static boolean isChecked(Class<?> thrown) {
        return !RuntimeException.class.isAssignableFrom(thrown) && !Error.class.isAssignableFrom(thrown);
    }

    private static final class Unchecked extends MethodHandle {
        private final MethodHandle filter;

        Unchecked(MethodHandle filter) {
            super(filter.type);
            this.filter = filter;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            try {
                return filter.invokeBoxed(arguments);
            } catch (Throwable thrown) {
                if (!isChecked(thrown.getClass())) throw thrown;
                throw new IllegalStateException("Adapter handle threw checked exception", thrown);
            }
        }
    }

    // A method declares its exceptions, so it is checked at once. Any other handle is checked when it throws.
    private static MethodHandle unchecked(MethodHandle filter) {
        MethodHandle fixed = filter.asFixedArity();
        if (!(fixed instanceof DirectMethodHandle)) return new Unchecked(fixed);
        Executable method = MethodHandles.reflectAs(Executable.class, fixed);
        for (Class<?> each : method.getExceptionTypes()) {
            if (isChecked(each)) {
                throw new IllegalArgumentException(
                        "Cannot adapt a var handle with a method handle which throws checked exceptions");
            }
        }
        return fixed;
    }

    // --- making them -------------------------------------------------------------------------------------------------

    private static IllegalArgumentException bad(String text, Object... about) {
        StringBuilder message = new StringBuilder(text);
        for (int i = 0; i < about.length; i++) message.append(i == 0 ? ": " : ", ").append(about[i]);
        return new IllegalArgumentException(message.toString());
    }

    // If both filters take further coordinates before the value, these must be the same.
    static VarHandle filterValue(VarHandle target, MethodHandle toTarget, MethodHandle fromTarget) {
        MethodHandle inward = unchecked(toTarget), outward = unchecked(fromTarget);
        MethodType to = inward.type, from = outward.type;
        checkFilters(target.varType, to, from);
        int further = to.parameterCount() - 1;
        List<Class<?>> types = new ArrayList<>(target.coordinateTypes());
        types.addAll(from.parameterList().subList(0, further));
        return new DerivedVarHandle(target, from.returnType(), types,
                (mode, access) -> filtered(mode, access, inward, outward, further), false);
    }

    private static void checkFilters(Class<?> varType, MethodType to, MethodType from) {
        int last = to.parameterCount() - 1;
        if (from.parameterCount() - 1 != last) {
            throw bad("filterFromTarget and filterToTarget have different arity", from, to);
        }
        if (last < 0) throw bad("filterFromTarget filter type has wrong arity", from);
        boolean agree = from.lastParameterType() == to.returnType() && to.lastParameterType() == from.returnType();
        if (agree && varType != to.returnType()) {
            throw bad("filterFromTarget filter type does not match target var handle type", from, varType);
        }
        if (!agree || !from.parameterList().subList(0, last).equals(to.parameterList().subList(0, last))) {
            throw bad("filterFromTarget and filterToTarget filter types do not match", from, to);
        }
    }

    // Applies the filters. Each of them takes the further coordinates, which are only once among the result's
    // parameters.
    private static MethodHandle filtered(AccessMode mode, MethodHandle access, MethodHandle inward,
                                         MethodHandle outward, int further) {
        int values = AccessType.VALUES[mode.at];
        int own = access.type.parameterCount() - values;
        MethodHandle made = access;
        for (int i = values - 1; i >= 0; i--) made = MethodHandles.collectArguments(made, own + i, inward);
        boolean isValue = mode.operation != WRITE && mode.operation != COMPARE;
        if (isValue) made = MethodHandles.collectReturnValue(made, outward);
        if (further == 0) return made;
        List<Class<?>> types = made.type.parameterList();
        int[] order = new int[types.size()];
        int next = 0;
        while (next < own) order[next] = next++;
        List<Class<?>> wanted = new ArrayList<>(types.subList(0, own));
        wanted.addAll(outward.type.parameterList().subList(0, further));
        for (int value = 0; value < values + (isValue ? 1 : 0); value++) {
            for (int i = 0; i < further; i++) order[next++] = own + i;
            if (value == values) break;
            wanted.add(types.get(next));
            order[next++] = own + further + value;
        }
        return MethodHandles.permuteArguments(made, MethodType.methodType(made.type.returnType(), wanted), order);
    }

    private static void checkPosition(VarHandle target, int position, int last) {
        if (position < 0 || position > last) {
            throw bad("Invalid position " + position + " for coordinate types", target.coordinateTypes());
        }
    }

    // The types of `count` coordinates from `position` on.
    private static List<Class<?>> typesFrom(VarHandle target, int position, int count, String what) {
        int all = target.coordinates.length;
        checkPosition(target, position, all - 1);
        if (position + count > all) throw bad("Too many " + what);
        return new ArrayList<>(target.coordinateTypes());
    }

    private static IllegalArgumentException badFilter(MethodType type, Class<?> coordinate) {
        return bad("Invalid filter type " + type + " for coordinate type " + coordinate);
    }

    // As in the JDK, the exception for a filter of a wrong type names the type of another coordinate than the filter's.
    static VarHandle filterCoordinates(VarHandle target, int position, MethodHandle... filters) {
        List<Class<?>> types = typesFrom(target, position, filters.length, "filters");
        if (filters.length == 0) return target;
        MethodHandle[] used = new MethodHandle[filters.length];
        for (int i = 0; i < used.length; i++) {
            used[i] = unchecked(Objects.requireNonNull(filters[i]));
            MethodType type = used[i].type;
            if (type.parameterCount() != 1) throw bad("Invalid filter type " + type);
            if (type.returnType() != types.get(position + i)) throw badFilter(type, types.get(i));
            types.set(position + i, type.parameterType(0));
        }
        return over(target, types, (mode, access) -> MethodHandles.filterArguments(access, position, used));
    }

    static VarHandle insertCoordinates(VarHandle target, int position, Object... values) {
        List<Class<?>> types = typesFrom(target, position, values.length, "values");
        if (values.length == 0) return target;
        Object[] fixed = values.clone();
        for (int i = 0; i < fixed.length; i++) fixed[i] = Boxing.fixed(fixed[i], types.remove(position));
        return over(target, types, (mode, access) -> MethodHandles.insertArguments(access, position, fixed));
    }

    static VarHandle collectCoordinates(VarHandle target, int position, MethodHandle filter) {
        MethodHandle collecting = unchecked(filter);
        List<Class<?>> types = typesFrom(target, position, 1, "filters");
        MethodType type = collecting.type;
        if (type.returnType() != void.class) {
            if (type.returnType() != types.get(position)) throw badFilter(type, types.get(position));
            types.remove(position);
        }
        types.addAll(position, type.parameterList());
        return over(target, types, (mode, access) -> MethodHandles.collectArguments(access, position, collecting));
    }

    static VarHandle dropCoordinates(VarHandle target, int position, Class<?>... dropped) {
        checkPosition(target, position, target.coordinates.length);
        if (dropped.length == 0) return target;
        Class<?>[] ignored = dropped.clone();
        List<Class<?>> types = new ArrayList<>(target.coordinateTypes());
        types.addAll(position, Arrays.asList(ignored));
        MethodType.methodType(void.class, types);    // throws if one cannot be a parameter's type
        return over(target, types, (mode, access) -> MethodHandles.dropArguments(access, position, ignored));
    }

    static VarHandle permuteCoordinates(VarHandle target, List<Class<?>> types, int... order) {
        int[] sources = order.clone();
        MethodType given = MethodType.methodType(void.class, types);
        int count = target.coordinates.length;
        MethodHandles.checkReordering(MethodType.methodType(void.class, target.coordinates), given, sources);
        return over(target, given.parameterList(), (mode, access) -> {
            MethodType type = access.type;
            List<Class<?>> values = type.parameterList().subList(count, type.parameterCount());
            int[] all = Arrays.copyOf(sources, type.parameterCount());
            for (int i = count; i < all.length; i++) all[i] = given.parameterCount() + i - count;
            return MethodHandles.permuteArguments(access,
                    given.changeReturnType(type.returnType()).appendParameterTypes(values), all);
        });
    }
}
