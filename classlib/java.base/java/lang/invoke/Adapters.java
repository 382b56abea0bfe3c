// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles made from other handles. Each combinator is a small class that interprets it. Their makers (MethodHandle,
// MethodHandles) have checked the types, so these classes only move values.
package java.lang.invoke;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import jdk.internal.vm.annotation.Hidden;

final class Adapters {
    private Adapters() {}

    static Object[] insert(Object[] arguments, int position, Object value) {
        Object[] result = new Object[arguments.length + 1];
        System.arraycopy(arguments, 0, result, 0, position);
        result[position] = value;
        System.arraycopy(arguments, position, result, position + 1, arguments.length - position);
        return result;
    }

    // Returns `arguments` without the elements [position, position + count).
    static Object[] remove(Object[] arguments, int position, int count) {
        Object[] result = new Object[arguments.length - count];
        System.arraycopy(arguments, 0, result, 0, position);
        System.arraycopy(arguments, position + count, result, position, result.length - position);
        return result;
    }

    static Object[] range(Object[] arguments, int position, int count) {
        if (position == 0 && count == arguments.length) return arguments;
        return Arrays.copyOfRange(arguments, position, position + count);
    }

    // Makes the same call with another type. A view of a direct handle counts as direct for revealDirect.
    static final class View extends MethodHandle {
        private final MethodHandle target;

        View(MethodHandle target, MethodType type) {
            super(type);
            this.target = target;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            return target.invokeBoxed(arguments);
        }

        @Override
        MemberName internalMemberName() {
            return target.internalMemberName();
        }

        @Override
        boolean isInvokeSpecial() {
            return target.isInvokeSpecial();
        }

        @Override
        Class<?> internalCallerClass() {
            return target.internalCallerClass();
        }
    }

    // Makes the same call, but revealDirect shows it as `member`.
    static final class Named extends MethodHandle {
        private final MethodHandle target;
        private final MemberName member;

        Named(MethodHandle target, MemberName member) {
            super(target.type);
            this.target = target;
            this.member = member;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            return target.invokeBoxed(arguments);
        }

        @Override
        MemberName internalMemberName() {
            return member;
        }
    }

    // Implements asType and explicitCastArguments.
    static final class Convert extends MethodHandle {
        private final MethodHandle target;
        private final boolean explicitly;
        private final Class<?>[] from;
        private final Class<?>[] to;
        private final Class<?> resultFrom;
        private final Class<?> resultTo;

        Convert(MethodHandle target, MethodType type, boolean explicitly) {
            super(type);
            this.target = target;
            this.explicitly = explicitly;
            this.from = type.ptypes();
            this.to = target.type.ptypes();
            this.resultFrom = target.type.returnType();
            this.resultTo = type.returnType();
        }

        private Object convert(Object value, Class<?> source, Class<?> wanted) {
            return explicitly ? Boxing.convertExplicitly(value, source, wanted) : Boxing.convert(value, source, wanted);
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object[] converted = new Object[arguments.length];
            for (int i = 0; i < converted.length; i++) converted[i] = convert(arguments[i], from[i], to[i]);
            return convert(target.invokeBoxed(converted), resultFrom, resultTo);
        }
    }

    static final class Varargs extends MethodHandle {
        private final MethodHandle target;
        private final Class<?> arrayType;

        Varargs(MethodHandle target, Class<?> arrayType) {
            super(target.type);
            this.target = target;
            this.arrayType = arrayType;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            return target.invokeBoxed(arguments);
        }

        @Override
        public boolean isVarargsCollector() {
            return true;
        }

        @Override
        public MethodHandle asFixedArity() {
            return target;
        }

        @Override
        MethodHandle asTypeUncached(MethodType newType) {
            List<Class<?>> given = newType.parameterList();
            int last = type.parameterCount() - 1;
            int trailing = given.size() - last;
            boolean hasArray = trailing == 1 && type.parameterType(last).isAssignableFrom(given.get(last));
            if (hasArray) return target.asType(newType);
            return collecting(trailing).asType(newType);
        }

