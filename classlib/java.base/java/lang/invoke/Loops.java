// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop combinators of MethodHandles. All but the counted and the iterated loop are clauses of one general loop.
package java.lang.invoke;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import jdk.internal.vm.annotation.Hidden;

final class Loops {
    private Loops() {}

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException(text);
    }

    // True when `types` from `from` on is a prefix of `full`.
    private static boolean isPrefix(Class<?>[] types, int from, Class<?>[] full, int fullFrom) {
        if (types.length - from > full.length - fullFrom) return false;
        for (int i = from; i < types.length; i++) if (types[i] != full[fullFrom + i - from]) return false;
        return true;
    }

    private static MethodHandle at(MethodHandle[] clause, int index) {
        return index < clause.length ? clause[index] : null;
    }

    static MethodHandle loop(MethodHandle[][] clauses) {
        if (clauses == null || clauses.length == 0) throw bad("null or no clauses passed");
        List<MethodHandle[]> used = new ArrayList<>();
        for (MethodHandle[] clause : clauses) {
            if (clause == null) throw bad("null clauses are not allowed");
            if (clause.length > 4) throw bad("All loop clauses must be represented as MethodHandle arrays with at most 4 elements.");
            for (MethodHandle handle : clause) {
                if (handle != null) {
                    used.add(clause);
                    break;
                }
            }
        }
        int count = used.size();
        Class<?>[] variableOf = new Class<?>[count];
        List<Class<?>> variables = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MethodHandle init = at(used.get(i), 0);
            MethodHandle step = at(used.get(i), 1);
            variableOf[i] = init != null ? init.type().returnType() : step != null ? step.type().returnType() : void.class;
            if (init != null && step != null && step.type().returnType() != variableOf[i]) {
                throw bad("clause " + i + ": init and step return types do not match: " + variableOf[i] + " != " + step.type().returnType());
            }
            if (variableOf[i] != void.class) variables.add(variableOf[i]);
        }
        int prefix = variables.size();
        Class<?>[] suffix = new Class<?>[0];
        Class<?> result = null;
        boolean hasPredicate = false;
        for (MethodHandle[] clause : used) {
            for (int part = 0; part < clause.length; part++) {
                if (clause[part] == null) continue;
                Class<?>[] types = clause[part].type().parameterArray();
                int from = part == 0 ? 0 : Math.min(prefix, types.length);
                if (types.length - from > suffix.length) suffix = Arrays.copyOfRange(types, from, types.length);
                Class<?> returned = clause[part].type().returnType();
                if (part == 2) {
                    hasPredicate = true;
                    if (returned != boolean.class) throw bad("predicates must have boolean return type: " + clause[part]);
                } else if (part == 3) {
                    if (result != null && result != returned) throw bad("found non-identical finalizer return types: " + clause[part] + " (return type: " + result + ")");
                    result = returned;
                }
            }
        }
        if (!hasPredicate) throw bad("no predicate found");
        if (result == null) result = void.class;
        List<Class<?>> full = new ArrayList<>(variables);
        full.addAll(Arrays.asList(suffix));
        Class<?>[] all = full.toArray(new Class<?>[0]);
        MethodHandle[][] parts = new MethodHandle[4][count];
        int variable = 0;
        for (int i = 0; i < count; i++) {
            Class<?> type = variableOf[i];
            for (int part = 0; part < 4; part++) {
                MethodHandle handle = at(used.get(i), part);
                Class<?>[] types = part == 0 ? suffix : all;
                if (handle == null) {
                    switch (part) {
                        case 1: handle = type == void.class ? MethodHandles.empty(MethodType.methodType(void.class, all)) : argument(all, variable); break;
                        case 2: handle = new Adapters.Constant(MethodType.methodType(boolean.class, all), true); break;
                        case 3: handle = MethodHandles.empty(MethodType.methodType(result, all)); break;
                        default: handle = MethodHandles.empty(MethodType.methodType(type, suffix)); break;
                    }
                } else {
                    MethodHandle extended = MethodHandles.extend(handle.asFixedArity(), types);
                    if (extended == null) {
                        throw bad((part == 0 ? "found non-effectively identical init parameter type lists: " : "found non-effectively identical parameter type lists: ")
                                + handle + " (common parameter sequence: " + Arrays.asList(types) + ")");
                    }
                    handle = extended;
                }
                parts[part][i] = handle;
            }
            if (type != void.class) variable++;
        }
        return new Adapters.Loop(MethodType.methodType(result, suffix), parts[0], parts[1], parts[2], parts[3], prefix);
    }

    // Returns its argument number `index`.
    private static MethodHandle argument(Class<?>[] types, int index) {
        return new Adapters.Permute(MethodHandles.identity(types[index]), MethodType.methodType(types[index], types), new int[] {index});
    }

    private static MethodHandle identityOrVoid(Class<?> type) {
        return MethodHandles.identity(type);
    }

    private static void checkWhile(MethodHandle init, MethodHandle predicate, MethodHandle body) {
        Objects.requireNonNull(predicate);
        Objects.requireNonNull(body);
        Class<?> result = body.type().returnType();
        if (predicate.type().returnType() != boolean.class) throw bad("loop predicate must return boolean: " + predicate.type().returnType());
        Class<?>[] types = body.type().parameterArray();
        int own = result == void.class ? 0 : 1;
        if (own == 1 && (types.length == 0 || types[0] != result)) throw bad("body function: types do not match: " + body.type() + " != " + result);
        if (!isPrefix(predicate.type().parameterArray(), 0, types, 0)) throw bad("loop predicate: types do not match: " + predicate.type() + " != " + body.type());
        if (init != null && (init.type().returnType() != result || !isPrefix(init.type().parameterArray(), 0, types, own))) {
            throw bad("loop initializer: types do not match: " + init.type() + " != " + body.type());
        }
    }

    static MethodHandle whileLoop(MethodHandle init, MethodHandle predicate, MethodHandle body) {
        checkWhile(init, predicate, body);
        MethodHandle result = identityOrVoid(body.type().returnType());
        return loop(new MethodHandle[][] {{null, null, predicate, result}, {init, body}});
    }

    static MethodHandle doWhileLoop(MethodHandle init, MethodHandle body, MethodHandle predicate) {
        checkWhile(init, predicate, body);
        return loop(new MethodHandle[][] {{init, body, predicate, identityOrVoid(body.type().returnType())}});
    }

    static MethodHandle countedLoop(MethodHandle start, MethodHandle end, MethodHandle init, MethodHandle body) {
        Objects.requireNonNull(start);
        Objects.requireNonNull(end);
        Objects.requireNonNull(body);
        if (start.type().returnType() != int.class) throw bad("start function must return int: " + start.type());
        if (end.type().returnType() != int.class) throw bad("end function must return int: " + end.type());
        Class<?> result = body.type().returnType();
        Class<?>[] types = body.type().parameterArray();
        int own = result == void.class ? 0 : 1;
        if (types.length <= own || own == 1 && types[0] != result || types[own] != int.class) {
            throw bad("body function: types do not match: " + body.type() + " != " + result);
        }
        Class<?>[] outer = Arrays.copyOfRange(types, own + 1, types.length);
        if (outer.length == 0) outer = end.type().parameterArray();
        checkOuter(start, outer);
        checkOuter(end, outer);
        if (init != null) {
            if (init.type().returnType() != result) throw bad("loop initializer: types do not match: " + init.type() + " != " + body.type());
            checkOuter(init, outer);
        }
        return new Counted(MethodType.methodType(result, outer), start, end, init, body.asFixedArity());
    }

    private static void checkOuter(MethodHandle handle, Class<?>[] outer) {
        if (!isPrefix(handle.type().parameterArray(), 0, outer, 0)) {
            throw bad("loop parameter types do not match: " + handle.type() + " != " + Arrays.asList(outer));
        }
    }

    static MethodHandle iteratedLoop(MethodHandle iterator, MethodHandle init, MethodHandle body) {
        Objects.requireNonNull(body);
        Class<?> result = body.type().returnType();
        Class<?>[] types = body.type().parameterArray();
        int own = result == void.class ? 0 : 1;
        if (types.length <= own || own == 1 && types[0] != result) throw bad("body function: types do not match: " + body.type() + " != " + result);
        Class<?>[] outer = Arrays.copyOfRange(types, own + 1, types.length);
        if (iterator == null) {
            if (outer.length == 0) outer = new Class<?>[] {Iterable.class};
            if (!Iterable.class.isAssignableFrom(outer[0])) throw bad("inferred first loop argument must inherit from Iterable: " + outer[0]);
        } else {
            if (!Iterator.class.isAssignableFrom(iterator.type().returnType())) throw bad("iteratedLoop first argument must have Iterator return type");
            if (outer.length == 0) outer = iterator.type().parameterArray();
            checkOuter(iterator, outer);
        }
        if (init != null) {
            if (init.type().returnType() != result) throw bad("loop initializer: types do not match: " + init.type() + " != " + body.type());
            checkOuter(init, outer);
        }
        return new Iterated(MethodType.methodType(result, outer), iterator, init, body.asFixedArity());
    }

    private static Object call(MethodHandle handle, Object[] outer) throws Throwable {
        return handle.invokeBoxed(Adapters.range(outer, 0, handle.type.parameterCount()));
    }

    // body(value, element, outer...), without the value when the loop is void.
    private static Object step(MethodHandle body, boolean isVoid, Object value, Object element, Object[] outer) throws Throwable {
        Object[] arguments = new Object[body.type.parameterCount()];
        int next = 0;
        if (!isVoid) arguments[next++] = value;
        arguments[next++] = element;
        System.arraycopy(outer, 0, arguments, next, arguments.length - next);
        return body.invokeBoxed(arguments);
    }

    private static final class Counted extends MethodHandle {
        private final MethodHandle start;
        private final MethodHandle end;
        private final MethodHandle init;
        private final MethodHandle body;

        Counted(MethodType type, MethodHandle start, MethodHandle end, MethodHandle init, MethodHandle body) {
            super(type);
            this.start = start;
            this.end = end;
            this.init = init;
            this.body = body;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            boolean isVoid = type.returnType() == void.class;
            int limit = (Integer) call(end, arguments);
            Object value = init == null ? Boxing.zero(type.returnType()) : call(init, arguments);
            for (int i = (Integer) call(start, arguments); i < limit; i++) value = step(body, isVoid, value, i, arguments);
            return isVoid ? null : value;
        }
    }

    private static final class Iterated extends MethodHandle {
        private final MethodHandle iterator;
        private final MethodHandle init;
        private final MethodHandle body;

        Iterated(MethodType type, MethodHandle iterator, MethodHandle init, MethodHandle body) {
            super(type);
            this.iterator = iterator;
            this.init = init;
            this.body = body;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            boolean isVoid = type.returnType() == void.class;
            Iterator<?> elements = (Iterator<?>) (iterator == null ? ((Iterable<?>) arguments[0]).iterator() : call(iterator, arguments));
            Class<?> elementType = body.type.parameterType(isVoid ? 0 : 1);
            Object value = init == null ? Boxing.zero(type.returnType()) : call(init, arguments);
            while (elements.hasNext()) value = step(body, isVoid, value, Boxing.convert(elements.next(), Object.class, elementType), arguments);
            return isVoid ? null : value;
        }
    }
}
