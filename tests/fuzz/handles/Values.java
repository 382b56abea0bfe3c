// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The types of the combinations, their values, and the code that shows a value. Each overload of `show` uses members of
// its static type. If a missing cast lets an object of another class through, `show` returns a wrong text or crashes.
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

final class Values {
    private Values() {}

    interface Named {
        String name();
    }

    static class Base {
        int number;

        Base(int number) {
            this.number = number;
        }

        String twice(int factor) {
            return "twice " + number * factor;
        }

        Base self() {
            return this;
        }
    }

    static class Derived extends Base implements Named {
        String more = "more";

        Derived(int number, String more) {
            super(number);
            this.more = more;
        }

        @Override
        String twice(int factor) {
            return "derived " + super.twice(factor);
        }

        @Override
        public String name() {
            return "named " + more;
        }
    }

    // Has the size of Base, but is no Base. If a missing cast lets a Stranger through as a Base, the output shows it.
    static final class Stranger {
        int pattern = 0x41414141;
    }

    static final Class<?>[] PRIMITIVES = {int.class, long.class, byte.class, short.class, char.class, boolean.class,
            float.class, double.class};
    static final Class<?>[] REFERENCES = {Object.class, String.class, Integer.class, Long.class, Short.class,
            Byte.class, Character.class, Boolean.class, Float.class, Double.class, Number.class, Comparable.class,
            Serializable.class, CharSequence.class, Named.class, Base.class, Derived.class, int[].class, long[].class,
            byte[].class, String[].class, Object[].class, Base[].class, Number[].class, List.class, Throwable.class,
            RuntimeException.class};
    static final Class<?>[] ALL = joined(PRIMITIVES, REFERENCES);

    private static Class<?>[] joined(Class<?>[] some, Class<?>[] more) {
        List<Class<?>> all = new ArrayList<>(Arrays.asList(some));
        all.addAll(Arrays.asList(more));
        return all.toArray(new Class<?>[0]);
    }

    static Class<?> box(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
    }

    // --- values ------------------------------------------------------------------------------------------------------

    private static final long[] NUMBERS = {0, 1, -1, 7, 65, 127, 128, 255, 256, -129, 32767, 32768, 65535, 65536,
            Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789ABCDEFL};
    private static final double[] REALS = {0.0, -0.0, 1.5, -1.5, 65.9, 1e10, -1e20, 1e300, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};

    // Returns a boxed value of the given primitive type.
    static Object primitive(Dice dice, Class<?> type) {
        long number = NUMBERS[dice.below(NUMBERS.length)];
        if (type == boolean.class) return dice.oneIn(2);
        if (type == char.class) return (char) number;
        if (type == byte.class) return (byte) number;
        if (type == short.class) return (short) number;
        if (type == int.class) return (int) number;
        if (type == long.class) return number;
        double real = REALS[dice.below(REALS.length)];
        return type == float.class ? (Object) (float) real : (Object) real;
    }

    // Returns a value of any class, or null.
    static Object any(Dice dice) {
        switch (dice.below(12)) {
            case 0: return null;
            case 1: case 2: case 3: return primitive(dice, dice.of(PRIMITIVES));
            case 4: return "text" + dice.below(3);
            case 5: return new Base(dice.below(5));
            case 6: return new Derived(dice.below(5), "d");
            case 7: return new Stranger();
            case 8: return array(dice, dice.of(int[].class, long[].class, byte[].class, String[].class, Object[].class,
                                               Base[].class, Number[].class, Derived[].class, Integer[].class));
            case 9: return new ArrayList<Object>(List.of(1, "two"));
            case 10: return new IllegalStateException("state");
            default: return dice.below(100);
        }
    }

    private static Object array(Dice dice, Class<?> type) {
        int length = dice.below(4);
        Object array = java.lang.reflect.Array.newInstance(type.getComponentType(), length);
        for (int i = 0; i < length; i++) {
            java.lang.reflect.Array.set(array, i, of(dice, type.getComponentType()));
        }
        return array;
    }

    // Returns a value that a variable of this static type may hold.
    static Object of(Dice dice, Class<?> type) {
        if (type.isPrimitive()) return primitive(dice, type);
        if (dice.oneIn(8)) return null;
        if (type == Object.class) return any(dice);
        if (type == Base.class) return dice.oneIn(2) ? new Base(dice.below(9)) : new Derived(dice.below(9), "b");
        if (type == Derived.class || type == Named.class) return new Derived(dice.below(9), "of");
        if (type.isArray()) {
            boolean narrow = type == Object[].class && dice.oneIn(3);
            return array(dice, narrow ? dice.of(String[].class, Integer[].class, Base[].class) : type);
        }
        if (type == Number.class) return primitive(dice, dice.of(int.class, long.class, byte.class, double.class));
        if (type == Comparable.class || type == Serializable.class) {
            return dice.oneIn(2) ? "comparable" : primitive(dice, dice.of(PRIMITIVES));
        }
        if (type == String.class || type == CharSequence.class) return "s" + dice.below(10);
        if (type == List.class || type == Iterable.class || type == Collection.class) return list(dice);
        if (type == Iterator.class) return list(dice).iterator();
        if (type == RuntimeException.class) return new IllegalStateException("given");
        if (type == Throwable.class || type == Exception.class) {
            return dice.oneIn(2) ? new Exception("given") : new IllegalArgumentException("given");
        }
        if (type == ByteBuffer.class) return ByteBuffer.allocateDirect(24);
        if (type == Fields.class) return new Fields();
        for (Class<?> each : PRIMITIVES) if (box(each) == type) return primitive(dice, each);
        return null;
    }

