// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the handles that combinations start with: methods, constructors, fields, array elements, constants. The methods
// record the arguments of each call.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

final class Sources {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final StringBuilder TRACE = new StringBuilder();
    private static final String SHARED;
    private static int left;    // how many more times threeTimes iterates
    static {
        Fields.reset();
        SHARED = Fields.shared();
    }

    private final Dice dice;
    private final StringBuilder text;

    Sources(Dice dice, StringBuilder text) {
        this.dice = dice;
        this.text = text;
    }

    static void reset() throws ReflectiveOperationException {
        TRACE.setLength(0);
        left = 3;
        Fields.reset();
    }

    // Returns the fields of Fields whose values have changed.
    static String changed() {
        String now = Fields.shared();
        return now.equals(SHARED) ? "" : " shared " + now;
    }

    static void trace(int number, String... values) {
        TRACE.append(" t").append(number).append(Arrays.toString(values));
    }

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        try {
            return LOOKUP.findStatic(Sources.class, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException exception) {
            throw new AssertionError(exception);
        }
    }

    // --- parts of others ---------------------------------------------------------------------------------------------

    static Object answer(Object value, Object[] arguments) {
        TRACE.append(" answer").append(Values.show(arguments));
        return value;
    }

    static boolean again() {
        return left-- > 0;
    }

    static int next(int value) {
        return value + 1;
    }

    static boolean isSmall(int value) {
        return value < 3;
    }

    static Iterator<?> of(List<?> list) {
        return list.iterator();
    }

    private static final MethodHandle ANSWER = find("answer", Object.class, Object.class, Object[].class);
    private static final MethodHandle AGAIN = find("again", boolean.class);
    private static final MethodHandle NEXT = find("next", int.class, int.class);
    private static final MethodHandle SMALL = find("isSmall", boolean.class, int.class);
    private static final MethodHandle ITERATOR = find("of", Iterator.class, List.class);

    static MethodHandle threeTimes() {
        return AGAIN;
    }

    static MethodHandle increment() {
        return NEXT;
    }

    static MethodHandle belowThree() {
        return SMALL;
    }

    static MethodHandle iterator(Dice dice) {
        List<Object> list = new ArrayList<>();
        for (int i = dice.below(4); i > 0; i--) list.add(dice.oneIn(3) ? Values.any(dice) : (Object) dice.below(10));
        return ITERATOR.bindTo(list);
    }

    // Returns a handle of exactly the given type. Sometimes the object that it returns is no instance of the declared
    // result type.
    static MethodHandle returning(Dice dice, MethodType type) {
        Class<?> result = type.returnType();
        Object value = result == void.class ? null : dice.oneIn(12) ? Values.any(dice) : Values.of(dice, result);
        if (dice.oneIn(3)) {
            MethodHandle constant = result == void.class || value == null || !Values.box(result).isInstance(value)
                    ? MethodHandles.zero(result) : MethodHandles.constant(result, value);
            return MethodHandles.dropArguments(constant, 0, type.parameterList());
        }
        return ANSWER.bindTo(value).asCollector(Object[].class, type.parameterCount()).asType(type);
    }

    // --- drawn -------------------------------------------------------------------------------------------------------

    // Makes a handle that returns its argument.
    static MethodHandle tracing(Class<?> type) {
        for (MethodHandle each : PASSING) if (each.type().returnType() == type) return each;
        return MethodHandles.identity(type);
    }

