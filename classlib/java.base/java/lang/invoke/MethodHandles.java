// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.MethodHandles: lookups and combinators. A combinator checks types here and makes an object of
// Adapters. MemberAccess decides what a lookup may access.
package java.lang.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.CallerSensitive;
import jdk.internal.reflect.Reflection;
import sun.invoke.util.VerifyAccess;

import static java.lang.invoke.MethodHandleInfo.*;

public class MethodHandles {
    private MethodHandles() {}

    // --- lookups -----------------------------------------------------------------------------------------------------

    @CallerSensitive
    public static Lookup lookup() {
        Class<?> caller = Reflection.getCallerClass();
        if (caller == null) throw new IllegalCallerException("no caller frame");
        return new Lookup(caller, null, Lookup.FULL_POWER_MODES);
    }

    public static Lookup publicLookup() {
        return Lookup.PUBLIC_LOOKUP;
    }

    public static Lookup privateLookupIn(Class<?> targetClass, Lookup caller) throws IllegalAccessException {
        return LookupModes.opened(targetClass, caller);
    }

    public static <T> T classData(Lookup caller, String name, Class<T> type) throws IllegalAccessException {
        boolean isOriginal = (caller.lookupModes() & Lookup.ORIGINAL) != 0;
        Objects.requireNonNull(type);
        if (!"_".equals(name)) throw new IllegalArgumentException("name must be \"_\": " + name);
        if (!isOriginal) throw new IllegalAccessException(caller + " does not have ORIGINAL access");
        return converted(SharedSecrets.getJavaLangAccess().classData(caller.lookupClass()), type);
    }

    public static <T> T classDataAt(Lookup caller, String name, Class<T> type, int index)
            throws IllegalAccessException {
        List<?> all = classData(caller, name, List.class);
        if (all == null) return null;
        Object data = all.get(index);
        return converted(type.isPrimitive() ? Objects.requireNonNull(data) : data, type);
    }

    @SuppressWarnings("unchecked")
    private static <T> T converted(Object data, Class<T> type) {
        return data == null ? null : (T) Boxing.convert(data, Object.class, type);
    }

    public static <T extends Member> T reflectAs(Class<T> expected, MethodHandle target) {
        return Lookup.IMPL_LOOKUP.revealDirect(target).reflectAs(expected, Lookup.IMPL_LOOKUP);
    }

    // --- arrays ------------------------------------------------------------------------------------------------------

    private static Class<?> elementOf(Class<?> arrayClass) {
        Class<?> element = arrayClass.getComponentType();
        if (element == null) throw new IllegalArgumentException("not an array: " + arrayClass);
        return element;
    }

    public static MethodHandle arrayConstructor(Class<?> arrayClass) throws IllegalArgumentException {
        if (!arrayClass.isArray()) throw new IllegalArgumentException("not an array class: " + arrayClass.getName());
        return new Adapters.ArrayAccess(MethodType.methodType(arrayClass, int.class), Adapters.CREATE,
                arrayClass.getComponentType());
    }

    public static MethodHandle arrayLength(Class<?> arrayClass) throws IllegalArgumentException {
        Class<?> element = elementOf(arrayClass);
        return new Adapters.ArrayAccess(MethodType.methodType(int.class, arrayClass), Adapters.LENGTH, element);
    }

    public static MethodHandle arrayElementGetter(Class<?> arrayClass) throws IllegalArgumentException {
        Class<?> element = elementOf(arrayClass);
        return new Adapters.ArrayAccess(MethodType.methodType(element, arrayClass, int.class), Adapters.GET, element);
    }

    public static MethodHandle arrayElementSetter(Class<?> arrayClass) throws IllegalArgumentException {
        Class<?> element = elementOf(arrayClass);
        return new Adapters.ArrayAccess(MethodType.methodType(void.class, arrayClass, int.class, element), Adapters.SET,
                                        element);
    }

    public static VarHandle arrayElementVarHandle(Class<?> arrayClass) throws IllegalArgumentException {
        elementOf(arrayClass);
        return new ArrayVarHandle(arrayClass, false);
    }

    private static Class<?> viewedType(Class<?> viewArrayClass) {
        Class<?> view = elementOf(viewArrayClass);
        if (!view.isPrimitive() || view == boolean.class || view == byte.class) {
            throw new UnsupportedOperationException();
        }
        return view;
    }

    public static VarHandle byteArrayViewVarHandle(Class<?> viewArrayClass, ByteOrder byteOrder)
            throws IllegalArgumentException {
        Objects.requireNonNull(byteOrder);
        return new ByteViewVarHandle(byte[].class, viewedType(viewArrayClass), byteOrder == ByteOrder.BIG_ENDIAN,
                                     false);
    }

    public static VarHandle byteBufferViewVarHandle(Class<?> viewArrayClass, ByteOrder byteOrder)
            throws IllegalArgumentException {
        Objects.requireNonNull(byteOrder);
        return new ByteViewVarHandle(java.nio.ByteBuffer.class, viewedType(viewArrayClass),
                                     byteOrder == ByteOrder.BIG_ENDIAN, false);
    }

    // --- variable handles over others: of libraries from 22 on -------------------------------------------------------