        // Makes the array itself when there are more arguments than a handle might take.
        @Override
        @Hidden
        public Object invokeWithArguments(Object... arguments) throws Throwable {
            int own = type.parameterCount() - 1;
            if (arguments == null || arguments.length <= SAFE_COUNT || arguments.length <= own) {
                return super.invokeWithArguments(arguments);
            }
            Object[] given = Arrays.copyOf(arguments, own + 1);
            try {
                given[own] = arrayOf(arguments, own);
            } catch (ArrayStoreException | ClassCastException wrong) {
                return super.invokeWithArguments(arguments);
            }
            return target.invokeWithArguments(given);
        }

        private static final int SAFE_COUNT = 127;    // arguments that fit even with two slots each

        private Object arrayOf(Object[] arguments, int from) {
            Class<?> element = arrayType.getComponentType();
            Object array = Array.newInstance(element, arguments.length - from);
            if (!element.isPrimitive()) {
                System.arraycopy(arguments, from, array, 0, arguments.length - from);
                return array;
            }
            for (int i = from; i < arguments.length; i++) {
                Array.set(array, i - from, Boxing.convert(arguments[i], Object.class, element));
            }
            return array;
        }

        private MethodHandle collecting(int count) {
            try {
                return target.asCollector(arrayType, count);
            } catch (IllegalArgumentException exception) {
                throw new WrongMethodTypeException("cannot build collector", exception);
            }
        }

        @Override
        MemberName internalMemberName() {
            return target.internalMemberName();
        }

        @Override
        boolean isInvokeSpecial() {
            return target.isInvokeSpecial();
        }

        @Override
        Class<?> internalCallerClass() {
            return target.internalCallerClass();
        }
    }

    static final class Spread extends MethodHandle {
        private final MethodHandle target;
        private final int position;
        private final Class<?> arrayType;
        private final int length;

        Spread(MethodHandle target, MethodType type, int position, Class<?> arrayType, int length) {
            super(type);
            this.target = target;
            this.position = position;
            this.arrayType = arrayType;
            this.length = length;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object array = arguments[position];
            if (array == null ? length != 0 : Array.getLength(array) != length) {
                if (array == null) throw new NullPointerException("null array reference");
                throw new IllegalArgumentException("array is not of length " + length);
            }
            Object[] spread = new Object[arguments.length - 1 + length];
            System.arraycopy(arguments, 0, spread, 0, position);
            if (array instanceof Object[]) System.arraycopy(array, 0, spread, position, length);
            else for (int i = 0; i < length; i++) spread[position + i] = Array.get(array, i);
            System.arraycopy(arguments, position + 1, spread, position + length, arguments.length - position - 1);
            return target.invokeBoxed(spread);
        }
    }

    static final class Collect extends MethodHandle {
        private final MethodHandle target;
        private final int position;
        private final Class<?> element;
        private final int length;

        Collect(MethodHandle target, MethodType type, int position, Class<?> element, int length) {
            super(type);
            this.target = target;
            this.position = position;
            this.element = element;
            this.length = length;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object array = Array.newInstance(element, length);
            if (array instanceof Object[]) {
                // Copies one by one, so that the exception for an element of another class names that class only.
                Object[] elements = (Object[]) array;
                for (int i = 0; i < length; i++) elements[i] = arguments[position + i];
            } else {
                for (int i = 0; i < length; i++) Array.set(array, i, arguments[position + i]);
            }
            Object[] collected = new Object[arguments.length - length + 1];
            System.arraycopy(arguments, 0, collected, 0, position);
            collected[position] = array;
            System.arraycopy(arguments, position + length, collected, position + 1,
                             arguments.length - position - length);
            return target.invokeBoxed(collected);
        }
    }

    // Implements insertArguments and bindTo.
    static final class Bound extends MethodHandle {
        private final MethodHandle target;
        private final int position;
        private final Object[] values;

        Bound(MethodHandle target, MethodType type, int position, Object[] values) {
            super(type);
            this.target = target;
            this.position = position;
            this.values = values;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object[] all = new Object[arguments.length + values.length];
            System.arraycopy(arguments, 0, all, 0, position);
            System.arraycopy(values, 0, all, position, values.length);
            System.arraycopy(arguments, position, all, position + values.length, arguments.length - position);
            return target.invokeBoxed(all);
        }
    }