    private static final List<MethodHandle> METHODS = new ArrayList<>();
    private static final List<MethodHandle> PASSING = new ArrayList<>();
    private static final List<MethodHandle> FIELDS = new ArrayList<>();
    static {
        try {
            Map<String, java.lang.reflect.Method> byName = new HashMap<>();
            for (java.lang.reflect.Method each : Targets.class.getDeclaredMethods()) byName.put(each.getName(), each);
            List<String> names = new ArrayList<>(byName.keySet());
            Collections.sort(names);
            for (String name : names) {
                MethodHandle found = LOOKUP.unreflect(byName.get(name));
                (name.startsWith("pass") ? PASSING : METHODS).add(found);
            }
            MethodType ofInt = MethodType.methodType(String.class, int.class);
            METHODS.add(LOOKUP.findVirtual(Values.Base.class, "twice", ofInt));
            METHODS.add(LOOKUP.findVirtual(Values.Derived.class, "twice", ofInt));
            METHODS.add(LOOKUP.findVirtual(Values.Base.class, "self", MethodType.methodType(Values.Base.class)));
            METHODS.add(LOOKUP.findVirtual(Values.Named.class, "name", MethodType.methodType(String.class)));
            METHODS.add(LOOKUP.findVirtual(String.class, "length", MethodType.methodType(int.class)));
            METHODS.add(LOOKUP.findVirtual(Integer.class, "longValue", MethodType.methodType(long.class)));
            METHODS.add(LOOKUP.findVirtual(int[].class, "clone", MethodType.methodType(Object.class)));
            METHODS.add(LOOKUP.findConstructor(Values.Base.class, MethodType.methodType(void.class, int.class)));
            METHODS.add(LOOKUP.findConstructor(Values.Derived.class,
                    MethodType.methodType(void.class, int.class, String.class)));
            METHODS.add(LOOKUP.findStatic(String.class, "format",
                    MethodType.methodType(String.class, String.class, Object[].class)));
            METHODS.add(LOOKUP.findStatic(Arrays.class, "asList", MethodType.methodType(List.class, Object[].class)));
            Field[] fields = Fields.class.getDeclaredFields();
            Arrays.sort(fields, (one, other) -> one.getName().compareTo(other.getName()));
            for (Field field : fields) {
                FIELDS.add(LOOKUP.unreflectGetter(field));
                if (!field.getName().startsWith("fixed")) FIELDS.add(LOOKUP.unreflectSetter(field));
            }
        } catch (ReflectiveOperationException exception) {
            throw new ExceptionInInitializerError(exception);
        }
    }

    MethodHandle any() {
        switch (dice.below(10)) {
            case 0: return said("field", dice.of(FIELDS));
            case 1: return said("pass", dice.of(PASSING));
            case 2: return constant();
            case 3: return array();
            case 4: {
                Class<?> type = dice.of(Values.ALL);
                return said("identity", MethodHandles.identity(type));
            }
            default: return said("method", dice.of(METHODS));
        }
    }

    private MethodHandle said(String what, MethodHandle handle) {
        text.append(" [").append(what).append(' ').append(handle.type()).append(']');
        return handle;
    }

    MethodHandle constant() {
        Class<?> type = dice.of(Values.ALL);
        Object value = dice.oneIn(6) ? Values.any(dice) : Values.of(dice, type);
        text.append(" constant ").append(type.getSimpleName()).append(' ').append(Values.show(value));
        switch (dice.below(4)) {
            case 0: return MethodHandles.zero(type);
            case 1: return MethodHandles.empty(MethodType.methodType(type, dice.of(Values.ALL)));
            default: return MethodHandles.constant(type, value);
        }
    }

    private MethodHandle array() {
        Class<?> array = dice.of(int[].class, long[].class, byte[].class, char[].class, String[].class, Object[].class,
                Values.Base[].class, Values.Named[].class, double[].class, boolean[].class);
        text.append(" array ").append(array.getSimpleName());
        switch (dice.below(4)) {
            case 0: return MethodHandles.arrayElementGetter(array);
            case 1: return MethodHandles.arrayElementSetter(array);
            case 2: return MethodHandles.arrayLength(array);
            default: {
                // Lengths stay below 100, because the error about a length that is far too large differs between VMs.
                return MethodHandles.filterArguments(MethodHandles.arrayConstructor(array), 0, SHORT);
            }
        }
    }

    static int shortened(int length) {
        return length % 100;
    }

    private static final MethodHandle SHORT = find("shortened", int.class, int.class);
}