    public static VarHandle filterValue(VarHandle target, MethodHandle filterToTarget, MethodHandle filterFromTarget) {
        return DerivedVarHandle.filterValue(target, filterToTarget, filterFromTarget);
    }

    public static VarHandle filterCoordinates(VarHandle target, int pos, MethodHandle... filters) {
        return DerivedVarHandle.filterCoordinates(target, pos, filters);
    }

    public static VarHandle insertCoordinates(VarHandle target, int pos, Object... values) {
        return DerivedVarHandle.insertCoordinates(target, pos, values);
    }

    public static VarHandle permuteCoordinates(VarHandle target, List<Class<?>> newCoordinates, int... reorder) {
        return DerivedVarHandle.permuteCoordinates(target, newCoordinates, reorder);
    }

    public static VarHandle collectCoordinates(VarHandle target, int pos, MethodHandle filter) {
        return DerivedVarHandle.collectCoordinates(target, pos, filter);
    }

    public static VarHandle dropCoordinates(VarHandle target, int pos, Class<?>... valueTypes) {
        return DerivedVarHandle.dropCoordinates(target, pos, valueTypes);
    }

    // --- invokers ----------------------------------------------------------------------------------------------------

    public static MethodHandle spreadInvoker(MethodType type, int leadingArgCount) {
        if (leadingArgCount < 0 || leadingArgCount > type.parameterCount()) {
            throw new IllegalArgumentException("bad argument count: " + leadingArgCount);
        }
        // Spread values are adapted directly to the called handle's types, not first to those of `type`.
        Class<?>[] parameters = type.parameterArray();
        Arrays.fill(parameters, leadingArgCount, parameters.length, Object.class);
        MethodType spread = MethodType.methodType(type.returnType(), parameters);
        int count = type.parameterCount() - leadingArgCount;
        // An invoker also takes the handle, so it has room for one slot less than a handle.
        if (type.parameterSlotCount() > 253) return new Adapters.SpreadInvoker(spread, leadingArgCount, count);
        return invoker(spread).asSpreader(Object[].class, count);
    }

    public static MethodHandle exactInvoker(MethodType type) {
        return new Adapters.Invoker(type, true);
    }

    public static MethodHandle invoker(MethodType type) {
        return new Adapters.Invoker(type, false);
    }

    public static MethodHandle varHandleExactInvoker(VarHandle.AccessMode accessMode, MethodType type) {
        return new Adapters.VarAccess(null, Objects.requireNonNull(accessMode), type, true);
    }

    public static MethodHandle varHandleInvoker(VarHandle.AccessMode accessMode, MethodType type) {
        return new Adapters.VarAccess(null, Objects.requireNonNull(accessMode), type, false);
    }

    // --- conversions -------------------------------------------------------------------------------------------------

    public static MethodHandle explicitCastArguments(MethodHandle target, MethodType newType) {
        MethodType oldType = target.type();
        if (oldType.equals(newType)) return target;
        if (oldType.parameterCount() != newType.parameterCount()) {
            throw new WrongMethodTypeException("cannot explicitly cast " + target + " to " + newType);
        }
        return new Adapters.Convert(target.asFixedArity(), newType, true);
    }

    public static MethodHandle permuteArguments(MethodHandle target, MethodType newType, int... reorder) {
        int[] sources = reorder.clone();
        checkReordering(target.type(), newType, sources);
        return new Adapters.Permute(target.asFixedArity(), newType, sources);
    }

    static void checkReordering(MethodType oldType, MethodType newType, int[] sources) {
        Class<?>[] wanted = oldType.parameterArray();
        Class<?>[] given = newType.parameterArray();
        if (newType.returnType() != oldType.returnType()) throw doNotMatch("return types", oldType, newType);
        if (sources.length != wanted.length) {
            throw doNotMatch("old type parameter count and reorder array length", oldType, Arrays.toString(sources));
        }
        int next = 0;
        for (int source : sources) {
            if (source < 0 || source >= given.length) {
                throw new IllegalArgumentException("index is out of bounds for new type: " + source + ", " + newType);
            }
            if (given[source] != wanted[next++]) {
                throw new IllegalArgumentException("parameter types do not match after reorder: " + oldType + ", "
                        + newType);
            }
        }
    }

    // The following two make messages of two styles, as the JDK does.
    private static IllegalArgumentException doNotMatch(String what, Object first, Object second) {
        return new IllegalArgumentException(what + " do not match: " + first + ", " + second);
    }

    static IllegalArgumentException mustMatch(String what, Object first, Object second) {
        return new IllegalArgumentException(what + " must match: " + first + " != " + second);
    }

    // --- constants ---------------------------------------------------------------------------------------------------

    public static MethodHandle constant(Class<?> type, Object value) {
        if (type == void.class) throw new IllegalArgumentException("void type");
        return new Adapters.Constant(MethodType.methodType(type), Boxing.fixed(value, type));
    }

    public static MethodHandle identity(Class<?> type) {
        return new Adapters.Identity(MethodType.methodType(type, type));
    }

    public static MethodHandle zero(Class<?> type) {
        return new Adapters.Constant(MethodType.methodType(type), Boxing.zero(type));
    }

    public static MethodHandle empty(MethodType type) {
        return new Adapters.Constant(type, Boxing.zero(type.returnType()));
    }

