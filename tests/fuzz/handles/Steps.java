// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts one random adapter or combinator around a handle. Most of the combinator's arguments fit; the library refuses
// the others.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

final class Steps {
    private final Dice dice;
    private final StringBuilder text;

    Steps(Dice dice, StringBuilder text) {
        this.dice = dice;
        this.text = text;
    }

    private void say(String what, Object... details) {
        text.append(" > ").append(what);
        for (Object each : details) text.append(' ').append(each);
    }

    static final int KINDS = 34;

    MethodHandle step(MethodHandle handle, int kind) throws Throwable {
        MethodType type = handle.type();
        int count = type.parameterCount();
        switch (kind) {
            case 0: case 1: return asType(handle);
            case 2: return explicitCast(handle);
            case 3: return spreader(handle);
            case 4: return collector(handle);
            case 5: return varargs(handle);
            case 6: say("asFixedArity"); return handle.asFixedArity();
            case 7: return bind(handle);
            case 8: return insert(handle);
            case 9: return drop(handle);
            case 10: return dropToMatch(handle);
            case 11: return permute(handle);
            case 12: case 13: return filter(handle);
            case 14: return filterReturn(handle);
            case 15: case 16: return collect(handle);
            case 17: case 18: return fold(handle);
            case 19: return guard(handle);
            case 20: return catchException(handle);
            case 21: return tryFinally(handle);
            case 22: say("exactInvoker"); return MethodHandles.insertArguments(MethodHandles.exactInvoker(type), 0, handle);
            case 23: return invoker(handle);
            case 24: return spreadInvoker(handle);
            case 25: say("dropReturn"); return MethodHandles.dropReturn(handle);
            case 26: return tableSwitch(handle);
            case 27: return new LoopSteps(dice, text).whileLoop(handle);
            case 28: return new LoopSteps(dice, text).countedLoop(handle);
            case 29: return new LoopSteps(dice, text).iteratedLoop(handle);
            case 30: return new LoopSteps(dice, text).loop(handle);
            case 31: return arrayElement(handle);
            case 32: return throwing(handle);
            default: say("withVarargs"); return handle.withVarargs(dice.oneIn(2) || count == 0);
        }
    }

    // --- types -------------------------------------------------------------------------------------------------------

    // Returns a type that asType can convert to or from `type`, or sometimes any type.
    Class<?> near(Class<?> type) {
        if (dice.oneIn(3)) return type;
        if (dice.oneIn(8)) return dice.of(Values.ALL);
        if (type == void.class) return dice.oneIn(2) ? void.class : dice.of(Values.ALL);
        if (type.isPrimitive()) {
            switch (dice.below(4)) {
                case 0: return Object.class;
                case 1: return Values.box(type);
                case 2: return dice.of(Number.class, Comparable.class, Object.class);
                default: return dice.of(Values.PRIMITIVES);
            }
        }
        return dice.oneIn(5) ? dice.of(Values.ALL) : dice.of(Values.REFERENCES);
    }

    private MethodType nearType(MethodType type) {
        MethodType changed = type;
        for (int i = 0; i < type.parameterCount(); i++) {
            changed = changed.changeParameterType(i, near(type.parameterType(i)));
        }
        Class<?> result = dice.oneIn(10) ? void.class : near(type.returnType());
        return changed.changeReturnType(result);
    }

    private int position(int count) {
        return dice.oneIn(15) ? dice.below(count + 3) - 1 : dice.below(count + 1);
    }

    // --- adapters of MethodHandle ------------------------------------------------------------------------------------

    private MethodHandle asType(MethodHandle handle) {
        MethodType type = nearType(handle.type());
        say("asType", type);
        return handle.asType(type);
    }

    private MethodHandle explicitCast(MethodHandle handle) {
        MethodType type = handle.type();
        for (int i = 0; i < type.parameterCount(); i++) {
            if (dice.oneIn(2)) type = type.changeParameterType(i, dice.of(Values.ALL));
        }
        if (dice.oneIn(2)) type = type.changeReturnType(dice.oneIn(6) ? void.class : dice.of(Values.ALL));
        say("explicitCast", type);
        return MethodHandles.explicitCastArguments(handle, type);
    }

    private static final Class<?>[] ARRAYS = {Object[].class, Object[].class, Object[].class, String[].class,
            int[].class, long[].class, byte[].class, Number[].class, Values.Base[].class, double[].class,
            Comparable[].class, char[].class, boolean[].class, Values.Named[].class, Object.class};