    private static List<Object> list(Dice dice) {
        List<Object> list = new ArrayList<>();
        for (int i = dice.below(4); i > 0; i--) list.add(dice.oneIn(3) ? any(dice) : (Object) dice.below(10));
        return list;
    }

    static Object[] of(Dice dice, Class<?>[] types) {
        Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) values[i] = of(dice, types[i]);
        return values;
    }

    // --- shown -------------------------------------------------------------------------------------------------------

    static String show(int value) { return "int " + value; }
    static String show(long value) { return "long " + value; }
    static String show(byte value) { return "byte " + value; }
    static String show(short value) { return "short " + value; }
    static String show(char value) { return "char " + (int) value; }
    static String show(boolean value) { return "boolean " + value; }
    static String show(float value) { return "float " + value; }
    static String show(double value) { return "double " + value; }
    static String show(Integer value) { return value == null ? "null" : "Integer " + value.intValue(); }
    static String show(Long value) { return value == null ? "null" : "Long " + value.longValue(); }
    static String show(Short value) { return value == null ? "null" : "Short " + value.shortValue(); }
    static String show(Byte value) { return value == null ? "null" : "Byte " + value.byteValue(); }
    static String show(Character value) { return value == null ? "null" : "Character " + (int) value.charValue(); }
    static String show(Boolean value) { return value == null ? "null" : "Boolean " + value.booleanValue(); }
    static String show(Float value) { return value == null ? "null" : "Float " + value.floatValue(); }
    static String show(Double value) { return value == null ? "null" : "Double " + value.doubleValue(); }
    static String show(String value) { return value == null ? "null" : "String " + value.length() + value; }
    static String show(CharSequence value) { return value == null ? "null" : "chars " + value.length(); }
    static String show(Named value) { return value == null ? "null" : value.name(); }
    static String show(Base value) { return value == null ? "null" : "Base " + value.number + value.twice(2); }
    static String show(Derived value) { return value == null ? "null" : "Derived " + value.number + value.more; }
    static String show(int[] value) { return Arrays.toString(value); }
    static String show(long[] value) { return Arrays.toString(value); }
    static String show(byte[] value) { return Arrays.toString(value); }
    static String show(String[] value) { return value == null ? "null" : "String[] " + show((Object[]) value); }
    static String show(Base[] value) { return value == null ? "null" : "Base[] " + show((Object[]) value); }
    static String show(Number[] value) { return value == null ? "null" : "Number[] " + show((Object[]) value); }

    // Leaves out messages that differ between VMs.
    static String show(Throwable value) {
        if (value == null) return "null";
        boolean isFree = value instanceof NullPointerException || value instanceof ClassCastException
                || value instanceof IncompatibleClassChangeError;
        return "thrown " + (isFree ? "" : value.getMessage());
    }

    static String show(Object[] values) {
        if (values == null) return "null";
        StringBuilder text = new StringBuilder(values.getClass().getComponentType().getSimpleName()).append("[]{");
        for (Object value : values) text.append(show(value)).append(' ');
        return text.append('}').toString();
    }

    // Shows a value whose static type has no overload of show. The class of the value decides the form.
    static String show(Object value) {
        if (value == null) return "null";
        if (value instanceof Derived) return show((Derived) value);
        if (value instanceof Base) return show((Base) value);
        if (value instanceof Object[]) return show((Object[]) value);
        if (value instanceof int[]) return show((int[]) value);
        if (value instanceof long[]) return show((long[]) value);
        if (value instanceof byte[]) return show((byte[]) value);
        if (value instanceof Throwable) return value.getClass().getSimpleName() + " " + show((Throwable) value);
        if (value instanceof ByteBuffer) {
            StringBuilder text = new StringBuilder(((ByteBuffer) value).isReadOnly() ? "read only" : "buffer");
            for (int i = 0; i < ((ByteBuffer) value).limit(); i++) text.append(' ').append(((ByteBuffer) value).get(i));
            return text.toString();
        }
        if (value instanceof Fields) return ((Fields) value).own();
        if (value instanceof List) return "list " + show(((List<?>) value).toArray());
        if (value instanceof Number || value instanceof Character || value instanceof Boolean) {
            return value.getClass().getSimpleName() + " " + (value instanceof Character ? (int) (char) value : value);
        }
        return value instanceof String ? show((String) value) : value.getClass().getSimpleName();
    }
}