    public static MethodHandle throwException(Class<?> returnType, Class<? extends Throwable> exType) {
        checkThrowable(exType);
        return new Adapters.Throw(MethodType.methodType(returnType, exType));
    }

    // --- inserting and dropping --------------------------------------------------------------------------------------

    public static MethodHandle insertArguments(MethodHandle target, int pos, Object... values) {
        MethodType type = target.type();
        int last = type.parameterCount() - values.length;    // the last possible position of the first value
        if (last < 0) throw new IllegalArgumentException("too many values to insert");
        if (pos < 0 || pos > last) throw new IllegalArgumentException("no argument type to append");
        if (values.length == 0) return target;
        Object[] fixed = new Object[values.length];
        int parameter = pos;
        for (Object value : values) {
            fixed[parameter - pos] = Boxing.fixed(value, type.parameterType(parameter));
            parameter++;
        }
        return bindChecked(target, pos, fixed);
    }

    static MethodHandle bindChecked(MethodHandle target, int pos, Object[] values) {
        return new Adapters.Bound(target.asFixedArity(), target.type().dropParameterTypes(pos, pos + values.length),
                                  pos, values);
    }

    public static MethodHandle dropArguments(MethodHandle target, int pos, List<Class<?>> valueTypes) {
        return dropArguments(target, pos, valueTypes.toArray(new Class<?>[0]));
    }

    public static MethodHandle dropArguments(MethodHandle target, int pos, Class<?>... valueTypes) {
        List<Class<?>> dropped = Arrays.asList(valueTypes.clone());
        MethodType type = target.type();
        int kept = type.parameterCount();
        if (pos < 0 || pos > kept) {
            throw new IllegalArgumentException("no argument type to remove"
                    + Arrays.asList(type, pos, ReleaseBehaviour.printed(valueTypes), kept + dropped.size(), kept));
        }
        if (dropped.isEmpty()) return target;
        int[] sources = skipping(kept, pos, dropped.size());
        return new Adapters.Permute(target.asFixedArity(), type.insertParameterTypes(pos, dropped), sources);
    }

    // The order for dropping arguments: sources of `kept` arguments, when those in [pos, pos + dropped) are not used.
    private static int[] skipping(int kept, int pos, int dropped) {
        int[] sources = new int[kept];
        for (int i = 0; i < pos; i++) sources[i] = i;
        for (int i = pos; i < kept; i++) sources[i] = dropped + i;
        return sources;
    }

    // The result's arguments from `skip` on are `newTypes`. The target takes the arguments from `pos` of these on, as
    // many as it has parameters.
    public static MethodHandle dropArgumentsToMatch(MethodHandle target, int skip, List<Class<?>> newTypes, int pos) {
        List<Class<?>> all = target.type().parameterList();
        List<Class<?>> given = Arrays.asList(newTypes.toArray(new Class<?>[0]));
        if (skip < 0 || skip > all.size()) throw new IllegalArgumentException("illegal skip: " + skip + ", " + target);
        if (pos < 0 || pos > given.size()) throw new IllegalArgumentException("illegal pos: " + pos + ", " + given);
        List<Class<?>> taken = all.subList(skip, all.size());
        if (!startsWith(given.subList(pos, given.size()), taken)) throw doNotMatch("argument lists", taken, given);
        MethodType type = target.type().dropParameterTypes(skip, all.size()).appendParameterTypes(given);
        if (given.size() == taken.size()) return target;
        return new Adapters.Permute(target.asFixedArity(), type, skipping(all.size(), skip, pos));
    }

    static boolean startsWith(List<Class<?>> types, List<Class<?>> prefix) {
        return prefix.size() <= types.size() && types.subList(0, prefix.size()).equals(prefix);
    }

    // Whether the handler's parameters, without the first `own` ones, are the first parameters of the target.
    private static boolean followsTarget(MethodType handler, int own, MethodType target) {
        return startsWith(target.parameterList(), handler.parameterList().subList(own, handler.parameterCount()));
    }

    public static MethodHandle dropReturn(MethodHandle target) {
        Objects.requireNonNull(target);
        MethodType type = target.type();
        if (type.returnType() == void.class) return target;
        return new Adapters.Convert(target.asFixedArity(), type.changeReturnType(void.class), false);
    }

    // --- filtering and folding ---------------------------------------------------------------------------------------

    // As in the JDK, a position before the first parameter fails only at the first filter that is not null.
    public static MethodHandle filterArguments(MethodHandle target, int pos, MethodHandle... filters) {
        MethodHandle[] used = filters.clone();
        MethodType type = target.type();
        if (pos + used.length > type.parameterCount()) throw new IllegalArgumentException("too many filters");
        MethodType filtered = type;
        boolean hasNone = true;
        for (int i = 0; i < used.length; i++) {
            MethodHandle filter = used[i];
            if (filter == null) continue;
            hasNone = false;
            boolean isUnary = filter.type().parameterCount() == 1;
            if (!isUnary || filter.type().returnType() != type.parameterType(pos + i)) {
                throw doNotMatch("target and filter types", type, filter.type());
            }
            filtered = filtered.changeParameterType(pos + i, filter.type().parameterType(0));
            used[i] = filter.asFixedArity();
        }
        return hasNone ? target : new Adapters.FilterArguments(target.asFixedArity(), filtered, pos, used);
    }

