// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.lang; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.lang.Object
Object* Object_clone(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Object_getClass(JavaThread*, Handle) TOUCHES_OBJECTS;
i32 Object_hashCode(JavaThread*, Handle) MAY_SAFEPOINT;
void Object_notify(JavaThread*, Handle) MAY_SAFEPOINT;
void Object_notifyAll(JavaThread*, Handle) MAY_SAFEPOINT;
void Object_wait(JavaThread*, Handle, i64) MAY_SAFEPOINT;

// java.lang.Class
bool Class_desiredAssertionStatus0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_forName0(JavaThread*, Handle, bool, Handle, Handle) MAY_SAFEPOINT;
Object* Class_getConstantPool(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getDeclaredClasses0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getDeclaredConstructors0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
Object* Class_getDeclaredFields0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
Object* Class_getDeclaredMethods0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
Object* Class_getDeclaringClass0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getEnclosingMethod0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getGenericSignature0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getInterfaces0(JavaThread*, Handle) MAY_SAFEPOINT;
i32 Class_getClassAccessFlagsRaw0(JavaThread*, Handle) TOUCHES_OBJECTS;
i32 Class_getClassFileVersion0(JavaThread*, Handle) TOUCHES_OBJECTS;
i32 Class_getModifiers(JavaThread*, Handle) TOUCHES_OBJECTS;
Object* Class_getNestHost0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getNestMembers0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getPermittedSubclasses0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getPrimitiveClass(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getProtectionDomain(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getProtectionDomain0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getRawAnnotations(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getRawTypeAnnotations(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getRecordComponents0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getSigners(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getSimpleBinaryName0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Class_getSuperclass(JavaThread*, Handle) TOUCHES_OBJECTS;
Object* Class_initClassName(JavaThread*, Handle) MAY_SAFEPOINT;
bool Class_isArray(JavaThread*, Handle) TOUCHES_OBJECTS;
bool Class_isAssignableFrom(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool Class_isHidden(JavaThread*, Handle) TOUCHES_OBJECTS;
bool Class_isInstance(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
bool Class_isInterface(JavaThread*, Handle) TOUCHES_OBJECTS;
bool Class_isPrimitive(JavaThread*, Handle) TOUCHES_OBJECTS;
bool Class_isRecord0(JavaThread*, Handle) TOUCHES_OBJECTS;
void Class_setSigners(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;

// java.lang.ClassLoader
Object* ClassLoader_defineClass0(JavaThread*, Handle, Handle, Handle, Handle, i32, i32, Handle, bool, i32, Handle)
    MAY_SAFEPOINT;
Object* ClassLoader_defineClass1(JavaThread*, Handle, Handle, Handle, i32, i32, Handle, Handle) MAY_SAFEPOINT;
Object* ClassLoader_defineClass2(JavaThread*, Handle, Handle, Handle, i32, i32, Handle, Handle) MAY_SAFEPOINT;
Object* ClassLoader_findBootstrapClass(JavaThread*, Handle) MAY_SAFEPOINT;
Object* ClassLoader_findLoadedClass0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
Object* ClassLoader_retrieveDirectives(JavaThread*) MAY_SAFEPOINT;

// java.lang.Thread
void Thread_registerNatives(JavaThread*);
void Thread_clearInterruptEvent(JavaThread*);
Object* Thread_findScopedValueBindings(JavaThread*) TOUCHES_OBJECTS;
Object* Thread_currentCarrierThread(JavaThread*) TOUCHES_OBJECTS;
void Thread_setCurrentThread(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
void VirtualThread_postPinnedEvent(JavaThread*, Handle) TOUCHES_OBJECTS;
Object* VirtualThread_takeVirtualThreadListToUnblock(JavaThread*) MAY_SAFEPOINT;
i64 Thread_getNextThreadIdOffset(JavaThread*);
Object* Thread_getStackTrace0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Thread_scopedValueCache(JavaThread*) TOUCHES_OBJECTS;
void Thread_setScopedValueCache(JavaThread*, Handle) TOUCHES_OBJECTS;
void Thread_sleepNanos0(JavaThread*, i64) MAY_SAFEPOINT;
Object* Thread_currentThread(JavaThread*);
Object* Thread_dumpThreads(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Thread_getThreads(JavaThread*) MAY_SAFEPOINT;
bool Thread_holdsLock(JavaThread*, Handle) MAY_SAFEPOINT;
void Thread_interrupt0(JavaThread*, Handle) TOUCHES_OBJECTS;
void Thread_resume0(JavaThread*, Handle) MAY_SAFEPOINT;
void Thread_setNativeName(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void Thread_setPriority0(JavaThread*, Handle, i32);
void Thread_sleep(JavaThread*, i64) MAY_SAFEPOINT;
void Thread_start0(JavaThread*, Handle) MAY_SAFEPOINT;
void Thread_stop0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void Thread_suspend0(JavaThread*, Handle) MAY_SAFEPOINT;
void Thread_yield(JavaThread*) MAY_SAFEPOINT;

// java.lang.Throwable
Object* Throwable_fillInStackTrace(JavaThread*, Handle, i32) MAY_SAFEPOINT;

// java.io.ObjectStreamClass
bool ObjectStreamClass_hasStaticInitializer(JavaThread*, Handle) TOUCHES_OBJECTS;

// java.lang.Module
void Module_defineModule0(JavaThread*, Handle, bool, Handle, Handle, Handle) MAY_SAFEPOINT;

// java.lang.NullPointerException
Object* NullPointerException_getExtendedNPEMessage(JavaThread*, Handle) MAY_SAFEPOINT;

// java.lang.ProcessEnvironment
Object* ProcessEnvironment_environ(JavaThread*) MAY_SAFEPOINT;

// java.lang.ProcessHandleImpl
bool ProcessHandleImpl_destroy0(JavaThread*, i64, i64, bool);
i64 ProcessHandleImpl_getCurrentPid0(JavaThread*);
i32 ProcessHandleImpl_getProcessPids0(JavaThread*, i64, Handle, Handle, Handle) MAY_SAFEPOINT;
i64 ProcessHandleImpl_isAlive0(JavaThread*, i64);
i64 ProcessHandleImpl_parent0(JavaThread*, i64, i64);
i32 ProcessHandleImpl_waitForProcessExit0(JavaThread*, i64, bool) MAY_SAFEPOINT;

// java.lang.ProcessHandleImpl$Info
void ProcessHandleInfo_info0(JavaThread*, Handle, i64) MAY_SAFEPOINT;

// java.lang.ProcessImpl
i32 ProcessImpl_forkAndExec(JavaThread*, Handle, i32, Handle, Handle, Handle, i32, Handle, i32, Handle, Handle, bool)
    MAY_SAFEPOINT;
void ProcessImpl_init(JavaThread*);

// java.lang.Runtime
i32 Runtime_availableProcessors(JavaThread*, Handle);
i64 Runtime_freeMemory(JavaThread*, Handle);
void Runtime_gc(JavaThread*, Handle) MAY_SAFEPOINT;
i64 Runtime_maxMemory(JavaThread*, Handle);
i64 Runtime_totalMemory(JavaThread*, Handle);

// java.lang.SecurityManager
Object* SecurityManager_getClassContext(JavaThread*, Handle) MAY_SAFEPOINT;

// java.lang.Shutdown
void Shutdown_beforeHalt(JavaThread*);
void Shutdown_halt0(JavaThread*, i32);

// java.lang.StackStreamFactory
bool StackStreamFactory_checkStackWalkModes(JavaThread*);

// java.lang.StackStreamFactory$AbstractStackWalker
Object* AbstractStackWalker_callStackWalk(JavaThread*, Handle, i64, i32, i32, i32, Handle) MAY_SAFEPOINT;
Object* AbstractStackWalker_callStackWalk_21(JavaThread*, Handle, i64, i32, Handle, Handle, i32, i32, Handle)
    MAY_SAFEPOINT;
Object* AbstractStackWalker_callStackWalk_25(JavaThread*, Handle, i32, i32, Handle, Handle, i32, i32, Handle)
    MAY_SAFEPOINT;
i32 AbstractStackWalker_fetchStackFrames(JavaThread*, Handle, i64, i64, i32, i32, Handle) MAY_SAFEPOINT;
i32 AbstractStackWalker_fetchStackFrames_25(JavaThread*, Handle, i32, i64, i32, i32, i32, Handle) MAY_SAFEPOINT;
void AbstractStackWalker_setContinuation(JavaThread*, Handle, i64, Handle, Handle) MAY_SAFEPOINT;

// java.lang.StackTraceElement
void StackTraceElement_initStackTraceElement(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void StackTraceElement_initStackTraceElements(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void StackTraceElement_initStackTraceElements_21(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;

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

// java.lang.System
void System_arraycopy(JavaThread*, Handle, i32, Handle, i32, i32) MAY_SAFEPOINT;
i64 System_currentTimeMillis(JavaThread*);
i32 System_identityHashCode(JavaThread*, Handle) MAY_SAFEPOINT;
Object* System_mapLibraryName(JavaThread*, Handle) MAY_SAFEPOINT;
i64 System_nanoTime(JavaThread*);
void System_setErr0(JavaThread*, Handle) TOUCHES_OBJECTS;
void System_setIn0(JavaThread*, Handle) TOUCHES_OBJECTS;
void System_setOut0(JavaThread*, Handle) TOUCHES_OBJECTS;

// java.lang.ref.PhantomReference
bool PhantomReference_refersTo0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;

// java.lang.ref.Reference
void Reference_clear0(JavaThread*, Handle) TOUCHES_OBJECTS;
Object* Reference_get0(JavaThread*, Handle) TOUCHES_OBJECTS;
Object* Reference_getAndClearReferencePendingList(JavaThread*);
bool Reference_hasReferencePendingList(JavaThread*);
bool Finalizer_isFinalizationEnabled(JavaThread*);
bool Reference_refersTo0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
void Reference_waitForReferencePendingList(JavaThread*) MAY_SAFEPOINT;

// java.lang.reflect.Executable
Object* Executable_getParameters0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Executable_getTypeAnnotationBytes0(JavaThread*, Handle) MAY_SAFEPOINT;

// java.lang.reflect.Field
Object* Field_getTypeAnnotationBytes0(JavaThread*, Handle) MAY_SAFEPOINT;

// jdk.internal.reflect.Reflection
bool Reflection_areNestMates(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* Reflection_getCallerClass(JavaThread*);
i32 Reflection_getClassAccessFlags(JavaThread*, Handle) TOUCHES_OBJECTS;

// jdk.internal.util.SystemProps$Raw
Object* SystemProps_platformProperties(JavaThread*) MAY_SAFEPOINT;
Object* SystemProps_vmProperties(JavaThread*) MAY_SAFEPOINT;

}  // namespace keyhole::natives
