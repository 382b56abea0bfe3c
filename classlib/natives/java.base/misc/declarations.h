// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of jdk.internal.misc and other small packages; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.lang.Double
i64 Double_doubleToRawLongBits(JavaThread*, f64);
f64 Double_longBitsToDouble(JavaThread*, i64);

// java.lang.Float
i32 Float_floatToRawIntBits(JavaThread*, f32);
f32 Float_intBitsToFloat(JavaThread*, i32);

// java.lang.String
Object* String_intern(JavaThread*, Handle) MAY_SAFEPOINT;

// java.lang.StringUTF16
bool StringUTF16_isBigEndian(JavaThread*);

// java.util.concurrent.locks.AbstractOwnableSynchronizer
void AbstractOwnableSynchronizer_setExclusiveOwnerThread(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;

// java.security.AccessController
void AccessController_ensureMaterializedForStackWalk(JavaThread*, Handle);
Object* AccessController_getInheritedAccessControlContext(JavaThread*) TOUCHES_OBJECTS;
Object* AccessController_getProtectionDomain(JavaThread*, Handle) MAY_SAFEPOINT;
Object* AccessController_getStackAccessControlContext(JavaThread*) MAY_SAFEPOINT;

// java.util.TimeZone
Object* TimeZone_getSystemGMTOffsetID(JavaThread*) MAY_SAFEPOINT;
Object* TimeZone_getSystemTimeZoneID(JavaThread*, Handle) MAY_SAFEPOINT;

// java.util.concurrent.atomic.AtomicLong
bool AtomicLong_VMSupportsCS8(JavaThread*);

// jdk.internal.jimage.NativeImageBuffer
Object* NativeImageBuffer_getNativeMap(JavaThread*, Handle);

// jdk.internal.misc.CDS
void CDS_defineArchivedModules(JavaThread*, Handle, Handle);
void CDS_dumpClassList(JavaThread*, Handle);
void CDS_dumpDynamicArchive(JavaThread*, Handle);
i32 CDS_getCDSConfigStatus(JavaThread*);
i64 CDS_getRandomSeedForDumping(JavaThread*);
void CDS_initializeFromArchive(JavaThread*, Handle);
bool CDS_isDumpingArchive0(JavaThread*);
bool CDS_isDumpingClassList0(JavaThread*);
bool CDS_isSharingEnabled0(JavaThread*);
void CDS_logLambdaFormInvoker(JavaThread*, Handle);
bool CDS_needsClassInitBarrier0(JavaThread*, Handle);

// jdk.internal.misc.PreviewFeatures
bool PreviewFeatures_isPreviewEnabled(JavaThread*);

// jdk.internal.misc.ScopedMemoryAccess
bool ScopedMemoryAccess_closeScope0(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;
bool ScopedMemoryAccess_closeScope0_21(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void ScopedMemoryAccess_closeScope0_25(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;

// jdk.internal.misc.Unsafe
template <typename T> T Unsafe_get(JavaThread*, Handle, Handle, i64) TOUCHES_OBJECTS;
template <typename T> void Unsafe_put(JavaThread*, Handle, Handle, i64, T) TOUCHES_OBJECTS;
template <typename T> T Unsafe_get_volatile(JavaThread*, Handle, Handle, i64) TOUCHES_OBJECTS;
template <typename T> void Unsafe_put_volatile(JavaThread*, Handle, Handle, i64, T) TOUCHES_OBJECTS;
void Unsafe_registerNatives(JavaThread*) MAY_SAFEPOINT;
Object* Unsafe_allocateInstance(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 Unsafe_allocateMemory0(JavaThread*, Handle, i64);
i32 Unsafe_arrayBaseOffset0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 Unsafe_arrayIndexScale0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 Unsafe_compareAndExchangeInt(JavaThread*, Handle, Handle, i64, i32, i32) TOUCHES_OBJECTS;
i64 Unsafe_compareAndExchangeLong(JavaThread*, Handle, Handle, i64, i64, i64) TOUCHES_OBJECTS;
Object* Unsafe_compareAndExchangeReference(JavaThread*, Handle, Handle, i64, Handle, Handle) TOUCHES_OBJECTS;
bool Unsafe_compareAndSetInt(JavaThread*, Handle, Handle, i64, i32, i32) TOUCHES_OBJECTS;
bool Unsafe_compareAndSetLong(JavaThread*, Handle, Handle, i64, i64, i64) TOUCHES_OBJECTS;
bool Unsafe_compareAndSetReference(JavaThread*, Handle, Handle, i64, Handle, Handle) TOUCHES_OBJECTS;
void Unsafe_copyMemory0(JavaThread*, Handle, Handle, i64, Handle, i64, i64) TOUCHES_OBJECTS;
void Unsafe_copySwapMemory0(JavaThread*, Handle, Handle, i64, Handle, i64, i64, i64) TOUCHES_OBJECTS;
Object* Unsafe_defineClass0(JavaThread*, Handle, Handle, Handle, i32, i32, Handle, Handle) MAY_SAFEPOINT;
void Unsafe_ensureClassInitialized0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void Unsafe_freeMemory0(JavaThread*, Handle, i64);
void Unsafe_fullFence(JavaThread*, Handle);
i32 Unsafe_getLoadAverage0(JavaThread*, Handle, Handle, i32) TOUCHES_OBJECTS;
Object* Unsafe_getReference(JavaThread*, Handle, Handle, i64) TOUCHES_OBJECTS;
Object* Unsafe_getReferenceVolatile(JavaThread*, Handle, Handle, i64) TOUCHES_OBJECTS;
Object* Unsafe_getUncompressedObject(JavaThread*, Handle, i64);
void Unsafe_loadFence(JavaThread*, Handle);
i64 Unsafe_objectFieldOffset0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 Unsafe_objectFieldOffset1(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;
void Unsafe_park(JavaThread*, Handle, bool, i64) MAY_SAFEPOINT;
void Unsafe_putReference(JavaThread*, Handle, Handle, i64, Handle) TOUCHES_OBJECTS;
void Unsafe_putReferenceVolatile(JavaThread*, Handle, Handle, i64, Handle) TOUCHES_OBJECTS;
i64 Unsafe_reallocateMemory0(JavaThread*, Handle, i64, i64);
void Unsafe_setMemory0(JavaThread*, Handle, Handle, i64, i64, i8) TOUCHES_OBJECTS;
bool Unsafe_shouldBeInitialized0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
Object* Unsafe_staticFieldBase0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 Unsafe_staticFieldOffset0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void Unsafe_storeFence(JavaThread*, Handle);
void Unsafe_throwException(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
void Unsafe_unpark(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
void Unsafe_writeback0(JavaThread*, Handle, i64);
void Unsafe_writebackPostSync0(JavaThread*, Handle);
void Unsafe_writebackPreSync0(JavaThread*, Handle);

// jdk.internal.misc.VM
i64 VM_getNanoTimeAdjustment(JavaThread*, i64);
Object* VM_getRuntimeArguments(JavaThread*) MAY_SAFEPOINT;
i64 VM_getegid(JavaThread*);
i64 VM_geteuid(JavaThread*);
i64 VM_getgid(JavaThread*);
i64 VM_getuid(JavaThread*);
void VM_initialize(JavaThread*);
Object* VM_latestUserDefinedLoader0(JavaThread*) TOUCHES_OBJECTS;

// jdk.internal.vm.vector.VectorSupport
i32 VectorSupport_registerNatives(JavaThread*);
Object* VectorSupport_getCPUFeatures(JavaThread*) MAY_SAFEPOINT;
i32 VectorSupport_getMaxLaneCount(JavaThread*, Handle);

// jdk.internal.perf.Perf
Object* Perf_attach(JavaThread*, Handle, Handle, i32, i32) MAY_SAFEPOINT;
Object* Perf_attach0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
Object* Perf_createByteArray(JavaThread*, Handle, Handle, i32, i32, Handle, i32) MAY_SAFEPOINT;
Object* Perf_createLong(JavaThread*, Handle, Handle, i32, i32, i64) MAY_SAFEPOINT;
void Perf_detach(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 Perf_highResCounter(JavaThread*, Handle);
i64 Perf_highResFrequency(JavaThread*, Handle);

// jdk.internal.vm.Continuation
bool ContinuationSupport_isSupported0(JavaThread*);
// The thread that has the stacks of a jdk.internal.vm.Continuation. Null: it has not begun, or has ended.
JavaThread* thread_of_continuation(JavaThread*, Handle continuation) MAY_SAFEPOINT;
// The ContinuationScope of a continuation that has begun.
Object* scope_of_continuation(JavaThread* thread, const JavaThread* continuation) MAY_SAFEPOINT;
i32 Continuation_doYield(JavaThread*) MAY_SAFEPOINT;
void Continuation_registerNatives(JavaThread*) MAY_SAFEPOINT;
void Continuation_enterSpecial(JavaThread*, Handle, bool, bool) MAY_SAFEPOINT;
i32 Continuation_isPinned0(JavaThread*, Handle);
void Continuation_pin(JavaThread*);
void Continuation_unpin(JavaThread*);

// jdk.internal.vm.ThreadSnapshot
Object* ThreadSnapshot_create(JavaThread*, Handle) MAY_SAFEPOINT;

// jdk.internal.vm.VMSupport
Object* VMSupport_getVMTemporaryDirectory(JavaThread*) MAY_SAFEPOINT;
Object* VMSupport_initAgentProperties(JavaThread*, Handle) MAY_SAFEPOINT;

}  // namespace keyhole::natives