    public static MethodHandle collectArguments(MethodHandle target, int pos, MethodHandle filter) {
        MethodType targetType = target.type();
        MethodType filterType = filter.type();
        int results = resultsOf(filterType);
        if (pos < 0 || pos > targetType.parameterCount() - results) {
            throw new IllegalArgumentException("position is out of range for target: " + target + ", " + pos);
        }
        if (results == 1 && targetType.parameterType(pos) != filterType.returnType()) {
            throw doNotMatch("target and filter types", targetType, filterType);
        }
        MethodType newType = targetType.dropParameterTypes(pos, pos + results).insertParameterTypes(pos,
                filterType.parameterList());
        return new Adapters.Combine(target.asFixedArity(), newType, filter.asFixedArity(), pos, false);
    }

    private static int resultsOf(MethodType type) {
        return type.returnType() == void.class ? 0 : 1;
    }

    // The result as a list of types that a filter takes: empty for void.
    private static List<Class<?>> resultList(MethodType type) {
        return type.returnType() == void.class ? List.of() : List.of(type.returnType());
    }

    public static MethodHandle filterReturnValue(MethodHandle target, MethodHandle filter) {
        MethodType targetType = target.type();
        MethodType filterType = filter.type();
        if (!filterType.parameterList().equals(resultList(targetType))) {
            throw doNotMatch("target and filter types", targetType, filterType);
        }
        return new Adapters.FilterReturn(target.asFixedArity(), targetType.changeReturnType(filterType.returnType()),
                                         filter.asFixedArity());
    }

    // Makes filter(b..., target(a...)), a handle of (a..., b...).
    static MethodHandle collectReturnValue(MethodHandle target, MethodHandle filter) {
        MethodType targetType = target.type();
        int more = filter.type().parameterCount() - 1;
        if (targetType.returnType() != filter.type().parameterType(more)) {
            throw doNotMatch("target and filter types", targetType, filter.type());
        }
        MethodType newType = targetType.changeReturnType(filter.type().returnType())
                                     .appendParameterTypes(filter.type().parameterList().subList(0, more));
        return new Adapters.FilterReturn(target.asFixedArity(), newType, filter.asFixedArity());
    }

    public static MethodHandle foldArguments(MethodHandle target, MethodHandle combiner) {
        return foldArguments(target, 0, combiner);
    }

    // The target takes the combiner's result and then at least the combiner's arguments. A combiner without result and
    // arguments fits anywhere.
    public static MethodHandle foldArguments(MethodHandle target, int pos, MethodHandle combiner) {
        MethodType type = target.type();
        List<Class<?>> wanted = new ArrayList<>(resultList(combiner.type()));
        int results = wanted.size();
        wanted.addAll(combiner.type().parameterList());
        boolean fits = pos + wanted.size() <= type.parameterCount();
        for (int i = results; fits && i < wanted.size(); i++) fits = wanted.get(i) == type.parameterType(pos + i);
        if (fits && results == 1) fits = wanted.get(0) == type.parameterType(pos);
        if (!fits) throw mustMatch("target and combiner types", type, combiner.type());
        int place = wanted.isEmpty() ? 0 : pos;
        return new Adapters.Combine(target.asFixedArity(), type.dropParameterTypes(place, place + results),
                combiner.asFixedArity(), place, true);
    }

    static MethodHandle filterArgumentsWithCombiner(MethodHandle target, int position, MethodHandle combiner,
                                                    int... argPositions) {
        return new Adapters.CombineChosen(target, target.type(), combiner, position, argPositions.clone(), false);
    }

    static MethodHandle foldArgumentsWithCombiner(MethodHandle target, int position, MethodHandle combiner,
                                                  int... argPositions) {
        MethodType type = target.type();
        if (combiner.type().returnType() != void.class) type = type.dropParameterTypes(position, position + 1);
        return new Adapters.CombineChosen(target, type, combiner, position, argPositions.clone(), true);
    }

    // --- control flow ------------------------------------------------------------------------------------------------

    public static MethodHandle guardWithTest(MethodHandle test, MethodHandle target, MethodHandle fallback) {
        MethodType guard = test.type();
        MethodType type = target.type();
        if (!fallback.type().equals(type)) throw mustMatch("target and fallback types", type, fallback.type());
        if (guard.returnType() != boolean.class) {
            throw new IllegalArgumentException("guard type is not a predicate " + guard);
        }
        if (!followsTarget(guard, 0, type)) throw mustMatch("target and test types", type, guard);
        return new Adapters.Guard(test.asFixedArity(), target.asFixedArity(), fallback.asFixedArity());
    }

    public static MethodHandle catchException(MethodHandle target, Class<? extends Throwable> exType,
                                              MethodHandle handler) {
        MethodType type = target.type();
        MethodType handling = handler.type();
        checkThrowable(exType);
        boolean takesIt = handling.parameterCount() > 0 && handling.parameterType(0).isAssignableFrom(exType);
        if (!takesIt) throw new IllegalArgumentException("handler does not accept exception type " + exType);
        if (handling.returnType() != type.returnType()) {
            throw mustMatch("target and handler return types", type, handling);
        }
        if (!followsTarget(handling, 1, type)) throw mustMatch("target and handler types", type, handling);
        MethodHandle.checkSlots(type.parameterSlotCount() + 1);    // for a handler that takes all arguments
        return new Adapters.Catch(target.asFixedArity(), exType, handler.asFixedArity());
    }