    // Implements permuteArguments and dropArguments: argument i of the target is argument order[i].
    static final class Permute extends MethodHandle {
        private final MethodHandle target;
        private final int[] order;

        Permute(MethodHandle target, MethodType type, int[] order) {
            super(type);
            this.target = target;
            this.order = order;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object[] permuted = new Object[order.length];
            for (int i = 0; i < permuted.length; i++) permuted[i] = arguments[order[i]];
            return target.invokeBoxed(permuted);
        }
    }

    // Implements filterArguments. Filters run from left to right; a null filter passes its argument on.
    static final class FilterArguments extends MethodHandle {
        private final MethodHandle target;
        private final int position;
        private final MethodHandle[] filters;

        FilterArguments(MethodHandle target, MethodType type, int position, MethodHandle[] filters) {
            super(type);
            this.target = target;
            this.position = position;
            this.filters = filters;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object[] filtered = arguments.clone();
            for (int i = 0; i < filters.length; i++) {
                MethodHandle filter = filters[i];
                if (filter != null) filtered[position + i] = filter.invokeBoxed(new Object[] {arguments[position + i]});
            }
            return target.invokeBoxed(filtered);
        }
    }

    // Implements collectArguments (keep = false: the combiner's result replaces its arguments) and foldArguments (keep
    // = true).
    static final class Combine extends MethodHandle {
        private final MethodHandle target;
        private final MethodHandle combiner;
        private final int position;
        private final boolean keep;

        Combine(MethodHandle target, MethodType type, MethodHandle combiner, int position, boolean keep) {
            super(type);
            this.target = target;
            this.combiner = combiner;
            this.position = position;
            this.keep = keep;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            int count = combiner.type.parameterCount();
            Object value = combiner.invokeBoxed(range(arguments, position, count));
            Object[] rest = keep ? arguments : remove(arguments, position, count);
            if (combiner.type.returnType() != void.class) rest = insert(rest, position, value);
            return target.invokeBoxed(rest);
        }
    }

    // A combiner of chosen arguments. Its result is inserted (fold), or it replaces the argument at `position`.
    static final class CombineChosen extends MethodHandle {
        private final MethodHandle target;
        private final MethodHandle combiner;
        private final int position;
        private final int[] chosen;
        private final boolean insert;

        CombineChosen(MethodHandle target, MethodType type, MethodHandle combiner, int position, int[] chosen,
                      boolean insert) {
            super(type);
            this.target = target;
            this.combiner = combiner;
            this.position = position;
            this.chosen = chosen;
            this.insert = insert;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object[] given = new Object[chosen.length];
            for (int i = 0; i < given.length; i++) given[i] = arguments[chosen[i]];
            Object value = combiner.invokeBoxed(given);
            Object[] rest;
            if (insert) {
                rest = combiner.type.returnType() == void.class ? arguments : insert(arguments, position, value);
            } else {
                rest = arguments.clone();
                rest[position] = value;
            }
            return target.invokeBoxed(rest);
        }
    }

    // Implements filterReturnValue, and collectReturnValue if the filter has more parameters before the result.
    static final class FilterReturn extends MethodHandle {
        private final MethodHandle target;
        private final MethodHandle filter;

        FilterReturn(MethodHandle target, MethodType type, MethodHandle filter) {
            super(type);
            this.target = target;
            this.filter = filter;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object value = target.invokeBoxed(range(arguments, 0, target.type.parameterCount()));
            int more = filter.type.parameterCount() - (target.type.returnType() == void.class ? 0 : 1);
            Object[] given = range(arguments, arguments.length - more, more);
            if (target.type.returnType() != void.class) given = insert(given, more, value);
            return filter.invokeBoxed(given);
        }
    }

    static final class Guard extends MethodHandle {
        private final MethodHandle test;
        private final MethodHandle target;
        private final MethodHandle fallback;