    private MethodHandle spreader(MethodHandle handle) {
        int count = handle.type().parameterCount();
        int length = dice.oneIn(12) ? dice.below(count + 3) : dice.below(count + 1);
        Class<?> array = dice.of(ARRAYS);
        if (dice.oneIn(2)) {
            say("asSpreader", array.getSimpleName(), length);
            return handle.asSpreader(array, length);
        }
        int at = dice.oneIn(12) ? dice.below(count + 3) - 1 : dice.below(Math.max(1, count - length + 1));
        // When a leading Object[] is spread, the JDK drops the parameters that follow the spread ones.
        if (at == 0 && length < count && array == Object[].class) array = Number[].class;
        say("asSpreader", at, array.getSimpleName(), length);
        return handle.asSpreader(at, array, length);
    }

    // Returns the handle with an array parameter at index `at`. If the handle has no array parameter there, an adapter
    // provides one.
    private MethodHandle taking(MethodHandle handle, int at, Class<?> array) {
        MethodType type = handle.type();
        if (at < 0 || at >= type.parameterCount() || type.parameterType(at).isAssignableFrom(array)) return handle;
        if (type.parameterType(at).isPrimitive()) return MethodHandles.dropArguments(handle, at, array);
        return MethodHandles.explicitCastArguments(handle, type.changeParameterType(at, array));
    }

    private MethodHandle collector(MethodHandle handle) {
        int count = handle.type().parameterCount();
        int at = dice.oneIn(3) && count > 0 ? position(count - 1) : count - 1;
        Class<?> array = dice.of(ARRAYS);
        int length = dice.below(4);
        MethodHandle target = dice.oneIn(10) ? handle : taking(handle, at, array);
        say("asCollector", at, array.getSimpleName(), length);
        return target.asCollector(at, array, length);
    }

    private MethodHandle varargs(MethodHandle handle) {
        int count = handle.type().parameterCount();
        Class<?> array = dice.of(ARRAYS);
        MethodHandle target = dice.oneIn(10) ? handle : taking(handle, count - 1, array);
        say("asVarargsCollector", array.getSimpleName());
        return target.asVarargsCollector(array);
    }

    private MethodHandle bind(MethodHandle handle) {
        Class<?> first = handle.type().parameterCount() == 0 ? Object.class : handle.type().parameterType(0);
        Object value = dice.oneIn(4) ? Values.any(dice) : Values.of(dice, first);
        say("bindTo", Values.show(value));
        return handle.bindTo(value);
    }

    // --- combinators -------------------------------------------------------------------------------------------------

    private MethodHandle insert(MethodHandle handle) {
        MethodType type = handle.type();
        int at = position(Math.max(0, type.parameterCount() - 1));
        int length = 1 + dice.below(2);
        Object[] values = new Object[length];
        for (int i = 0; i < length; i++) {
            boolean known = at + i >= 0 && at + i < type.parameterCount() && !dice.oneIn(8);
            values[i] = known ? Values.of(dice, type.parameterType(at + i)) : Values.any(dice);
        }
        say("insertArguments", at, Values.show(values));
        return MethodHandles.insertArguments(handle, at, values);
    }

    private List<Class<?>> types(int most) {
        List<Class<?>> types = new ArrayList<>();
        for (int i = dice.below(most + 1); i > 0; i--) types.add(dice.of(Values.ALL));
        return types;
    }

    private MethodHandle drop(MethodHandle handle) {
        int at = position(handle.type().parameterCount());
        List<Class<?>> dropped = types(3);
        say("dropArguments", at, dropped);
        return dice.oneIn(2) ? MethodHandles.dropArguments(handle, at, dropped)
                             : MethodHandles.dropArguments(handle, at, dropped.toArray(new Class<?>[0]));
    }

    private MethodHandle dropToMatch(MethodHandle handle) {
        List<Class<?>> own = handle.type().parameterList();
        int skip = position(own.size());
        List<Class<?>> wanted = types(2);
        int at = wanted.size();
        if (skip >= 0 && skip <= own.size()) wanted.addAll(own.subList(skip, own.size()));
        wanted.addAll(types(2));
        if (dice.oneIn(10)) at++;
        say("dropArgumentsToMatch", skip, wanted, at);
        return MethodHandles.dropArgumentsToMatch(handle, skip, wanted, at);
    }

