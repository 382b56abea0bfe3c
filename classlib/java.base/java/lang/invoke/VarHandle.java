// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.VarHandle: typed access to a field, array element or view of bytes, in 31 modes.
//
// A call in Java code, HANDLE.compareAndSet(this, 1, 2), is a signature-polymorphic site. The VM links it to a
// generated adapter (vm/link/indy/var_handle_site.h). Once the site has seen that the handle fits its types, the
// adapter calls jdk.internal.misc.Unsafe directly. Before that, and when values must be converted, it calls `access`
// with boxed values.
package java.lang.invoke;

import java.lang.constant.ClassDesc;
import java.lang.constant.Constable;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.IntrinsicCandidate;

public abstract class VarHandle implements Constable {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();

    // The effect of a mode on memory, whatever its ordering. classlib/natives/java.base/invoke has the same numbers.
    static final int READ = 0, WRITE = 1, COMPARE = 2, EXCHANGE = 3, SWAP = 4, ADD = 5, OR = 6, AND = 7, XOR = 8;
    // What the modes get and set pass to accessBits, in place of READ and WRITE.
    private static final int PLAIN_READ = 9, PLAIN_WRITE = 10, OPAQUE_READ = 11, OPAQUE_WRITE = 12, ACQUIRE_READ = 13,
            RELEASE_WRITE = 14;

    final Class<?> varType;
    // The type of the variable if that is an interface, else null. Verified code passes any object as an interface, so
    // adapters check the values that they store there.
    final Class<?> interfaceType;
    final Class<?>[] coordinates;
    final boolean exact;
    // The place of the variable. Set by constructors only, read by generated adapters. A field is at `offset` of the
    // holder, or of `base` when static. An array has the first element's offset, and the shift that scales an index.
    Object base;
    long offset;
    int shift;
    private final MethodType[] accessTypes = new MethodType[AccessType.COUNT];

    VarHandle(Class<?> varType, boolean exact, Class<?>... coordinates) {
        this.varType = varType;
        this.interfaceType = varType.isInterface() ? varType : null;
        this.exact = exact;
        this.coordinates = coordinates;
    }

    // Makes the access with boxed arguments of exactly accessModeType(mode). The mode is supported.
    abstract Object accessBoxed(AccessMode mode, Object[] arguments) throws Throwable;

    @Hidden
    final Object accessTyped(AccessMode mode, Object[] arguments) throws Throwable {
        if (!TypeBoundary.IS_CHECKED) return accessBoxed(mode, arguments);
        TypeBoundary.checkArguments(accessModeType(mode), arguments, this);
        Object result = accessBoxed(mode, arguments);
        TypeBoundary.checkResult(accessModeType(mode), result, this);
        return result;
    }

    abstract boolean supports(AccessMode mode);

    abstract VarHandle withExact(boolean wanted);

    // Do `base`, `offset` and `shift` suffice for an access? Then adapters need not call the handle.
    boolean isDirect() {
        return false;
    }

    @Hidden
    final Object access(AccessMode mode, MethodType siteType, Object[] arguments) throws Throwable {
        MethodType type = accessModeType(mode);
        if (type == siteType || type.equals(siteType)) {
            if (!supports(mode)) throw ReleaseBehaviour.unsupported(mode);
            return accessTyped(mode, arguments);
        }
        if (exact) throw ReleaseBehaviour.wrongType(type, siteType);
        if (!supports(mode)) throw ReleaseBehaviour.unsupported(mode);
        if (!type.isConvertibleTo(siteType)) {
            throw new WrongMethodTypeException("cannot convert MethodHandle"
                                               + type.insertParameterTypes(0, VarHandle.class) + " to "
                                               + siteType.insertParameterTypes(0, VarHandle.class));
        }
        Object[] converted = new Object[arguments.length];
        for (int i = 0; i < converted.length; i++) {
            converted[i] = Boxing.convert(arguments[i], siteType.parameterType(i), type.parameterType(i));
        }
        return Boxing.convert(accessTyped(mode, converted), type.returnType(), siteType.returnType());
    }