        Guard(MethodHandle test, MethodHandle target, MethodHandle fallback) {
            super(target.type);
            this.test = test;
            this.target = target;
            this.fallback = fallback;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            boolean chosen = (Boolean) test.invokeBoxed(range(arguments, 0, test.type.parameterCount()));
            return (chosen ? target : fallback).invokeBoxed(arguments);
        }
    }

    static final class Catch extends MethodHandle {
        private final MethodHandle target;
        private final Class<? extends Throwable> caught;
        private final MethodHandle handler;

        Catch(MethodHandle target, Class<? extends Throwable> caught, MethodHandle handler) {
            super(target.type);
            this.target = target;
            this.caught = caught;
            this.handler = handler;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            try {
                return target.invokeBoxed(arguments);
            } catch (Throwable thrown) {
                if (!caught.isInstance(thrown)) throw thrown;
                return handler.invokeBoxed(insert(range(arguments, 0, handler.type.parameterCount() - 1), 0, thrown));
            }
        }
    }

    static final class Finally extends MethodHandle {
        private final MethodHandle target;
        private final MethodHandle cleanup;

        Finally(MethodHandle target, MethodHandle cleanup) {
            super(target.type);
            this.target = target;
            this.cleanup = cleanup;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            boolean isVoid = type.returnType() == void.class;
            Throwable thrown = null;
            Object value = Boxing.zero(type.returnType());
            try {
                value = target.invokeBoxed(arguments);
            } catch (Throwable throwable) {
                thrown = throwable;
            }
            int leading = isVoid ? 1 : 2;
            Object[] rest = range(arguments, 0, cleanup.type.parameterCount() - leading);
            Object[] given = new Object[rest.length + leading];
            given[0] = thrown;
            if (!isVoid) given[1] = value;
            System.arraycopy(rest, 0, given, leading, rest.length);
            Object result = cleanup.invokeBoxed(given);
            if (thrown != null) throw thrown;
            return result;
        }
    }

    // Implements MethodHandles.loop, with all clauses completed: initialisers take (arguments...), all other handles
    // (variables..., arguments...).
    static final class Loop extends MethodHandle {
        private final MethodHandle[] initializers;
        private final MethodHandle[] steps;
        private final MethodHandle[] predicates;
        private final MethodHandle[] results;
        private final int variables;

        Loop(MethodType type, MethodHandle[] initializers, MethodHandle[] steps, MethodHandle[] predicates,
             MethodHandle[] results, int variables) {
            super(type);
            this.initializers = initializers;
            this.steps = steps;
            this.predicates = predicates;
            this.results = results;
            this.variables = variables;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            Object[] state = new Object[variables + arguments.length];
            System.arraycopy(arguments, 0, state, variables, arguments.length);
            int next = 0;
            for (int i = 0; i < initializers.length; i++) {
                Object value = initializers[i].invokeBoxed(arguments);
                if (initializers[i].type.returnType() != void.class) state[next++] = value;
            }
            for (;;) {
                next = 0;
                for (int i = 0; i < steps.length; i++) {
                    Object value = steps[i].invokeBoxed(state);
                    if (steps[i].type.returnType() != void.class) {
                        state = state.clone();
                        state[next++] = value;
                    }
                    if (!(Boolean) predicates[i].invokeBoxed(state)) return results[i].invokeBoxed(state);
                }
            }
        }
    }

    static final class TableSwitch extends MethodHandle {
        private final MethodHandle fallback;
        private final MethodHandle[] cases;

        TableSwitch(MethodHandle fallback, MethodHandle[] cases) {
            super(fallback.type);
            this.fallback = fallback;
            this.cases = cases;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            int chosen = (Integer) arguments[0];
            return (chosen >= 0 && chosen < cases.length ? cases[chosen] : fallback).invokeBoxed(arguments);
        }
    }

    // Implements constant, zero and empty.
    static final class Constant extends MethodHandle {
        private final Object value;

        Constant(MethodType type, Object value) {
            super(type);
            this.value = value;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) {
            return value;
        }
    }

