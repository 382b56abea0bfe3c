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

    private static final int INIT = 0, STEP = 1, PREDICATE = 2, FINISH = 3;
    private static final int PARTS = 4;

    // Sorts the clauses by part: parts[part][i] is that part of clause i, or null. Clauses without any part are
    // dropped.
    private static MethodHandle[][] byPart(MethodHandle[][] clauses) {
        if (clauses == null || clauses.length == 0) throw bad("null or no clauses passed");
        MethodHandle[][] parts = new MethodHandle[PARTS][clauses.length];
        int used = 0;
        for (MethodHandle[] clause : clauses) {
            if (clause == null) throw bad("null clauses are not allowed");
            if (clause.length > PARTS) {
                throw bad("All loop clauses must be represented as MethodHandle arrays with at most 4 elements.");
            }
            boolean isUsed = false;
            for (int part = 0; part < clause.length; part++) {
                parts[part][used] = clause[part];
                isUsed |= clause[part] != null;
            }
            if (isUsed) used++;
        }
        for (int part = 0; part < PARTS; part++) parts[part] = Arrays.copyOf(parts[part], used);
        return parts;
    }

    private static Class<?> resultOf(MethodHandle handle, Class<?> otherwise) {
        return handle == null ? otherwise : handle.type().returnType();
    }

    // The longest list of parameters after the first `own` ones. The first of equally long lists counts.
    private static List<Class<?>> longest(List<Class<?>> longest, MethodHandle[] handles, int own) {
        for (MethodHandle handle : handles) {
            if (handle == null || handle.type().parameterCount() - own <= longest.size()) continue;
            longest = handle.type().parameterList().subList(own, handle.type().parameterCount());
        }
        return longest;
    }

    private static boolean allTake(List<Class<?>> types, MethodHandle[] handles) {
        for (MethodHandle handle : handles) {
            if (handle != null && !MethodHandles.startsWith(types, handle.type().parameterList())) return false;
        }
        return true;
    }

    // The result type of all finishers; void when there is none.
    private static Class<?> commonResult(MethodHandle[] finishers) {
        Class<?> result = null;
        for (MethodHandle finisher : finishers) {
            if (finisher == null) continue;
            if (result == null) result = finisher.type().returnType();
            if (result != finisher.type().returnType()) {
                throw bad("found non-identical finalizer return types: " + Arrays.asList(finishers) + " (return type: "
                        + result + ")");
            }
        }
        return result == null ? void.class : result;
    }

    private static void checkPredicates(MethodHandle[] predicates) {
        boolean hasAny = false;
        for (MethodHandle predicate : predicates) hasAny |= predicate != null;
        if (!hasAny) throw bad("no predicate found: " + Arrays.asList(predicates));
        for (MethodHandle predicate : predicates) {
            if (resultOf(predicate, boolean.class) != boolean.class) {
                throw bad("predicates must have boolean return type: " + Arrays.asList(predicates));
            }
        }
    }

    static MethodHandle loop(MethodHandle[][] clauses) {
        MethodHandle[][] parts = byPart(clauses);
        int count = parts[INIT].length;
        Class<?>[] variableOf = new Class<?>[count];
        // The parameters of steps, predicates and finishers: the variables, then the loop's arguments.
        List<Class<?>> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Class<?> stepped = resultOf(parts[STEP][i], void.class);
            variableOf[i] = resultOf(parts[INIT][i], stepped);
            if (parts[STEP][i] != null && stepped != variableOf[i]) {
                throw MethodHandles.mustMatch("clause " + i + ": init and step return types", variableOf[i], stepped);
            }
            if (variableOf[i] != void.class) taken.add(variableOf[i]);
        }
        int variables = taken.size();
        List<Class<?>> arguments = longest(List.of(), parts[STEP], variables);
        arguments = longest(arguments, parts[PREDICATE], variables);
        arguments = longest(arguments, parts[FINISH], variables);
        arguments = longest(arguments, parts[INIT], 0);
        if (!allTake(arguments, parts[INIT])) {
            throw bad("found non-effectively identical init parameter type lists: " + Arrays.asList(parts[INIT])
                    + " (common suffix: " + arguments + ")");
        }
        Class<?> result = commonResult(parts[FINISH]);
        checkPredicates(parts[PREDICATE]);
        taken.addAll(arguments);
        if (!allTake(taken, parts[STEP]) || !allTake(taken, parts[PREDICATE]) || !allTake(taken, parts[FINISH])) {
            throw bad("found non-effectively identical parameter type lists:\nstep: " + Arrays.asList(parts[STEP])
                    + "\npred: " + Arrays.asList(parts[PREDICATE])
                    + "\nfini: " + Arrays.asList(parts[FINISH]) + " (common parameter sequence: " + taken + ")");
        }
        complete(parts, variableOf, result, arguments.toArray(new Class<?>[0]), taken.toArray(new Class<?>[0]));
        return new Adapters.Loop(MethodType.methodType(result, arguments), parts[INIT], parts[STEP], parts[PREDICATE],
                parts[FINISH], variables);
    }

    // Makes every part take all arguments, and adds missing parts: a variable begins as zero, a step keeps the
    // variable, a predicate continues the loop, a finisher returns zero.
    private static void complete(MethodHandle[][] parts, Class<?>[] variableOf, Class<?> result, Class<?>[] arguments,
            Class<?>[] taken) {
        int variable = 0;
        for (int i = 0; i < variableOf.length; i++) {
            Class<?> type = variableOf[i];
            boolean isVoid = type == void.class;
            for (int part = INIT; part < PARTS; part++) {
                Class<?>[] given = part == INIT ? arguments : taken;
                if (parts[part][i] != null) parts[part][i] = MethodHandles.extend(parts[part][i].asFixedArity(), given);
            }
            if (parts[INIT][i] == null) parts[INIT][i] = MethodHandles.empty(MethodType.methodType(type, arguments));
            if (parts[STEP][i] == null) {
                parts[STEP][i] = isVoid ? MethodHandles.empty(MethodType.methodType(void.class, taken))
                        : argument(taken, variable);
            }
            if (parts[PREDICATE][i] == null) {
                parts[PREDICATE][i] = new Adapters.Constant(MethodType.methodType(boolean.class, taken), true);
            }
            if (parts[FINISH][i] == null) parts[FINISH][i] = MethodHandles.empty(MethodType.methodType(result, taken));
            if (!isVoid) variable++;
        }
    }

    // Returns a handle that returns its argument number `index`.
    private static MethodHandle argument(Class<?>[] types, int index) {
        return new Adapters.Permute(MethodHandles.identity(types[index]), MethodType.methodType(types[index], types),
                                    new int[] {index});
    }

    private static MethodHandle identityOrVoid(Class<?> type) {
        return type == void.class ? MethodHandles.zero(void.class) : MethodHandles.identity(type);
    }

    // The outer parameters of a loop's body: those after its variable, if the loop has one, and after `fixed`
    // parameters of the type `wanted` (null: of any type). If one is missing, the exception shows the type with `other`
    // in its place.
    private static List<Class<?>> outerOf(MethodType body, int fixed, Class<?> wanted, Class<?> other) {
        List<Class<?>> types = body.parameterList();
        Class<?> result = body.returnType();
        int own = result == void.class ? 0 : 1;
        MethodType fitting = body;
        if (own == 1 && (types.isEmpty() || types.get(0) != result)) fitting = fitting.insertParameterTypes(0, result);
        else if (fixed == 1 && lacks(types, own, wanted)) fitting = fitting.insertParameterTypes(own, other);
        if (fitting != body) throw MethodHandles.mustMatch("body function", body, fitting);
        return types.subList(own + fixed, types.size());
    }

    private static boolean lacks(List<Class<?>> types, int index, Class<?> wanted) {
        return index >= types.size() || wanted != null && types.get(index) != wanted;
    }

    private static void checkInit(MethodHandle init, Class<?> result, List<Class<?>> outer) {
        if (init != null && (init.type().returnType() != result
                || !MethodHandles.startsWith(outer, init.type().parameterList()))) {
            throw MethodHandles.mustMatch("loop initializer", init.type(), MethodType.methodType(result, outer));
        }
    }

    private static void checkWhile(MethodHandle init, MethodHandle predicate, MethodHandle body) {
        MethodType type = body.type();
        MethodType tested = predicate.type();
        List<Class<?>> outer = outerOf(type, 0, null, null);
        if (tested.returnType() != boolean.class
                || !MethodHandles.startsWith(type.parameterList(), tested.parameterList())) {
            throw MethodHandles.mustMatch("loop predicate", tested, type.changeReturnType(boolean.class));
        }
        checkInit(init, type.returnType(), outer);
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
        Objects.requireNonNull(end);
        Objects.requireNonNull(body);
        checkReturnsInt("start function", start.type());
        checkReturnsInt("end function", end.type());
        List<Class<?>> outer = outerOf(body.type(), 1, int.class, int.class);
        if (outer.isEmpty()) outer = end.type().parameterList();
        checkOuter("start parameter types", start, outer);
        checkOuter("end parameter types", end, outer);
        checkInit(init, body.type().returnType(), outer);
        // The parameters are the two bounds, the value, and all outer arguments.
        MethodType all = MethodType.methodType(void.class, outer).insertParameterTypes(0, int.class, int.class);
        if (body.type().returnType() != void.class) all = all.insertParameterTypes(0, body.type().returnType());
        MethodHandle.checkSlots(all.parameterSlotCount());
        return new Counted(MethodType.methodType(body.type().returnType(), outer), start, end, init,
                body.asFixedArity());
    }

    private static void checkReturnsInt(String what, MethodType type) {
        if (type.returnType() != int.class) throw MethodHandles.mustMatch(what, type, type.changeReturnType(int.class));
    }

    private static void checkOuter(String what, MethodHandle handle, List<Class<?>> outer) {
        MethodType type = handle.type();
        if (!MethodHandles.startsWith(outer, type.parameterList())) {
            throw MethodHandles.mustMatch(what, type, MethodType.methodType(type.returnType(), outer));
        }
    }

    static MethodHandle iteratedLoop(MethodHandle iterator, MethodHandle init, MethodHandle body) {
        List<Class<?>> outer = outerOf(body.type(), 1, null, Object.class);
        if (iterator != null && !Iterator.class.isAssignableFrom(iterator.type().returnType())) {
            throw bad("iteratedLoop first argument must have Iterator return type");
        }
        if (iterator == null) {
            if (outer.isEmpty()) outer = List.of(Iterable.class);
            if (!Iterable.class.isAssignableFrom(outer.get(0)))
                throw bad("inferred first loop argument must inherit from Iterable: " + outer.get(0));
        } else {
            if (outer.isEmpty()) outer = iterator.type().parameterList();
            checkOuter("iterator parameters", iterator, outer);
        }
        checkInit(init, body.type().returnType(), outer);
        return new Iterated(MethodType.methodType(body.type().returnType(), outer), iterator, init,
                body.asFixedArity());
    }

    private static Object call(MethodHandle handle, Object[] outer) throws Throwable {
        return handle.invokeBoxed(Adapters.range(outer, 0, handle.type.parameterCount()));
    }

    // Calls body(value, element, outer...); without the value when the loop is void.
    private static Object step(MethodHandle body, boolean isVoid, Object value, Object element, Object[] outer)
            throws Throwable {
        Object[] arguments = new Object[body.type.parameterCount()];
        int next = 0;
        if (!isVoid) arguments[next++] = value;
        arguments[next++] = element;
        System.arraycopy(outer, 0, arguments, next, arguments.length - next);
        return body.invokeBoxed(arguments);
    }

    // Any object may be passed as an interface. A call of an interface method fails then, not the cast.
    private static Object implementing(Class<?> wanted, Object object) {
        if (object == null || wanted.isInstance(object)) return object;
        throw new IncompatibleClassChangeError("Class " + object.getClass().getName()
                + " does not implement the requested interface " + wanted.getName());
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
            for (int i = (Integer) call(start, arguments); i < limit; i++)
                value = step(body, isVoid, value, i, arguments);
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
            Iterator<?> elements =
                    iterator == null ? ((Iterable<?>) implementing(Iterable.class, arguments[0])).iterator()
                                     : (Iterator<?>) implementing(Iterator.class, call(iterator, arguments));
            Class<?> elementType = body.type.parameterType(isVoid ? 0 : 1);
            Object value = init == null ? Boxing.zero(type.returnType()) : call(init, arguments);
            while (elements.hasNext())
                value = step(body, isVoid, value, Boxing.convert(elements.next(), Object.class, elementType),
                             arguments);
            return isVoid ? null : value;
        }
    }
}
