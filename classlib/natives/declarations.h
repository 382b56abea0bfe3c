// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind native methods: Class_method for the method of that class, parameters as in its descriptor (after
// `this` for instance methods). One .cpp per class or small family; which function serves which method: classlib/natives.def.
// Families with a folder of their own declare theirs there.
#pragma once

#include "classlib/natives/java.base/invoke/declarations.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/loader/declarations.h"
#include "classlib/natives/java.base/misc/signal.h"
#include "classlib/natives/java.instrument/declarations.h"
#include "classlib/natives/java.management/declarations.h"
#include "runtime/threads/handles.h"

namespace keyhole::natives {

// registerNatives, initIDs and what else only JNI needs.
void no_operation(JavaThread*);
// The same for methods with arguments.
u64 ignore_arguments(JavaThread*, Slot*);

// java.lang.Object
Object* Object_clone(JavaThread*, Handle);
Object* Object_getClass(JavaThread*, Handle);
i32 Object_hashCode(JavaThread*, Handle);
void Object_notify(JavaThread*, Handle);
void Object_notifyAll(JavaThread*, Handle);
void Object_wait(JavaThread*, Handle, i64);

// java.lang.Class
bool Class_desiredAssertionStatus0(JavaThread*, Handle);
Object* Class_forName0(JavaThread*, Handle, bool, Handle, Handle);
Object* Class_getConstantPool(JavaThread*, Handle);
Object* Class_getDeclaredClasses0(JavaThread*, Handle);
Object* Class_getDeclaredConstructors0(JavaThread*, Handle, bool);
Object* Class_getDeclaredFields0(JavaThread*, Handle, bool);
Object* Class_getDeclaredMethods0(JavaThread*, Handle, bool);
Object* Class_getDeclaringClass0(JavaThread*, Handle);
Object* Class_getEnclosingMethod0(JavaThread*, Handle);
Object* Class_getGenericSignature0(JavaThread*, Handle);
Object* Class_getInterfaces0(JavaThread*, Handle);
i32 Class_getModifiers(JavaThread*, Handle);
Object* Class_getNestHost0(JavaThread*, Handle);
Object* Class_getNestMembers0(JavaThread*, Handle);
Object* Class_getPermittedSubclasses0(JavaThread*, Handle);
Object* Class_getPrimitiveClass(JavaThread*, Handle);
Object* Class_getProtectionDomain0(JavaThread*, Handle);
Object* Class_getRawAnnotations(JavaThread*, Handle);
Object* Class_getRawTypeAnnotations(JavaThread*, Handle);
Object* Class_getRecordComponents0(JavaThread*, Handle);
Object* Class_getSigners(JavaThread*, Handle);
Object* Class_getSimpleBinaryName0(JavaThread*, Handle);
Object* Class_getSuperclass(JavaThread*, Handle);
Object* Class_initClassName(JavaThread*, Handle);
bool Class_isArray(JavaThread*, Handle);
bool Class_isAssignableFrom(JavaThread*, Handle, Handle);
bool Class_isHidden(JavaThread*, Handle);
bool Class_isInstance(JavaThread*, Handle, Handle);
bool Class_isInterface(JavaThread*, Handle);
bool Class_isPrimitive(JavaThread*, Handle);
bool Class_isRecord0(JavaThread*, Handle);
void Class_setSigners(JavaThread*, Handle, Handle);

// java.lang.ClassLoader
Object* ClassLoader_defineClass0(JavaThread*, Handle, Handle, Handle, Handle, i32, i32, Handle, bool, i32, Handle);
Object* ClassLoader_defineClass1(JavaThread*, Handle, Handle, Handle, i32, i32, Handle, Handle);
Object* ClassLoader_defineClass2(JavaThread*, Handle, Handle, Handle, i32, i32, Handle, Handle);
Object* ClassLoader_findBootstrapClass(JavaThread*, Handle);
Object* ClassLoader_findLoadedClass0(JavaThread*, Handle, Handle);
Object* ClassLoader_retrieveDirectives(JavaThread*);

// java.lang.Thread
void Thread_registerNatives(JavaThread*);
void Thread_clearInterruptEvent(JavaThread*);
Object* Thread_currentThread(JavaThread*);
Object* Thread_dumpThreads(JavaThread*, Handle);
Object* Thread_getThreads(JavaThread*);
bool Thread_holdsLock(JavaThread*, Handle);
void Thread_interrupt0(JavaThread*, Handle);
void Thread_resume0(JavaThread*, Handle);
void Thread_setNativeName(JavaThread*, Handle, Handle);
void Thread_setPriority0(JavaThread*, Handle, i32);
void Thread_sleep(JavaThread*, i64);
void Thread_start0(JavaThread*, Handle);
void Thread_stop0(JavaThread*, Handle, Handle);
void Thread_suspend0(JavaThread*, Handle);
void Thread_yield(JavaThread*);

// java.lang.Throwable
Object* Throwable_fillInStackTrace(JavaThread*, Handle, i32);

// java.io.ObjectStreamClass
bool ObjectStreamClass_hasStaticInitializer(JavaThread*, Handle);

// java.lang.Double
i64 Double_doubleToRawLongBits(JavaThread*, f64);
f64 Double_longBitsToDouble(JavaThread*, i64);

// java.lang.Float
i32 Float_floatToRawIntBits(JavaThread*, f32);
f32 Float_intBitsToFloat(JavaThread*, i32);

// java.lang.Module
void Module_defineModule0(JavaThread*, Handle, bool, Handle, Handle, Handle);

// java.lang.NullPointerException
Object* NullPointerException_getExtendedNPEMessage(JavaThread*, Handle);

// java.lang.ProcessEnvironment
Object* ProcessEnvironment_environ(JavaThread*);

// java.lang.ProcessHandleImpl
bool ProcessHandleImpl_destroy0(JavaThread*, i64, i64, bool);
i64 ProcessHandleImpl_getCurrentPid0(JavaThread*);
i32 ProcessHandleImpl_getProcessPids0(JavaThread*, i64, Handle, Handle, Handle);
i64 ProcessHandleImpl_isAlive0(JavaThread*, i64);
i64 ProcessHandleImpl_parent0(JavaThread*, i64, i64);
i32 ProcessHandleImpl_waitForProcessExit0(JavaThread*, i64, bool);

// java.lang.ProcessHandleImpl$Info
void ProcessHandleInfo_info0(JavaThread*, Handle, i64);

// java.lang.ProcessImpl
i32 ProcessImpl_forkAndExec(JavaThread*, Handle, i32, Handle, Handle, Handle, i32, Handle, i32, Handle, Handle, bool);
void ProcessImpl_init(JavaThread*);

// java.lang.Runtime
i32 Runtime_availableProcessors(JavaThread*, Handle);
i64 Runtime_freeMemory(JavaThread*, Handle);
void Runtime_gc(JavaThread*, Handle);
i64 Runtime_maxMemory(JavaThread*, Handle);
i64 Runtime_totalMemory(JavaThread*, Handle);

// java.lang.SecurityManager
Object* SecurityManager_getClassContext(JavaThread*, Handle);

// java.lang.Shutdown
void Shutdown_beforeHalt(JavaThread*);
void Shutdown_halt0(JavaThread*, i32);

// java.lang.StackStreamFactory
bool StackStreamFactory_checkStackWalkModes(JavaThread*);

// java.lang.StackStreamFactory$AbstractStackWalker
Object* AbstractStackWalker_callStackWalk(JavaThread*, Handle, i64, i32, i32, i32, Handle);
i32 AbstractStackWalker_fetchStackFrames(JavaThread*, Handle, i64, i64, i32, i32, Handle);

// java.lang.StackTraceElement
void StackTraceElement_initStackTraceElement(JavaThread*, Handle, Handle);
void StackTraceElement_initStackTraceElements(JavaThread*, Handle, Handle);

// java.lang.StrictMath
f64 StrictMath_IEEEremainder(JavaThread*, f64, f64);
f64 StrictMath_acos(JavaThread*, f64);
f64 StrictMath_asin(JavaThread*, f64);
f64 StrictMath_atan(JavaThread*, f64);
f64 StrictMath_atan2(JavaThread*, f64, f64);
f64 StrictMath_cos(JavaThread*, f64);
f64 StrictMath_cosh(JavaThread*, f64);
f64 StrictMath_expm1(JavaThread*, f64);
f64 StrictMath_log(JavaThread*, f64);
f64 StrictMath_log10(JavaThread*, f64);
f64 StrictMath_log1p(JavaThread*, f64);
f64 StrictMath_sin(JavaThread*, f64);
f64 StrictMath_sinh(JavaThread*, f64);
f64 StrictMath_sqrt(JavaThread*, f64);
f64 StrictMath_tan(JavaThread*, f64);
f64 StrictMath_tanh(JavaThread*, f64);

// java.lang.String
Object* String_intern(JavaThread*, Handle);

// java.lang.StringUTF16
bool StringUTF16_isBigEndian(JavaThread*);

// java.lang.System
void System_arraycopy(JavaThread*, Handle, i32, Handle, i32, i32);
i64 System_currentTimeMillis(JavaThread*);
i32 System_identityHashCode(JavaThread*, Handle);
Object* System_mapLibraryName(JavaThread*, Handle);
i64 System_nanoTime(JavaThread*);
void System_setErr0(JavaThread*, Handle);
void System_setIn0(JavaThread*, Handle);
void System_setOut0(JavaThread*, Handle);


// java.lang.ref.PhantomReference
bool PhantomReference_refersTo0(JavaThread*, Handle, Handle);

// java.lang.ref.Reference
void Reference_clear0(JavaThread*, Handle);
Object* Reference_getAndClearReferencePendingList(JavaThread*);
bool Reference_hasReferencePendingList(JavaThread*);
bool Reference_refersTo0(JavaThread*, Handle, Handle);
void Reference_waitForReferencePendingList(JavaThread*);

// java.lang.reflect.Array
template <typename T> T Array_get_primitive(JavaThread*, Handle, i32);
template <typename T> void Array_set_primitive(JavaThread*, Handle, i32, T);
Object* Array_get(JavaThread*, Handle, i32);
i32 Array_getLength(JavaThread*, Handle);
Object* Array_multiNewArray(JavaThread*, Handle, Handle);
Object* Array_newArray(JavaThread*, Handle, i32);
void Array_set(JavaThread*, Handle, i32, Handle);

// java.lang.reflect.Executable
Object* Executable_getParameters0(JavaThread*, Handle);
Object* Executable_getTypeAnnotationBytes0(JavaThread*, Handle);

// java.lang.reflect.Field
Object* Field_getTypeAnnotationBytes0(JavaThread*, Handle);

// java.security.AccessController
void AccessController_ensureMaterializedForStackWalk(JavaThread*, Handle);
Object* AccessController_getInheritedAccessControlContext(JavaThread*);
Object* AccessController_getProtectionDomain(JavaThread*, Handle);
Object* AccessController_getStackAccessControlContext(JavaThread*);

// java.util.TimeZone
Object* TimeZone_getSystemGMTOffsetID(JavaThread*);
Object* TimeZone_getSystemTimeZoneID(JavaThread*, Handle);

// java.util.concurrent.atomic.AtomicLong
bool AtomicLong_VMSupportsCS8(JavaThread*);

// jdk.internal.jimage.NativeImageBuffer
Object* NativeImageBuffer_getNativeMap(JavaThread*, Handle);

// jdk.internal.loader.BootLoader
Object* BootLoader_getSystemPackageLocation(JavaThread*, Handle);
Object* BootLoader_getSystemPackageNames(JavaThread*);
void BootLoader_setBootLoaderUnnamedModule0(JavaThread*, Handle);

// jdk.internal.loader.NativeLibraries
Object* NativeLibraries_findBuiltinLib(JavaThread*, Handle);
i64 NativeLibraries_findEntry0(JavaThread*, Handle, Handle);
bool NativeLibraries_load(JavaThread*, Handle, Handle, bool, bool, bool);
void NativeLibraries_unload(JavaThread*, Handle, bool, bool, i64);

// jdk.internal.misc.CDS
void CDS_defineArchivedModules(JavaThread*, Handle, Handle);
void CDS_dumpClassList(JavaThread*, Handle);
void CDS_dumpDynamicArchive(JavaThread*, Handle);
i64 CDS_getRandomSeedForDumping(JavaThread*);
void CDS_initializeFromArchive(JavaThread*, Handle);
bool CDS_isDumpingArchive0(JavaThread*);
bool CDS_isDumpingClassList0(JavaThread*);
bool CDS_isSharingEnabled0(JavaThread*);
void CDS_logLambdaFormInvoker(JavaThread*, Handle);

// jdk.internal.misc.ScopedMemoryAccess
bool ScopedMemoryAccess_closeScope0(JavaThread*, Handle, Handle, Handle);

// jdk.internal.misc.Unsafe
template <typename T> T Unsafe_get(JavaThread*, Handle, Handle, i64);
template <typename T> void Unsafe_put(JavaThread*, Handle, Handle, i64, T);
template <typename T> T Unsafe_get_volatile(JavaThread*, Handle, Handle, i64);
template <typename T> void Unsafe_put_volatile(JavaThread*, Handle, Handle, i64, T);
void Unsafe_registerNatives(JavaThread*);
Object* Unsafe_allocateInstance(JavaThread*, Handle, Handle);
i64 Unsafe_allocateMemory0(JavaThread*, Handle, i64);
i32 Unsafe_arrayBaseOffset0(JavaThread*, Handle, Handle);
i32 Unsafe_arrayIndexScale0(JavaThread*, Handle, Handle);
i32 Unsafe_compareAndExchangeInt(JavaThread*, Handle, Handle, i64, i32, i32);
i64 Unsafe_compareAndExchangeLong(JavaThread*, Handle, Handle, i64, i64, i64);
Object* Unsafe_compareAndExchangeReference(JavaThread*, Handle, Handle, i64, Handle, Handle);
bool Unsafe_compareAndSetInt(JavaThread*, Handle, Handle, i64, i32, i32);
bool Unsafe_compareAndSetLong(JavaThread*, Handle, Handle, i64, i64, i64);
bool Unsafe_compareAndSetReference(JavaThread*, Handle, Handle, i64, Handle, Handle);
void Unsafe_copyMemory0(JavaThread*, Handle, Handle, i64, Handle, i64, i64);
void Unsafe_copySwapMemory0(JavaThread*, Handle, Handle, i64, Handle, i64, i64, i64);
Object* Unsafe_defineClass0(JavaThread*, Handle, Handle, Handle, i32, i32, Handle, Handle);
void Unsafe_ensureClassInitialized0(JavaThread*, Handle, Handle);
void Unsafe_freeMemory0(JavaThread*, Handle, i64);
void Unsafe_fullFence(JavaThread*, Handle);
i32 Unsafe_getLoadAverage0(JavaThread*, Handle, Handle, i32);
Object* Unsafe_getReference(JavaThread*, Handle, Handle, i64);
Object* Unsafe_getReferenceVolatile(JavaThread*, Handle, Handle, i64);
Object* Unsafe_getUncompressedObject(JavaThread*, Handle, i64);
void Unsafe_loadFence(JavaThread*, Handle);
i64 Unsafe_objectFieldOffset0(JavaThread*, Handle, Handle);
i64 Unsafe_objectFieldOffset1(JavaThread*, Handle, Handle, Handle);
void Unsafe_park(JavaThread*, Handle, bool, i64);
void Unsafe_putReference(JavaThread*, Handle, Handle, i64, Handle);
void Unsafe_putReferenceVolatile(JavaThread*, Handle, Handle, i64, Handle);
i64 Unsafe_reallocateMemory0(JavaThread*, Handle, i64, i64);
void Unsafe_setMemory0(JavaThread*, Handle, Handle, i64, i64, i8);
bool Unsafe_shouldBeInitialized0(JavaThread*, Handle, Handle);
Object* Unsafe_staticFieldBase0(JavaThread*, Handle, Handle);
i64 Unsafe_staticFieldOffset0(JavaThread*, Handle, Handle);
void Unsafe_storeFence(JavaThread*, Handle);
void Unsafe_throwException(JavaThread*, Handle, Handle);
void Unsafe_unpark(JavaThread*, Handle, Handle);
void Unsafe_writeback0(JavaThread*, Handle, i64);
void Unsafe_writebackPostSync0(JavaThread*, Handle);
void Unsafe_writebackPreSync0(JavaThread*, Handle);

// jdk.internal.misc.VM
i64 VM_getNanoTimeAdjustment(JavaThread*, i64);
Object* VM_getRuntimeArguments(JavaThread*);

// jdk.internal.vm.vector.VectorSupport
i32 VectorSupport_registerNatives(JavaThread*);
i32 VectorSupport_getMaxLaneCount(JavaThread*, Handle);
i64 VM_getegid(JavaThread*);
i64 VM_geteuid(JavaThread*);
i64 VM_getgid(JavaThread*);
i64 VM_getuid(JavaThread*);
void VM_initialize(JavaThread*);
Object* VM_latestUserDefinedLoader0(JavaThread*);

// jdk.internal.perf.Perf
Object* Perf_attach(JavaThread*, Handle, Handle, i32, i32);
Object* Perf_createByteArray(JavaThread*, Handle, Handle, i32, i32, Handle, i32);
Object* Perf_createLong(JavaThread*, Handle, Handle, i32, i32, i64);
void Perf_detach(JavaThread*, Handle, Handle);
i64 Perf_highResCounter(JavaThread*, Handle);
i64 Perf_highResFrequency(JavaThread*, Handle);

// jdk.internal.reflect.ConstantPool
Object* ConstantPool_getClassAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getClassAtIfLoaded0(JavaThread*, Handle, Handle, i32);
i32 ConstantPool_getClassRefIndexAt0(JavaThread*, Handle, Handle, i32);
f64 ConstantPool_getDoubleAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getFieldAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getFieldAtIfLoaded0(JavaThread*, Handle, Handle, i32);
f32 ConstantPool_getFloatAt0(JavaThread*, Handle, Handle, i32);
i32 ConstantPool_getIntAt0(JavaThread*, Handle, Handle, i32);
i64 ConstantPool_getLongAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getMemberRefInfoAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getMethodAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getMethodAtIfLoaded0(JavaThread*, Handle, Handle, i32);
i32 ConstantPool_getNameAndTypeRefIndexAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getNameAndTypeRefInfoAt0(JavaThread*, Handle, Handle, i32);
i32 ConstantPool_getSize0(JavaThread*, Handle, Handle);
Object* ConstantPool_getStringAt0(JavaThread*, Handle, Handle, i32);
i8 ConstantPool_getTagAt0(JavaThread*, Handle, Handle, i32);
Object* ConstantPool_getUTF8At0(JavaThread*, Handle, Handle, i32);

// jdk.internal.reflect.NativeConstructorAccessorImpl
Object* NativeConstructorAccessorImpl_newInstance0(JavaThread*, Handle, Handle);

// jdk.internal.reflect.NativeMethodAccessorImpl
Object* NativeMethodAccessorImpl_invoke0(JavaThread*, Handle, Handle, Handle);

// jdk.internal.reflect.Reflection
bool Reflection_areNestMates(JavaThread*, Handle, Handle);
Object* Reflection_getCallerClass(JavaThread*);
i32 Reflection_getClassAccessFlags(JavaThread*, Handle);

// jdk.internal.util.SystemProps$Raw
Object* SystemProps_platformProperties(JavaThread*);
Object* SystemProps_vmProperties(JavaThread*);

// jdk.internal.vm.VMSupport
Object* VMSupport_getVMTemporaryDirectory(JavaThread*);
Object* VMSupport_initAgentProperties(JavaThread*, Handle);

}  // namespace keyhole::natives