    static final class Identity extends MethodHandle {
        Identity(MethodType type) {
            super(type);
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) {
            return arguments[0];
        }
    }

    static final class Throw extends MethodHandle {
        Throw(MethodType type) {
            super(type);
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            throw (Throwable) arguments[0];
        }
    }

    // Implements exactInvoker, invoker and spreadInvoker. The first argument is the handle, which is called as
    // `calledType`.
    static final class Invoker extends MethodHandle {
        private final MethodType calledType;
        private final boolean exact;

        Invoker(MethodType calledType, boolean exact) {
            super(calledType.insertParameterTypes(0, MethodHandle.class));
            this.calledType = calledType;
            this.exact = exact;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            MethodHandle called = (MethodHandle) arguments[0];
            if (called.type != calledType && !called.type.equals(calledType)) {
                if (exact) throw wrongType(called, calledType);
                called = called.asType(calledType);
            }
            return called.invokeBoxed(remove(arguments, 0, 1));
        }

        @Override
        MemberName internalMemberName() {
            return MemberName.polymorphic(MethodHandle.class, exact ? "invokeExact" : "invoke", calledType);
        }
    }

    // A spreadInvoker for more arguments than an invoker takes. It makes the handle spread them.
    static final class SpreadInvoker extends MethodHandle {
        private final MethodType calledType;
        private final int count;

        SpreadInvoker(MethodType spreadType, int leading, int count) {
            super(spreadType.dropParameterTypes(leading, leading + count).appendParameterTypes(Object[].class)
                          .insertParameterTypes(0, MethodHandle.class));
            this.calledType = type.dropParameterTypes(0, 1);
            this.count = count;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            MethodHandle called = ((MethodHandle) arguments[0]).asSpreader(Object[].class, count);
            if (!called.type.equals(calledType)) throw wrongType(called, calledType);
            return called.invokeBoxed(remove(arguments, 0, 1));
        }
    }

    // Implements VarHandle.toMethodHandle, and, if `bound` is null, the two invokers for variable handles, whose first
    // argument is the handle.
    static final class VarAccess extends MethodHandle {
        private final VarHandle bound;
        private final VarHandle.AccessMode mode;
        private final MethodType accessType;
        private final boolean exact;

        VarAccess(VarHandle bound, VarHandle.AccessMode mode, MethodType accessType, boolean exact) {
            super(bound == null ? accessType.insertParameterTypes(0, VarHandle.class) : accessType);
            this.bound = bound;
            this.mode = mode;
            this.accessType = accessType;
            this.exact = exact;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            if (bound != null) return bound.accessTyped(mode, arguments);
            VarHandle handle = (VarHandle) Objects.requireNonNull(arguments[0]);
            Object[] rest = remove(arguments, 0, 1);
            return exact ? handle.accessExactly(mode, accessType, rest) : handle.access(mode, accessType, rest);
        }

        @Override
        MemberName internalMemberName() {
            return bound != null ? null : MemberName.polymorphic(VarHandle.class, mode.methodName, accessType);
        }
    }

    static final int GET = 0, SET = 1, LENGTH = 2, CREATE = 3;

    static final class ArrayAccess extends MethodHandle {
        private final int operation;
        private final Class<?> element;

        ArrayAccess(MethodType type, int operation, Class<?> element) {
            super(type);
            this.operation = operation;
            this.element = element;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) {
            switch (operation) {
                case LENGTH: return Array.getLength(arguments[0]);
                case CREATE: return Array.newInstance(element, (int) (Integer) arguments[0]);
                case GET: {
                    int index = (Integer) arguments[1];
                    check(arguments[0], index);
                    return Array.get(arguments[0], index);
                }
                default: {
                    int index = (Integer) arguments[1];
                    Object array = arguments[0];
                    check(array, index);
                    if (array instanceof Object[]) ((Object[]) array)[index] = arguments[2];
                    else Array.set(array, index, arguments[2]);
                    return null;
                }
            }
        }

        private static void check(Object array, int index) {
            int length = Array.getLength(array);
            if (index < 0 || index >= length) {
                throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
            }
        }
    }
}
