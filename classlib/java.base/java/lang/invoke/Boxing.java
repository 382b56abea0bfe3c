// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of method handle calls in their boxed form, and the conversions of asType and explicitCastArguments.
package java.lang.invoke;

final class Boxing {
    private Boxing() {}

    // The default value of a type: zero, false or null.
    static Object zero(Class<?> type) {
        if (!type.isPrimitive() || type == void.class) return null;
        if (type == int.class) return 0;
        if (type == long.class) return 0L;
        if (type == boolean.class) return Boolean.FALSE;
        if (type == double.class) return 0.0;
        if (type == float.class) return 0.0f;
        if (type == byte.class) return (byte) 0;
        if (type == short.class) return (short) 0;
        return (char) 0;
    }

    static Class<?> wrapper(Class<?> type) {
        if (!type.isPrimitive()) return type;
        if (type == int.class) return Integer.class;
        if (type == long.class) return Long.class;
        if (type == boolean.class) return Boolean.class;
        if (type == double.class) return Double.class;
        if (type == float.class) return Float.class;
        if (type == byte.class) return Byte.class;
        if (type == short.class) return Short.class;
        if (type == char.class) return Character.class;
        return Void.class;
    }

    static Class<?> primitive(Object boxed) {
        if (boxed instanceof Integer) return int.class;
        if (boxed instanceof Long) return long.class;
        if (boxed instanceof Boolean) return boolean.class;
        if (boxed instanceof Double) return double.class;
        if (boxed instanceof Float) return float.class;
        if (boxed instanceof Byte) return byte.class;
        if (boxed instanceof Short) return short.class;
        if (boxed instanceof Character) return char.class;
        return null;
    }

    // The wrapper of a primitive type for a value that natives deliver as 64 raw bits.
    static Object ofBits(char type, long bits) {
        switch (type) {
            case 'I': return (int) bits;
            case 'J': return bits;
            case 'Z': return (bits & 1) != 0;
            case 'D': return Double.longBitsToDouble(bits);
            case 'F': return Float.intBitsToFloat((int) bits);
            case 'B': return (byte) bits;
            case 'S': return (short) bits;
            case 'C': return (char) bits;
            default: return null;
        }
    }

    private static int rank(Class<?> type) {
        if (type == byte.class) return 1;
        if (type == short.class) return 2;
        if (type == char.class) return 2;
        if (type == int.class) return 3;
        if (type == long.class) return 4;
        if (type == float.class) return 5;
        if (type == double.class) return 6;
        return 0;
    }

    // Is it the identity or a widening conversion (JLS 5.1.2)?
    static boolean widens(Class<?> from, Class<?> to) {
        if (from == to) return true;
        int low = rank(from);
        int high = rank(to);
        return low != 0 && high > low && to != char.class;
    }

    // Java's cast between primitive types; booleans count as 0 and 1, a number becomes a boolean by its lowest bit.
    static Object castPrimitive(Object boxed, Class<?> to) {
        long whole = 0;
        double real = 0;
        boolean isReal = false;
        if (boxed instanceof Character) whole = (Character) boxed;
        else if (boxed instanceof Boolean) whole = (Boolean) boxed ? 1 : 0;
        else if (boxed instanceof Float || boxed instanceof Double) {
            isReal = true;
            real = ((Number) boxed).doubleValue();
        } else whole = ((Number) boxed).longValue();
        if (to == int.class) return isReal ? (int) real : (int) whole;
        if (to == long.class) return isReal ? (long) real : whole;
        if (to == double.class) return isReal ? real : (double) whole;
        if (to == float.class) return isReal ? (float) real : (float) whole;
        int small = isReal ? (int) real : (int) whole;
        if (to == byte.class) return (byte) small;
        if (to == short.class) return (short) small;
        if (to == char.class) return (char) small;
        return (small & 1) != 0;
    }

    static ClassCastException cannotCast(Object value, Class<?> type) {
        return new ClassCastException("Cannot cast " + value.getClass().getName() + " to " + type.getName());
    }

    // As in the JDK, an object that is no wrapper is first cast to Number, whose ClassCastException is the result.
    private static ClassCastException cannotConvert(Object value, Class<?> to) {
        Number number = (Number) value;
        return cannotCast(number, wrapper(to));
    }

    static Object cast(Object value, Class<?> type) {
        if (value != null && !type.isInstance(value)) throw cannotCast(value, type);
        return value;
    }

    // Checks a value that becomes a constant or a bound argument of this type. A primitive value must be there, and is
    // only widened.
    static Object fixed(Object value, Class<?> type) {
        if (!type.isPrimitive()) return cast(value, type);
        Class<?> given = value.getClass();
        Class<?> held = primitive(value);
        if (held == null || !widens(held, type)) {
            throw new ClassCastException(wrapper(type) + " is not compatible with " + given);
        }
        return held == type ? value : castPrimitive(value, type);
    }

    // Converts a boxed value of static type `from` to `to`, by the rules of `asType`.
    static Object convert(Object value, Class<?> from, Class<?> to) {
        if (from == to || to == Object.class && from != void.class) return value;
        if (to == void.class) return null;
        if (from == void.class) return zero(to);
        if (!to.isPrimitive()) return from.isPrimitive() ? value : cast(value, to);
        if (from.isPrimitive()) return castPrimitive(value, to);
        if (value == null) throw new NullPointerException("Cannot cast null to " + to.getName());
        Class<?> held = primitive(value);
        if (held == to) return value;
        if (held == null) throw cannotConvert(value, to);
        if (!widens(held, to)) throw cannotCast(value, wrapper(to));
        return castPrimitive(value, to);
    }

    // Converts by the rules of explicitCastArguments: narrowing is allowed, null becomes zero, interfaces are not
    // checked.
    static Object convertExplicitly(Object value, Class<?> from, Class<?> to) {
        if (from == to || to == Object.class && from != void.class) return value;
        if (to == void.class) return null;
        if (from == void.class) return zero(to);
        if (!to.isPrimitive()) return to.isInterface() ? value : cast(value, to);
        if (value == null) return zero(to);
        if (primitive(value) == null) throw cannotConvert(value, to);
        return castPrimitive(value, to);
    }
}