    private MethodHandle permute(MethodHandle handle) {
        MethodType type = handle.type();
        int count = type.parameterCount();
        List<Class<?>> given = new ArrayList<>(type.parameterList());
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < count; i++) places.add(i);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) order[i] = i;
        if (count > 1) {
            int rotation = dice.below(count);
            Collections.rotate(given, rotation);
            for (int i = 0; i < count; i++) order[i] = (i + rotation) % count;
        }
        given.addAll(types(2));
        if (count > 1 && dice.oneIn(3)) order[dice.below(count)] = dice.below(given.size() + 1);
        MethodType wanted = MethodType.methodType(type.returnType(), given);
        say("permuteArguments", wanted, Arrays.toString(order));
        return MethodHandles.permuteArguments(handle, wanted, order);
    }

    // Makes a handle with one parameter and the given result type.
    private MethodHandle unary(Class<?> result) {
        if (dice.oneIn(6)) return new Sources(dice, text).any();
        Class<?> from = near(result);
        if (from == void.class) from = Object.class;
        say("[by", from.getSimpleName() + "]");
        MethodHandle traced = Sources.tracing(result == void.class ? Object.class : result);
        if (dice.oneIn(3)) {
            return MethodHandles.explicitCastArguments(traced, MethodType.methodType(result, from));
        }
        return traced.asType(MethodType.methodType(result, from));
    }

    private MethodHandle filter(MethodHandle handle) {
        MethodType type = handle.type();
        int at = position(Math.max(0, type.parameterCount() - 1));
        int length = 1 + dice.below(2);
        if (at + length > type.parameterCount() && !dice.oneIn(10)) length = Math.max(0, type.parameterCount() - at);
        MethodHandle[] filters = new MethodHandle[length];
        for (int i = 0; i < length; i++) {
            boolean known = at + i >= 0 && at + i < type.parameterCount();
            if (!dice.oneIn(5)) filters[i] = unary(known ? type.parameterType(at + i) : Object.class);
        }
        say("filterArguments", at, Arrays.toString(filters));
        return MethodHandles.filterArguments(handle, at, filters);
    }

    private MethodHandle filterReturn(MethodHandle handle) {
        Class<?> result = handle.type().returnType();
        MethodHandle filter;
        if (dice.oneIn(8)) {
            filter = new Sources(dice, text).any();
        } else if (result == void.class) {
            filter = new Sources(dice, text).constant();
        } else {
            Class<?> wanted = near(result);
            filter = Sources.tracing(result).asType(MethodType.methodType(wanted, result));
        }
        say("filterReturnValue", filter);
        return MethodHandles.filterReturnValue(handle, filter);
    }

    // Makes a handle that returns `result` and has the parameters of a drawn handle.
    private MethodHandle returning(Class<?> result) {
        MethodHandle drawn = new Sources(dice, text).any();
        if (dice.oneIn(10)) return drawn;
        if (result == void.class) return MethodHandles.dropReturn(drawn);
        return MethodHandles.explicitCastArguments(drawn, drawn.type().changeReturnType(result));
    }

    private MethodHandle collect(MethodHandle handle) {
        MethodType type = handle.type();
        int at = position(Math.max(0, type.parameterCount() - 1));
        boolean known = at >= 0 && at < type.parameterCount() && !dice.oneIn(6);
        MethodHandle filter = returning(known ? type.parameterType(at) : void.class);
        say("collectArguments", at, filter);
        return MethodHandles.collectArguments(handle, at, filter);
    }

    private MethodHandle fold(MethodHandle handle) {
        MethodType type = handle.type();
        int count = type.parameterCount();
        int at = dice.oneIn(2) ? 0 : position(Math.max(0, count - 1));
        boolean isVoid = dice.oneIn(4) || at < 0 || at >= count;
        Class<?> result = isVoid ? void.class : type.parameterType(at);
        int first = Math.max(0, at) + (isVoid ? 0 : 1);
        List<Class<?>> taken = first > count ? List.of()
                : type.parameterList().subList(first, first + dice.below(count - first + 1));
        if (dice.oneIn(10)) taken = types(2);
        MethodHandle combiner = Sources.returning(dice, MethodType.methodType(result, taken));
        say("foldArguments", at, combiner);
        return at == 0 && dice.oneIn(2) ? MethodHandles.foldArguments(handle, combiner)
                                        : MethodHandles.foldArguments(handle, at, combiner);
    }

    // Returns the types of the first few parameters, or sometimes other types.
    private List<Class<?>> prefix(MethodType type) {
        if (dice.oneIn(12)) return types(2);
        return type.parameterList().subList(0, dice.below(type.parameterCount() + 1));
    }

    private MethodHandle guard(MethodHandle handle) {
        MethodType type = handle.type();
        Class<?> result = dice.oneIn(15) ? int.class : boolean.class;
        MethodHandle test = Sources.returning(dice, MethodType.methodType(result, prefix(type)));
        MethodHandle fallback = Sources.returning(dice, dice.oneIn(12) ? nearType(type) : type);
        say("guardWithTest", test, fallback);
        return MethodHandles.guardWithTest(test, dice.oneIn(2) ? handle : fallback, dice.oneIn(8) ? handle : fallback);
    }

    @SuppressWarnings("unchecked")
    private MethodHandle catchException(MethodHandle handle) {
        MethodType type = handle.type();
        Class<? extends Throwable> caught = dice.of((Class<? extends Throwable>[]) new Class<?>[] {Throwable.class,
                RuntimeException.class, ClassCastException.class, NullPointerException.class});
        List<Class<?>> taken = new ArrayList<>(prefix(type));
        taken.add(0, dice.oneIn(10) ? Object.class : dice.oneIn(10) ? String.class : caught);
        MethodHandle handler = Sources.returning(dice, MethodType.methodType(type.returnType(), taken));
        say("catchException", caught.getSimpleName(), handler);
        return MethodHandles.catchException(handle, caught, handler);
    }

    private MethodHandle tryFinally(MethodHandle handle) {
        MethodType type = handle.type();
        List<Class<?>> taken = new ArrayList<>(prefix(type));
        if (type.returnType() != void.class && !dice.oneIn(15)) taken.add(0, type.returnType());
        taken.add(0, dice.oneIn(15) ? Object.class : dice.oneIn(15) ? Exception.class : Throwable.class);
        MethodHandle cleanup = Sources.returning(dice, MethodType.methodType(type.returnType(), taken));
        say("tryFinally", cleanup);
        return MethodHandles.tryFinally(handle, cleanup);
    }

    private MethodHandle invoker(MethodHandle handle) {
        MethodType type = nearType(handle.type());
        say("invoker", type);
        MethodHandle invoker = dice.oneIn(6) ? MethodHandles.exactInvoker(type) : MethodHandles.invoker(type);
        return MethodHandles.insertArguments(invoker, 0, handle);
    }

    private MethodHandle spreadInvoker(MethodHandle handle) {
        MethodType type = dice.oneIn(2) ? handle.type() : nearType(handle.type());
        int leading = dice.oneIn(15) ? type.parameterCount() + 1 : dice.below(type.parameterCount() + 1);
        say("spreadInvoker", type, leading);
        return MethodHandles.insertArguments(MethodHandles.spreadInvoker(type, leading), 0, handle);
    }

    private MethodHandle tableSwitch(MethodHandle handle) {
        MethodType type = handle.type();
        boolean takesInt = type.parameterCount() > 0 && type.parameterType(0) == int.class;
        MethodHandle target = takesInt || dice.oneIn(15) ? handle : MethodHandles.dropArguments(handle, 0, int.class);
        MethodHandle[] cases = new MethodHandle[dice.oneIn(15) ? 0 : 1 + dice.below(3)];
        for (int i = 0; i < cases.length; i++) {
            cases[i] = Sources.returning(dice, dice.oneIn(20) ? type : target.type());
        }
        say("tableSwitch", Arrays.toString(cases));
        return MethodHandles.tableSwitch(target, cases);
    }

    private MethodHandle arrayElement(MethodHandle handle) {
        Class<?> result = handle.type().returnType();
        if (!result.isArray()) {
            if (result == void.class) return handle;
            say("arrayOf", result.getSimpleName());
            Class<?> array = Array.newInstance(result, 0).getClass();
            return MethodHandles.collectArguments(MethodHandles.arrayElementSetter(array), 2, handle);
        }
        say("arrayElement", result.getSimpleName());
        MethodHandle access = dice.oneIn(2) ? MethodHandles.arrayElementGetter(result)
                                            : MethodHandles.arrayLength(result);
        return MethodHandles.collectArguments(access, 0, handle);
    }

    @SuppressWarnings("unchecked")
    private MethodHandle throwing(MethodHandle handle) {
        Class<?> result = handle.type().returnType();
        Class<?> thrown = dice.of(Throwable.class, RuntimeException.class, ClassCastException.class);
        say("throwException", result.getSimpleName(), thrown.getSimpleName());
        return MethodHandles.throwException(result, (Class<? extends Throwable>) thrown);
    }
}