    // The generics guarantee a Throwable, but a raw call may pass another class.
    private static void checkThrowable(Class<?> type) {
        if (!Throwable.class.isAssignableFrom(type)) throw new ClassCastException(type.getName());
    }

    // Calls cleanup(thrown, result, arguments...). MethodType rejects a cleanup without the first two parameters.
    public static MethodHandle tryFinally(MethodHandle target, MethodHandle cleanup) {
        MethodType type = target.type();
        MethodType cleaning = cleanup.type();
        Class<?> result = type.returnType();
        if (result != cleaning.returnType()) throw mustMatch("target and return types", cleaning.returnType(), result);
        if (!Throwable.class.isAssignableFrom(cleaning.parameterType(0))) {
            throw mustMatch("cleanup first argument and Throwable", cleaning, Throwable.class);
        }
        int own = 1 + resultsOf(type);
        if (own == 2 && cleaning.parameterType(1) != result) {
            throw mustMatch("cleanup second argument and target return type", cleaning, result);
        }
        if (!followsTarget(cleaning, own, type)) {
            throw mustMatch("cleanup parameters after (Throwable,result) and target parameter list prefix", cleaning,
                    type);
        }
        int taken = MethodType.methodType(void.class, cleaning.parameterList().subList(0, own)).parameterSlotCount();
        MethodHandle.checkSlots(type.parameterSlotCount() + 1);
        MethodHandle.checkSlots(type.parameterSlotCount() + taken);    // for a cleanup that takes all arguments
        return new Adapters.Finally(target.asFixedArity(), cleanup.asFixedArity());
    }

    public static MethodHandle tableSwitch(MethodHandle fallback, MethodHandle... targets) {
        MethodType type = fallback.type();
        MethodHandle[] cases = targets.clone();
        String complaint = cases.length == 0 ? "Not enough cases"
                : type.parameterList().indexOf(int.class) != 0 ? "Case actions must have int as leading parameter"
                : null;
        for (int i = 0; i < cases.length && complaint == null; i++) {
            if (!cases[i].type().equals(type)) complaint = "Case actions must have the same type";
            cases[i] = cases[i].asFixedArity();
        }
        if (complaint != null) throw new IllegalArgumentException(complaint + ": " + Arrays.toString(targets));
        MethodHandle.checkSlots(type.parameterSlotCount() + 1);    // with all cases
        return new Adapters.TableSwitch(fallback.asFixedArity(), cases);
    }

    public static MethodHandle loop(MethodHandle[]... clauses) {
        return Loops.loop(clauses);
    }

    public static MethodHandle whileLoop(MethodHandle init, MethodHandle pred, MethodHandle body) {
        return Loops.whileLoop(init, pred, body);
    }

    public static MethodHandle doWhileLoop(MethodHandle init, MethodHandle body, MethodHandle pred) {
        return Loops.doWhileLoop(init, body, pred);
    }

    public static MethodHandle countedLoop(MethodHandle iterations, MethodHandle init, MethodHandle body) {
        return Loops.countedLoop(empty(iterations.type()), iterations, init, body);
    }

    public static MethodHandle countedLoop(MethodHandle start, MethodHandle end, MethodHandle init, MethodHandle body) {
        return Loops.countedLoop(start, end, init, body);
    }

    public static MethodHandle iteratedLoop(MethodHandle iterator, MethodHandle init, MethodHandle body) {
        return Loops.iteratedLoop(iterator, init, body);
    }

    // Drops arguments at the end until the handle takes exactly `types`; null when that is impossible.
    static MethodHandle extend(MethodHandle target, Class<?>[] types) {
        List<Class<?>> given = Arrays.asList(types);
        return startsWith(given, target.type().parameterList()) ? dropArgumentsToMatch(target, 0, given, 0) : null;
    }

    // --- Lookup ------------------------------------------------------------------------------------------------------

    public static final class Lookup {
        public static final int PUBLIC = 0x01;
        public static final int PRIVATE = 0x02;
        public static final int PROTECTED = 0x04;
        public static final int PACKAGE = 0x08;
        public static final int MODULE = 0x10;
        public static final int UNCONDITIONAL = 0x20;
        public static final int ORIGINAL = 0x40;

        static final int ALL_MODES = PUBLIC | PRIVATE | PROTECTED | PACKAGE | MODULE | UNCONDITIONAL | ORIGINAL;
        static final int FULL_POWER_MODES = ALL_MODES & ~UNCONDITIONAL;
        static final int TRUSTED = -1;

        static final Lookup IMPL_LOOKUP = new Lookup(Object.class, null, TRUSTED);
        static final Lookup PUBLIC_LOOKUP = new Lookup(Object.class, null, UNCONDITIONAL);

        private final Class<?> lookupClass;
        private final Class<?> prevLookupClass;
        final int allowedModes;
        final MemberAccess access;