    // The access of varHandleExactInvoker. A mode that this variable lacks is reported before a wrong type.
    @Hidden
    final Object accessExactly(AccessMode mode, MethodType siteType, Object[] arguments) throws Throwable {
        MethodType type = accessModeType(mode);
        if (!supports(mode)) throw ReleaseBehaviour.unsupported(mode);
        if (type != siteType && !type.equals(siteType)) {
            throw ReleaseBehaviour.wrongInvokerType(type.insertParameterTypes(0, VarHandle.class),
                                                  siteType.insertParameterTypes(0, VarHandle.class));
        }
        return accessTyped(mode, arguments);
    }

    public boolean hasInvokeExactBehavior() {
        return exact;
    }

    public VarHandle withInvokeExactBehavior() {
        return exact ? this : withExact(true);
    }

    public VarHandle withInvokeBehavior() {
        return exact ? withExact(false) : this;
    }

    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object get(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate void set(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getVolatile(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate void setVolatile(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getOpaque(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate void setOpaque(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate void setRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate boolean compareAndSet(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object compareAndExchange(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object compareAndExchangeAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object compareAndExchangeRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate boolean weakCompareAndSetPlain(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate boolean weakCompareAndSet(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate boolean weakCompareAndSetAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate boolean weakCompareAndSetRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndSet(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndSetAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndSetRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndAdd(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndAddAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndAddRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndBitwiseOr(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object getAndBitwiseOrRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object getAndBitwiseOrAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndBitwiseAnd(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object getAndBitwiseAndRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object getAndBitwiseAndAcquire(Object... args);
    public final native @MethodHandle.PolymorphicSignature @IntrinsicCandidate Object getAndBitwiseXor(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object getAndBitwiseXorRelease(Object... args);
    public final native @MethodHandle.PolymorphicSignature
    @IntrinsicCandidate Object getAndBitwiseXorAcquire(Object... args);

    @Override
    public final String toString() {
        return "VarHandle[varType=" + varType.getName() + ", coord=" + coordinateTypes() + "]";
    }

    public Class<?> varType() {
        return varType;
    }

    public List<Class<?>> coordinateTypes() {
        return List.of(coordinates);
    }

    public final MethodType accessModeType(AccessMode accessMode) {
        return accessType(accessMode.at);
    }

    final MethodType accessType(int access) {
        MethodType type = accessTypes[access];
        if (type != null) return type;
        int values = AccessType.VALUES[access];
        Class<?>[] parameters = Arrays.copyOf(coordinates, coordinates.length + values);
        Arrays.fill(parameters, coordinates.length, parameters.length, varType);
        Class<?> result = access == AccessType.SET     ? void.class
                : access == AccessType.COMPARE_AND_SET ? boolean.class
                                                       : varType;
        type = MethodType.methodType(result, parameters);
        accessTypes[access] = type;
        return type;
    }

    public final boolean isAccessModeSupported(AccessMode accessMode) {
        return supports(accessMode);
    }

    public MethodHandle toMethodHandle(AccessMode accessMode) {
        MethodType type = accessModeType(accessMode);
        if (!supports(accessMode)) {
            Adapters.Throw thrower =
                    new Adapters.Throw(MethodType.methodType(type.returnType(), UnsupportedOperationException.class));
            MethodHandle bound =
                    MethodHandles.bindChecked(thrower, 0, new Object[] {ReleaseBehaviour.unsupported(accessMode)});
            return MethodHandles.dropArguments(bound, 0, type.parameterArray());
        }
        checkSiteSlots(type);
        return new Adapters.VarAccess(this, accessMode, type, true);
    }

    // Checks the slots of a site. In java the handle and the site's own data take a slot each, added one after the
    // other.
    static void checkSiteSlots(MethodType type) {
        if (type.parameterSlotCount() > 253) throw new IllegalArgumentException("bad parameter count 256");
    }

    @Override
    public Optional<VarHandleDesc> describeConstable() {
        return Optional.empty();
    }

    public static void fullFence() {
        UNSAFE.fullFence();
    }

    public static void acquireFence() {
        UNSAFE.loadFence();
    }

    public static void releaseFence() {
        UNSAFE.storeFence();
    }

    public static void loadLoadFence() {
        UNSAFE.loadLoadFence();
    }

    public static void storeStoreFence() {
        UNSAFE.storeStoreFence();
    }

    // --- shared by the kinds of handles ---

    // Does a variable of this type have the operation? It always has reading and writing.
    static boolean typeSupports(Class<?> type, int operation) {
        if (operation < ADD) return true;
        if (!type.isPrimitive()) return false;
        if (operation == ADD) return type != boolean.class;
        return type != float.class && type != double.class;
    }

    static long bitsOf(Object boxed) {
        if (boxed instanceof Double) return Double.doubleToRawLongBits((Double) boxed);
        if (boxed instanceof Float) return Float.floatToRawIntBits((Float) boxed);
        if (boxed instanceof Character) return (Character) boxed;
        if (boxed instanceof Boolean) return (Boolean) boxed ? 1 : 0;
        return ((Number) boxed).longValue();
    }

    // Performs the operation on a primitive at (base, offset) with the ordering that its name says, READ and WRITE and
    // the updates with the strongest one. Values and result are raw bits, booleans are 0 and 1.
    static native long accessBits(Object base, long offset, int operation, char type, long first, long second);

    // Called by generated adapters before a reference is stored.
    static void checkStored(VarHandle handle, Object value) {
        Boxing.cast(value, handle.varType);
    }

    // Performs the operation of `mode` at (base, offset). `next` is the index of the first value among the arguments.
    static Object accessAt(Object base, long offset, AccessMode mode, Class<?> type, Object[] arguments, int next) {
        int operation = mode.operation;
        if (!type.isPrimitive()) {
            for (int i = next; i < arguments.length; i++) Boxing.cast(arguments[i], type);
            switch (operation) {
                case READ: return readReference(base, offset, mode);
                case WRITE:
                    writeReference(base, offset, mode, arguments[next]);
                    return null;
                case COMPARE: return UNSAFE.compareAndSetReference(base, offset, arguments[next], arguments[next + 1]);
                case EXCHANGE:
                    return UNSAFE.compareAndExchangeReference(base, offset, arguments[next], arguments[next + 1]);
                default: return UNSAFE.getAndSetReference(base, offset, arguments[next]);
            }
        }
        char letter = type.descriptorString().charAt(0);
        long first = operation == READ ? 0 : bitsOf(arguments[next]);
        long second = operation == COMPARE || operation == EXCHANGE ? bitsOf(arguments[next + 1]) : 0;
        long bits = accessBits(base, offset, exactOperation(mode), letter, first, second);
        if (operation == WRITE) return null;
        if (operation == COMPARE) return bits != 0;
        return Boxing.ofBits(letter, bits);
    }

    private static Object readReference(Object base, long offset, AccessMode mode) {
        if (mode == AccessMode.GET) return UNSAFE.getReference(base, offset);
        if (mode == AccessMode.GET_OPAQUE) return UNSAFE.getReferenceOpaque(base, offset);
        if (mode == AccessMode.GET_ACQUIRE) return UNSAFE.getReferenceAcquire(base, offset);
        return UNSAFE.getReferenceVolatile(base, offset);
    }

    private static void writeReference(Object base, long offset, AccessMode mode, Object value) {
        if (mode == AccessMode.SET) UNSAFE.putReference(base, offset, value);
        else if (mode == AccessMode.SET_OPAQUE) UNSAFE.putReferenceOpaque(base, offset, value);
        else if (mode == AccessMode.SET_RELEASE) UNSAFE.putReferenceRelease(base, offset, value);
        else UNSAFE.putReferenceVolatile(base, offset, value);
    }

    // The operation with the ordering of its mode.
    private static int exactOperation(AccessMode mode) {
        if (mode == AccessMode.GET) return PLAIN_READ;
        if (mode == AccessMode.SET) return PLAIN_WRITE;
        if (mode == AccessMode.GET_OPAQUE) return OPAQUE_READ;
        if (mode == AccessMode.SET_OPAQUE) return OPAQUE_WRITE;
        if (mode == AccessMode.GET_ACQUIRE) return ACQUIRE_READ;
        if (mode == AccessMode.SET_RELEASE) return RELEASE_WRITE;
        return mode.operation;
    }

    static final class AccessType {
        static final int GET = 0, SET = 1, COMPARE_AND_SET = 2, COMPARE_AND_EXCHANGE = 3, GET_AND_UPDATE = 4, COUNT = 5;
        static final int[] VALUES = {0, 1, 2, 2, 1};    // number of values after the coordinates

        private AccessType() {}
    }

    // The VM knows this order (vm/link/indy/var_handle_site.cpp).
    public enum AccessMode {
        GET("get", AccessType.GET, READ),
        SET("set", AccessType.SET, WRITE),
        GET_VOLATILE("getVolatile", AccessType.GET, READ),
        SET_VOLATILE("setVolatile", AccessType.SET, WRITE),
        GET_ACQUIRE("getAcquire", AccessType.GET, READ),
        SET_RELEASE("setRelease", AccessType.SET, WRITE),
        GET_OPAQUE("getOpaque", AccessType.GET, READ),
        SET_OPAQUE("setOpaque", AccessType.SET, WRITE),
        COMPARE_AND_SET("compareAndSet", AccessType.COMPARE_AND_SET, COMPARE),
        COMPARE_AND_EXCHANGE("compareAndExchange", AccessType.COMPARE_AND_EXCHANGE, EXCHANGE),
        COMPARE_AND_EXCHANGE_ACQUIRE("compareAndExchangeAcquire", AccessType.COMPARE_AND_EXCHANGE, EXCHANGE),
        COMPARE_AND_EXCHANGE_RELEASE("compareAndExchangeRelease", AccessType.COMPARE_AND_EXCHANGE, EXCHANGE),
        WEAK_COMPARE_AND_SET_PLAIN("weakCompareAndSetPlain", AccessType.COMPARE_AND_SET, COMPARE),
        WEAK_COMPARE_AND_SET("weakCompareAndSet", AccessType.COMPARE_AND_SET, COMPARE),
        WEAK_COMPARE_AND_SET_ACQUIRE("weakCompareAndSetAcquire", AccessType.COMPARE_AND_SET, COMPARE),
        WEAK_COMPARE_AND_SET_RELEASE("weakCompareAndSetRelease", AccessType.COMPARE_AND_SET, COMPARE),
        GET_AND_SET("getAndSet", AccessType.GET_AND_UPDATE, SWAP),
        GET_AND_SET_ACQUIRE("getAndSetAcquire", AccessType.GET_AND_UPDATE, SWAP),
        GET_AND_SET_RELEASE("getAndSetRelease", AccessType.GET_AND_UPDATE, SWAP),
        GET_AND_ADD("getAndAdd", AccessType.GET_AND_UPDATE, ADD),
        GET_AND_ADD_ACQUIRE("getAndAddAcquire", AccessType.GET_AND_UPDATE, ADD),
        GET_AND_ADD_RELEASE("getAndAddRelease", AccessType.GET_AND_UPDATE, ADD),
        GET_AND_BITWISE_OR("getAndBitwiseOr", AccessType.GET_AND_UPDATE, OR),
        GET_AND_BITWISE_OR_RELEASE("getAndBitwiseOrRelease", AccessType.GET_AND_UPDATE, OR),
        GET_AND_BITWISE_OR_ACQUIRE("getAndBitwiseOrAcquire", AccessType.GET_AND_UPDATE, OR),
        GET_AND_BITWISE_AND("getAndBitwiseAnd", AccessType.GET_AND_UPDATE, AND),
        GET_AND_BITWISE_AND_RELEASE("getAndBitwiseAndRelease", AccessType.GET_AND_UPDATE, AND),
        GET_AND_BITWISE_AND_ACQUIRE("getAndBitwiseAndAcquire", AccessType.GET_AND_UPDATE, AND),
        GET_AND_BITWISE_XOR("getAndBitwiseXor", AccessType.GET_AND_UPDATE, XOR),
        GET_AND_BITWISE_XOR_RELEASE("getAndBitwiseXorRelease", AccessType.GET_AND_UPDATE, XOR),
        GET_AND_BITWISE_XOR_ACQUIRE("getAndBitwiseXorAcquire", AccessType.GET_AND_UPDATE, XOR);

        final String methodName;
        final int at;
        final int operation;

        AccessMode(String methodName, int at, int operation) {
            this.methodName = methodName;
            this.at = at;
            this.operation = operation;
        }

        public String methodName() {
            return methodName;
        }

        private static final AccessMode[] ALL = values();

        static AccessMode of(int ordinal) {
            return ALL[ordinal];
        }

        static int count() {
            return ALL.length;
        }

        // The mode with this method's name; null if there is none.
        static AccessMode named(String methodName) {
            for (AccessMode mode : ALL) if (mode.methodName.equals(methodName)) return mode;
            return null;
        }

        public static AccessMode valueFromMethodName(String methodName) {
            AccessMode mode = named(methodName);
            if (mode == null) throw new IllegalArgumentException("No AccessMode value for method name " + methodName);
            return mode;
        }
    }

    public static final class VarHandleDesc extends DynamicConstantDesc<VarHandle> {
        private static final int FIELD = 0, STATIC_FIELD = 1, ARRAY = 2;

        private final int kind;
        private final ClassDesc declaringClass;
        private final ClassDesc varType;

        private VarHandleDesc(int kind, DirectMethodHandleDesc bootstrap, String name, ClassDesc declaringClass,
                              ClassDesc varType, ConstantDesc... arguments) {
            super(bootstrap, name, ConstantDescs.CD_VarHandle, arguments);
            this.kind = kind;
            this.declaringClass = declaringClass;
            this.varType = varType;
        }

        public static VarHandleDesc ofField(ClassDesc declaringClass, String name, ClassDesc fieldType) {
            return field(FIELD, ConstantDescs.BSM_VARHANDLE_FIELD, declaringClass, name, fieldType);
        }

        public static VarHandleDesc ofStaticField(ClassDesc declaringClass, String name, ClassDesc fieldType) {
            return field(STATIC_FIELD, ConstantDescs.BSM_VARHANDLE_STATIC_FIELD, declaringClass, name, fieldType);
        }

        private static VarHandleDesc field(int kind, DirectMethodHandleDesc bootstrap, ClassDesc declaringClass,
                                           String name, ClassDesc fieldType) {
            Objects.requireNonNull(declaringClass);
            Objects.requireNonNull(name);
            Objects.requireNonNull(fieldType);
            return new VarHandleDesc(kind, bootstrap, name, declaringClass, fieldType, declaringClass, fieldType);
        }

        public static VarHandleDesc ofArray(ClassDesc arrayClass) {
            Objects.requireNonNull(arrayClass);
            if (!arrayClass.isArray())
                throw new IllegalArgumentException("Array class argument not an array: " + arrayClass);
            return new VarHandleDesc(ARRAY, ConstantDescs.BSM_VARHANDLE_ARRAY, ConstantDescs.DEFAULT_NAME, arrayClass,
                    arrayClass.componentType(), arrayClass);
        }

        public ClassDesc varType() {
            return varType;
        }

        @Override
        public VarHandle resolveConstantDesc(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            Class<?> declaring = (Class<?>) declaringClass.resolveConstantDesc(lookup);
            if (kind == ARRAY) return MethodHandles.arrayElementVarHandle(declaring);
            Class<?> type = (Class<?>) varType.resolveConstantDesc(lookup);
            if (kind == FIELD) return lookup.findVarHandle(declaring, constantName(), type);
            return lookup.findStaticVarHandle(declaring, constantName(), type);
        }

        @Override
        public String toString() {
            String type = varType.displayName();
            switch (kind) {
                case FIELD:
                    return "VarHandleDesc[" + declaringClass.displayName() + "." + constantName() + ":" + type + "]";
                case STATIC_FIELD:
                    return "VarHandleDesc[static " + declaringClass.displayName() + "." + constantName() + ":" + type
                            + "]";
                default: return "VarHandleDesc[" + declaringClass.displayName() + "[]]";
            }
        }
    }
}
