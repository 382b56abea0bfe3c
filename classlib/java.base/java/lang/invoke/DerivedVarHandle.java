// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A variable handle over another one: coordinates and values are changed on their way to it. Libraries from 22 on offer
// these as combinators of MethodHandles, and describe native memory with them.
package java.lang.invoke;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import jdk.internal.vm.annotation.Hidden;

final class DerivedVarHandle extends VarHandle {
    // What the target is to get, made of what the caller gave.
    private interface Coordinates {
        void pass(Object[] given, List<Object> passed) throws Throwable;
    }

    private final VarHandle target;
    private final Coordinates change;         // null: as they are
    private final MethodHandle toTarget;      // of values; null: as they are
    private final MethodHandle fromTarget;

    private DerivedVarHandle(VarHandle target, Class<?> varType, List<Class<?>> types, Coordinates change,
                             MethodHandle toTarget, MethodHandle fromTarget, boolean exact) {
        super(varType, exact, types.toArray(new Class<?>[0]));
        this.target = target;
        this.change = change;
        this.toTarget = toTarget;
        this.fromTarget = fromTarget;
    }

    private static DerivedVarHandle over(VarHandle target, List<Class<?>> types, Coordinates change) {
        return new DerivedVarHandle(target, target.varType, types, change, null, null, false);
    }

    @Override
    VarHandle withExact(boolean wanted) {
        return new DerivedVarHandle(target, varType, coordinateTypes(), change, toTarget, fromTarget, wanted);
    }

    @Override
    boolean supports(AccessMode mode) {
        return target.supports(mode);
    }

    @Override
    @Hidden
    Object accessBoxed(AccessMode mode, Object[] arguments) throws Throwable {
        int count = coordinates.length;
        List<Object> passed = new ArrayList<>(arguments.length + 2);
        Object[] given = Arrays.copyOf(arguments, count);
        if (change == null) passed.addAll(Arrays.asList(given));
        else change.pass(given, passed);
        for (int i = count; i < arguments.length; i++) {
            passed.add(toTarget == null ? arguments[i] : toTarget.invokeWithArguments(arguments[i]));
        }
        Object result = target.accessBoxed(mode, passed.toArray());
        boolean isValue = mode.operation != WRITE && mode.operation != COMPARE;
        return isValue && fromTarget != null ? fromTarget.invokeWithArguments(result) : result;
    }

    // ---- making them ------------------------------------------------------------------------------------------------

    static VarHandle filterValue(VarHandle target, MethodHandle toTarget, MethodHandle fromTarget) {
        MethodType to = toTarget.type(), from = fromTarget.type();
        boolean fits = to.parameterCount() == 1 && from.parameterCount() == 1 && to.returnType() == target.varType
                && from.parameterType(0) == target.varType && to.parameterType(0) == from.returnType();
        if (!fits) throw MethodHandles.mustMatch("filters and variable type", to + ", " + from, target.varType);
        return new DerivedVarHandle(target, from.returnType(), target.coordinateTypes(), null, toTarget, fromTarget,
                                    false);
    }

    private static void checkPlaces(VarHandle target, int position, int count, String what) {
        int all = target.coordinates.length;
        if (position < 0 || position >= all) {
            throw new IllegalArgumentException("Invalid position " + position + " for coordinate types");
        }
        if (position + count > all) throw new IllegalArgumentException("Too many " + what);
    }

    static VarHandle filterCoordinates(VarHandle target, int position, MethodHandle... filters) {
        checkPlaces(target, position, filters.length, "filters");
        List<Class<?>> types = new ArrayList<>(target.coordinateTypes());
        for (int i = 0; i < filters.length; i++) {
            MethodType type = filters[i].type();
            if (type.parameterCount() != 1 || type.returnType() != types.get(position + i)) {
                throw MethodHandles.mustMatch("filter and coordinate type", type, types.get(position + i));
            }
            types.set(position + i, type.parameterType(0));
        }
        MethodHandle[] all = filters.clone();
        return over(target, types, (given, passed) -> {
            for (int i = 0; i < given.length; i++) {
                int filter = i - position;
                boolean isPlain = filter < 0 || filter >= all.length;
                passed.add(isPlain ? given[i] : all[filter].invokeWithArguments(given[i]));
            }
        });
    }

    static VarHandle insertCoordinates(VarHandle target, int position, Object... values) {
        checkPlaces(target, position, values.length, "values");
        List<Class<?>> types = new ArrayList<>(target.coordinateTypes());
        Object[] fixed = values.clone();
        for (int i = 0; i < fixed.length; i++) fixed[i] = Boxing.fixed(fixed[i], types.remove(position));
        return over(target, types, (given, passed) -> {
            passed.addAll(Arrays.asList(given));
            passed.addAll(position, Arrays.asList(fixed));
        });
    }

    static VarHandle collectCoordinates(VarHandle target, int position, MethodHandle filter) {
        checkPlaces(target, position, 1, "filters");
        List<Class<?>> types = new ArrayList<>(target.coordinateTypes());
        boolean isVoid = filter.type().returnType() == void.class;
        if (!isVoid && filter.type().returnType() != types.get(position)) {
            throw MethodHandles.mustMatch("filter and coordinate type", filter.type(), types.get(position));
        }
        if (!isVoid) types.remove(position);
        types.addAll(position, filter.type().parameterList());
        int count = filter.type().parameterCount();
        return over(target, types, (given, passed) -> {
            Object[] collected = Arrays.copyOfRange(given, position, position + count);
            for (int i = 0; i < position; i++) passed.add(given[i]);
            Object result = filter.invokeWithArguments(collected);
            if (!isVoid) passed.add(result);
            for (int i = position + count; i < given.length; i++) passed.add(given[i]);
        });
    }

    static VarHandle dropCoordinates(VarHandle target, int position, Class<?>... dropped) {
        List<Class<?>> types = new ArrayList<>(target.coordinateTypes());
        if (position < 0 || position > types.size()) {
            throw new IllegalArgumentException("Invalid position " + position + " for coordinate types");
        }
        types.addAll(position, Arrays.asList(dropped.clone()));
        int count = dropped.length;
        return over(target, types, (given, passed) -> {
            passed.addAll(Arrays.asList(given));
            passed.subList(position, position + count).clear();
        });
    }

    static VarHandle permuteCoordinates(VarHandle target, List<Class<?>> types, int... order) {
        int[] sources = order.clone();
        if (sources.length != target.coordinates.length) {
            throw MethodHandles.mustMatch("order and coordinate types", Arrays.toString(sources), target);
        }
        for (int i = 0; i < sources.length; i++) {
            Objects.checkIndex(sources[i], types.size());
            if (types.get(sources[i]) != target.coordinates[i]) {
                throw MethodHandles.mustMatch("coordinate types", types.get(sources[i]), target.coordinates[i]);
            }
        }
        return over(target, List.copyOf(types), (given, passed) -> {
            for (int source : sources) passed.add(given[source]);
        });
    }
}