        Lookup(Class<?> lookupClass, Class<?> prevLookupClass, int allowedModes) {
            this.lookupClass = lookupClass;
            this.prevLookupClass = prevLookupClass;
            this.allowedModes = allowedModes;
            this.access = new MemberAccess(this);
        }

        public enum ClassOption {
            NESTMATE(0x1),
            STRONG(0x4);

            private final int flag;

            ClassOption(int flag) {
                this.flag = flag;
            }
        }

        public Class<?> lookupClass() {
            return lookupClass;
        }

        public Class<?> previousLookupClass() {
            return prevLookupClass;
        }

        public int lookupModes() {
            return allowedModes & ALL_MODES;
        }

        public Lookup in(Class<?> requestedLookupClass) {
            LookupModes.checkHasMembers(requestedLookupClass);
            if (allowedModes == TRUSTED) return new Lookup(requestedLookupClass, null, FULL_POWER_MODES);
            if (requestedLookupClass == lookupClass) return this;
            return LookupModes.moved(this, requestedLookupClass);
        }

        public Lookup dropLookupMode(int modeToDrop) {
            int left = LookupModes.without(lookupModes(), modeToDrop);
            return left == lookupModes() ? this : new Lookup(lookupClass, prevLookupClass, left);
        }

        @Deprecated(since = "14")
        public boolean hasPrivateAccess() {
            return hasFullPrivilegeAccess();
        }

        public boolean hasFullPrivilegeAccess() {
            return (allowedModes & (PRIVATE | MODULE)) == (PRIVATE | MODULE);
        }

        // The text has the names of the classes, then the most significant mode.
        @Override
        public String toString() {
            if (allowedModes == TRUSTED) return "/trusted";
            String previous = prevLookupClass == null ? "" : "/" + prevLookupClass.getName();
            return lookupClass.getName() + previous + LookupModes.suffix(allowedModes);
        }

        // --- defining classes ---

        public Class<?> defineClass(byte[] bytes) throws IllegalAccessException {
            if ((lookupModes() & PACKAGE) == 0) throw new IllegalAccessException("Lookup does not have PACKAGE access");
            byte[] copy = bytes.clone();
            String name = ClassDefinition.nameInPackageOf(lookupClass, copy);
            return SharedSecrets.getJavaLangAccess().defineClass(lookupClass.getClassLoader(), lookupClass, name, copy,
                                                                 domain(), false, 0, null);
        }

        public Lookup defineHiddenClass(byte[] bytes, boolean initialize, ClassOption... options)
                throws IllegalAccessException {
            return defineHidden(bytes, null, initialize, options);
        }

        public Lookup defineHiddenClassWithClassData(byte[] bytes, Object classData, boolean initialize,
                                                     ClassOption... options) throws IllegalAccessException {
            Objects.requireNonNull(classData);
            return defineHidden(bytes, classData, initialize, options);
        }

        private Lookup defineHidden(byte[] bytes, Object classData, boolean initialize, ClassOption[] options)
                throws IllegalAccessException {
            Objects.requireNonNull(bytes);
            Objects.requireNonNull(options);
            if (!hasFullPrivilegeAccess())
                throw new IllegalAccessException(this + " does not have full privilege access");
            byte[] copy = bytes.clone();
            String name = ClassDefinition.nameInPackageOf(lookupClass, copy);
            int flags = 0x2;    // HIDDEN_CLASS
            for (ClassOption option : options) {
                int joined = flags | option.flag;
                if (joined == flags) throw new IllegalArgumentException("duplicate element: " + option);
                flags = joined;
            }
            Class<?> defined = SharedSecrets.getJavaLangAccess().defineClass(
                    lookupClass.getClassLoader(), lookupClass, name, copy, domain(), initialize, flags, classData);
            return new Lookup(defined, null, FULL_POWER_MODES);
        }

        private ProtectionDomain domain() {
            return SharedSecrets.getJavaLangAccess().protectionDomain(lookupClass);
        }

        // --- classes ---

        public Class<?> findClass(String targetName) throws ClassNotFoundException, IllegalAccessException {
            Class<?> found = Class.forName(targetName, false, lookupClass.getClassLoader());
            return accessClass(found);
        }

        public Class<?> ensureInitialized(Class<?> targetClass) throws IllegalAccessException {
            LookupModes.checkHasMembers(targetClass);
            if (!VerifyAccess.isClassAccessible(targetClass, lookupClass, prevLookupClass, allowedModes)) {
                throw MemberName.accessException("access violation", String.valueOf(targetClass), this);
            }
            Unsafe.getUnsafe().ensureClassInitialized(targetClass);
            return targetClass;
        }

        public Class<?> accessClass(Class<?> targetClass) throws IllegalAccessException {
            if (!access.isClassAccessible(targetClass))
                throw MemberName.accessException("access violation", String.valueOf(targetClass), this);
            return targetClass;
        }

        // --- finding methods ---

        public MethodHandle findStatic(Class<?> refc, String name, MethodType type)
                throws NoSuchMethodException, IllegalAccessException {
            return direct(REF_invokeStatic, refc, checked(access.resolve(REF_invokeStatic, refc, name, type)));
        }

        public MethodHandle findVirtual(Class<?> refc, String name, MethodType type)
                throws NoSuchMethodException, IllegalAccessException {
            if (refc == MethodHandle.class) {
                if ("invoke".equals(name)) return invoker(type);
                if ("invokeExact".equals(name)) return exactInvoker(type);
            } else if (refc == VarHandle.class) {
                VarHandle.AccessMode mode = VarHandle.AccessMode.named(name);
                if (mode != null) return varHandleInvoker(mode, type);
            }
            int kind = refc.isInterface() ? REF_invokeInterface : REF_invokeVirtual;
            return direct(kind, refc, checked(access.resolve(kind, refc, name, type)));
        }

        public MethodHandle findConstructor(Class<?> refc, MethodType type)
                throws NoSuchMethodException, IllegalAccessException {
            if (refc.isArray()) throw new NoSuchMethodException("no constructor for array class: " + refc.getName());
            return direct(REF_newInvokeSpecial, refc, access.resolve(REF_newInvokeSpecial, refc, "<init>", type));
        }

        public MethodHandle findSpecial(Class<?> refc, String name, MethodType type, Class<?> specialCaller)
                throws NoSuchMethodException, IllegalAccessException {
            access.checkSpecialCaller(specialCaller, refc);
            Lookup special = in(specialCaller);
            return special.direct(REF_invokeSpecial, refc,
                    checked(special.access.resolve(REF_invokeSpecial, refc, name, type)));
        }

        public MethodHandle bind(Object receiver, String name, MethodType type)
                throws NoSuchMethodException, IllegalAccessException {
            Class<?> refc = receiver.getClass();
            MemberName method = checked(access.resolve(REF_invokeSpecial, refc, name, type));
            access.checkMethod(REF_invokeSpecial, refc, method);
            Class<?> holder = access.holderOfSpecial(refc);
            MethodHandle handle = DirectMethodHandle.make(method, access.restrictsReceiver(method, holder)
                    ? access.restricted(method, holder) : holder);
            if (!handle.type().leadingReferenceParameter().isInstance(receiver)) {
                throw new IllegalAccessException("The restricted defining class "
                                                 + handle.type().parameterType(0).getName()
                                                 + " is not assignable from receiver class " + refc.getName());
            }
            MethodHandle bound = bindChecked(handle.asFixedArity(), 0, new Object[] {receiver});
            return handle.isVarargsCollector() ? bound.withVarargs(true) : bound;
        }

        private MemberName checked(MemberName method) throws IllegalAccessException {
            access.checkCallerSensitive(method);
            return method;
        }

        private MethodHandle direct(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
            MethodHandle handle = accessible(kind, refc, member);
            if (member.isCallerSensitive()) ((DirectMethodHandle) handle.asFixedArity()).caller = lookupClass;
            return handle;
        }

        // Checks access and makes the handle.
        private MethodHandle accessible(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
            access.checkMethod(kind, refc, member);
            MemberName method = member.withKind(kind);
            if (kind == REF_invokeStatic || kind == REF_newInvokeSpecial) {
                return DirectMethodHandle.make(method, null);
            }
            if (kind == REF_invokeSpecial) return special(refc, method, member.kind);
            Class<?> receiver = access.restrictsReceiver(method, refc) ? access.restricted(method, refc) : refc;
            if (kind == REF_invokeInterface && method.clazz == Object.class)
                method = method.withKind(REF_invokeVirtual);
            if (kind == REF_invokeVirtual && method.clazz.isInterface()) method = method.declaredIn(refc);
            return DirectMethodHandle.make(method, receiver);
        }

        // `foundKind`: the kind of call that the member would have without the lookup class.
        private MethodHandle special(Class<?> refc, MemberName member, int foundKind) throws IllegalAccessException {
            if (allowedModes == TRUSTED) return DirectMethodHandle.make(member, refc);
            if (Modifier.isAbstract(member.flags)) throw new AbstractMethodError(member.withKind(foundKind).toString());
            MemberName method = access.selectSpecial(refc, member);
            // An array is a subclass of Object only. If the method was found in another class, the array is refused, as
            // by java.
            if (refc.isArray() && method.clazz != Object.class) throw new InternalError(method.toString());
            if (!method.clazz.isAssignableFrom(lookupClass)) {
                throw method.accessException("caller class must be a subclass below the method", lookupClass);
            }
            return DirectMethodHandle.make(method, lookupClass.isAssignableFrom(refc) ? refc : lookupClass);
        }

        // --- finding fields ---

        private MethodHandle field(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
            access.checkField(kind, refc, member);
            Class<?> receiver = !member.isStatic() && access.restrictsReceiver(member, refc)
                    ? access.restricted(member, refc) : refc;
            return FieldHandle.make(member, receiver);
        }

        public MethodHandle findGetter(Class<?> refc, String name, Class<?> type)
                throws NoSuchFieldException, IllegalAccessException {
            return field(REF_getField, refc, access.resolveField(false, refc, name, type, REF_getField));
        }

        public MethodHandle findSetter(Class<?> refc, String name, Class<?> type)
                throws NoSuchFieldException, IllegalAccessException {
            return field(REF_putField, refc, access.resolveField(true, refc, name, type, REF_putField));
        }

        public MethodHandle findStaticGetter(Class<?> refc, String name, Class<?> type)
                throws NoSuchFieldException, IllegalAccessException {
            return field(REF_getStatic, refc, access.resolveField(false, refc, name, type, REF_getStatic));
        }

        public MethodHandle findStaticSetter(Class<?> refc, String name, Class<?> type)
                throws NoSuchFieldException, IllegalAccessException {
            return field(REF_putStatic, refc, access.resolveField(true, refc, name, type, REF_putStatic));
        }

        public VarHandle findVarHandle(Class<?> recv, String name, Class<?> type)
                throws NoSuchFieldException, IllegalAccessException {
            return varHandle(REF_getField, REF_putField, recv,
                    access.resolveField(false, recv, name, type, REF_getField));
        }

        public VarHandle findStaticVarHandle(Class<?> decl, String name, Class<?> type)
                throws NoSuchFieldException, IllegalAccessException {
            return varHandle(REF_getStatic, REF_putStatic, decl,
                    access.resolveField(false, decl, name, type, REF_getStatic));
        }

        private VarHandle varHandle(int getKind, int putKind, Class<?> refc, MemberName member)
                throws IllegalAccessException {
            access.checkField(getKind, refc, member);
            if (!member.isFinal()) access.checkField(putKind, refc, member.withKind(putKind));
            Class<?> receiver = !member.isStatic() && access.restrictsReceiver(member, refc)
                    ? access.restricted(member, refc) : refc;
            boolean isReadOnly = member.isFinal() && (allowedModes != TRUSTED || member.isTrustedFinal());
            return new FieldVarHandle(member, receiver, isReadOnly, false);
        }

        // --- from reflection ---

        private Lookup forReflected(boolean isAccessible) {
            return isAccessible ? IMPL_LOOKUP : this;
        }

        private static int kindOf(Method method) {
            if (Modifier.isStatic(method.getModifiers())) return REF_invokeStatic;
            return method.getDeclaringClass().isInterface() ? REF_invokeInterface : REF_invokeVirtual;
        }

        @SuppressWarnings("deprecation")
        public MethodHandle unreflect(Method m) throws IllegalAccessException {
            Class<?> declaring = m.getDeclaringClass();
            if (declaring == MethodHandle.class && m.isVarArgs() && (m.getModifiers() & 0x100) != 0) {
                MethodType generic = MethodType.methodType(Object.class, Object[].class);
                MethodHandle invoker = m.getName().equals("invoke") ? invoker(generic) : exactInvoker(generic);
                return new Adapters.Named(invoker, MemberName.of(m, REF_invokeVirtual)).withVarargs(true);
            }
            int kind = kindOf(m);
            return forReflected(m.isAccessible()).direct(kind, declaring, checked(MemberName.of(m, kind)));
        }

        public MethodHandle unreflectSpecial(Method m, Class<?> specialCaller) throws IllegalAccessException {
            Class<?> declaring = m.getDeclaringClass();
            access.checkSpecialCaller(specialCaller, declaring);
            return in(specialCaller).direct(REF_invokeSpecial, declaring, checked(MemberName.of(m, kindOf(m))));
        }

        @SuppressWarnings("deprecation")
        public MethodHandle unreflectConstructor(Constructor<?> c) throws IllegalAccessException {
            return forReflected(c.isAccessible()).direct(REF_newInvokeSpecial, c.getDeclaringClass(), MemberName.of(c));
        }

        @SuppressWarnings("deprecation")
        private MethodHandle unreflectField(Field f, boolean isSetter) throws IllegalAccessException {
            MemberName member = MemberName.of(f, isSetter);
            if (isSetter && member.isFinal() && member.isTrustedFinal()) {
                throw member.accessException(member.isStatic() ? "static final field has no write access"
                                                               : "final field has no write access",
                                             this);
            }
            return forReflected(f.isAccessible()).field(member.kind, f.getDeclaringClass(), member);
        }

        public MethodHandle unreflectGetter(Field f) throws IllegalAccessException {
            return unreflectField(f, false);
        }

        public MethodHandle unreflectSetter(Field f) throws IllegalAccessException {
            return unreflectField(f, true);
        }

        public VarHandle unreflectVarHandle(Field f) throws IllegalAccessException {
            MemberName member = MemberName.of(f, false);
            int putKind = member.isStatic() ? REF_putStatic : REF_putField;
            return varHandle(member.kind, putKind, f.getDeclaringClass(), member);
        }

        // --- cracking ---

        public MethodHandleInfo revealDirect(MethodHandle target) {
            MemberName member = target.internalMemberName();
            if (member == null) throw new IllegalArgumentException("not a direct method handle");
            Class<?> declaring = member.clazz;
            int kind = member.kind;
            if (kind == REF_invokeSpecial && !target.isInvokeSpecial()) kind = REF_invokeVirtual;
            if (kind == REF_invokeVirtual && declaring.isInterface()) kind = REF_invokeInterface;
            try {
                if (allowedModes != TRUSTED) {
                    if (member.isField()) access.checkField(kind, declaring, member);
                    else access.checkMethod(kind, declaring, member);
                }
            } catch (IllegalAccessException exception) {
                throw new IllegalArgumentException(exception);
            }
            if (member.isCallerSensitive()) access.checkReveals(target.internalCallerClass());
            return new RevealedHandle(member, kind);
        }
    }
}
