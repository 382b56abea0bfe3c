// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.management and jdk.management (java.lang.management,
// com.sun.management); names and parameters as in classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// sun.management.VMManagementImpl
Object* VMManagementImpl_getVersion0(JavaThread*) MAY_SAFEPOINT;
void VMManagementImpl_initOptionalSupportFields(JavaThread*) MAY_SAFEPOINT;
bool VMManagementImpl_isThreadContentionMonitoringEnabled(JavaThread*, Handle);
bool VMManagementImpl_isThreadCpuTimeEnabled(JavaThread*, Handle);
bool VMManagementImpl_isThreadAllocatedMemoryEnabled(JavaThread*, Handle);
i64 VMManagementImpl_getTotalClassCount(JavaThread*, Handle);
i64 VMManagementImpl_getUnloadedClassCount(JavaThread*, Handle);
bool VMManagementImpl_endAOTRecording(JavaThread*, Handle);
bool VMManagementImpl_getVerboseClass(JavaThread*, Handle);
bool VMManagementImpl_getVerboseGC(JavaThread*, Handle);
i32 VMManagementImpl_getProcessId(JavaThread*, Handle);
Object* VMManagementImpl_getVmArguments0(JavaThread*, Handle) MAY_SAFEPOINT;
i64 VMManagementImpl_getStartupTime(JavaThread*, Handle);
i64 VMManagementImpl_getUptime0(JavaThread*, Handle);
i32 VMManagementImpl_getAvailableProcessors(JavaThread*, Handle);
i64 VMManagementImpl_getTotalCompileTime(JavaThread*, Handle);
i64 VMManagementImpl_getTotalThreadCount(JavaThread*, Handle);
i32 VMManagementImpl_getLiveThreadCount(JavaThread*, Handle);
i32 VMManagementImpl_getPeakThreadCount(JavaThread*, Handle);
i32 VMManagementImpl_getDaemonThreadCount(JavaThread*, Handle);
i64 VMManagementImpl_getSafepointCount(JavaThread*, Handle);
i64 VMManagementImpl_getTotalSafepointTime(JavaThread*, Handle);
i64 VMManagementImpl_getSafepointSyncTime(JavaThread*, Handle);
i64 VMManagementImpl_getTotalApplicationNonStoppedTime(JavaThread*, Handle);
i64 VMManagementImpl_getLoadedClassSize(JavaThread*, Handle);
i64 VMManagementImpl_getUnloadedClassSize(JavaThread*, Handle);
i64 VMManagementImpl_getClassLoadingTime(JavaThread*, Handle);
i64 VMManagementImpl_getMethodDataSize(JavaThread*, Handle);
i64 VMManagementImpl_getInitializedClassCount(JavaThread*, Handle);
i64 VMManagementImpl_getClassInitializationTime(JavaThread*, Handle);
i64 VMManagementImpl_getClassVerificationTime(JavaThread*, Handle);

// sun.management.ClassLoadingImpl
void ClassLoadingImpl_setVerboseClass(JavaThread*, bool);

// sun.management.HotspotThread
i32 HotspotThread_getInternalThreadCount(JavaThread*, Handle);
i32 HotspotThread_getInternalThreadTimes0(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;

// sun.management.MemoryImpl
Object* MemoryImpl_getMemoryPools0(JavaThread*) MAY_SAFEPOINT;
Object* MemoryImpl_getMemoryManagers0(JavaThread*) MAY_SAFEPOINT;
Object* MemoryImpl_getMemoryUsage0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
void MemoryImpl_setVerboseGC(JavaThread*, Handle, bool);

// sun.management.MemoryPoolImpl
Object* MemoryPoolImpl_getUsage0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* MemoryPoolImpl_getPeakUsage0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* MemoryPoolImpl_getCollectionUsage0(JavaThread*, Handle) MAY_SAFEPOINT;
void MemoryPoolImpl_setUsageThreshold0(JavaThread*, Handle, i64, i64) MAY_SAFEPOINT;
void MemoryPoolImpl_setCollectionThreshold0(JavaThread*, Handle, i64, i64) MAY_SAFEPOINT;
void MemoryPoolImpl_resetPeakUsage0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* MemoryPoolImpl_getMemoryManagers0(JavaThread*, Handle) MAY_SAFEPOINT;
void MemoryPoolImpl_setPoolUsageSensor(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void MemoryPoolImpl_setPoolCollectionSensor(JavaThread*, Handle, Handle) MAY_SAFEPOINT;

// sun.management.MemoryManagerImpl
Object* MemoryManagerImpl_getMemoryPools0(JavaThread*, Handle) MAY_SAFEPOINT;

// sun.rmi.transport.GC
i64 GC_maxObjectInspectionAge(JavaThread*);

// sun.management.GarbageCollectorImpl
i64 GarbageCollectorImpl_getCollectionCount(JavaThread*, Handle) MAY_SAFEPOINT;
i64 GarbageCollectorImpl_getCollectionTime(JavaThread*, Handle) MAY_SAFEPOINT;

// sun.management.ThreadImpl
Object* ThreadImpl_getThreads(JavaThread*) MAY_SAFEPOINT;
void ThreadImpl_getThreadInfo1(JavaThread*, Handle, i32, Handle) MAY_SAFEPOINT;
i64 ThreadImpl_getThreadTotalCpuTime0(JavaThread*, i64);
void ThreadImpl_getThreadTotalCpuTime1(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 ThreadImpl_getThreadUserCpuTime0(JavaThread*, i64);
void ThreadImpl_getThreadUserCpuTime1(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 ThreadImpl_getThreadAllocatedMemory0(JavaThread*, i64);
void ThreadImpl_getThreadAllocatedMemory1(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 ThreadImpl_getTotalThreadAllocatedMemory(JavaThread*);
void ThreadImpl_setThreadCpuTimeEnabled0(JavaThread*, bool);
void ThreadImpl_setThreadAllocatedMemoryEnabled0(JavaThread*, bool);
void ThreadImpl_setThreadContentionMonitoringEnabled0(JavaThread*, bool);
Object* ThreadImpl_findMonitorDeadlockedThreads0(JavaThread*) MAY_SAFEPOINT;
Object* ThreadImpl_findDeadlockedThreads0(JavaThread*) MAY_SAFEPOINT;
void ThreadImpl_resetPeakThreadCount0(JavaThread*);
Object* ThreadImpl_dumpThreads0(JavaThread*, Handle, bool, bool, i32) MAY_SAFEPOINT;
void ThreadImpl_resetContentionTimes0(JavaThread*, i64) MAY_SAFEPOINT;

// com.sun.management.internal.GarbageCollectorExtImpl
void GarbageCollectorExtImpl_setNotificationEnabled(JavaThread*, Handle, Handle, bool) MAY_SAFEPOINT;

// com.sun.management.internal.GcInfoBuilder
i32 GcInfoBuilder_getNumGcExtAttributes(JavaThread*, Handle, Handle);
void GcInfoBuilder_fillGcAttributeInfo(JavaThread*, Handle, Handle, i32, Handle, Handle, Handle) MAY_SAFEPOINT;
Object* GcInfoBuilder_getLastGcInfo0(JavaThread*, Handle, Handle, i32, Handle, Handle, Handle, Handle) MAY_SAFEPOINT;

// com.sun.management.internal.OperatingSystemImpl
i64 OperatingSystemImpl_getCommittedVirtualMemorySize0(JavaThread*, Handle);
i64 OperatingSystemImpl_getFreeMemorySize0(JavaThread*, Handle);
i64 OperatingSystemImpl_getFreeSwapSpaceSize0(JavaThread*, Handle);
i64 OperatingSystemImpl_getMaxFileDescriptorCount0(JavaThread*, Handle);
i64 OperatingSystemImpl_getOpenFileDescriptorCount0(JavaThread*, Handle);
i64 OperatingSystemImpl_getProcessCpuTime0(JavaThread*, Handle);
f64 OperatingSystemImpl_getProcessCpuLoad0(JavaThread*, Handle);
f64 OperatingSystemImpl_getCpuLoad0(JavaThread*, Handle);
i64 OperatingSystemImpl_getTotalMemorySize0(JavaThread*, Handle);
i64 OperatingSystemImpl_getTotalSwapSpaceSize0(JavaThread*, Handle);
f64 OperatingSystemImpl_getSingleCpuLoad0(JavaThread*, Handle, i32);
i32 OperatingSystemImpl_getHostConfiguredCpuCount0(JavaThread*, Handle);
i32 OperatingSystemImpl_getHostOnlineCpuCount0(JavaThread*, Handle);
i64 OperatingSystemImpl_getHostTotalCpuTicks0(JavaThread*, Handle);
void OperatingSystemImpl_initialize0(JavaThread*);

// jdk.internal.platform.CgroupMetrics
bool CgroupMetrics_isContainerized0(JavaThread*);
bool CgroupMetrics_isUseContainerSupport(JavaThread*);
i64 CgroupMetrics_getTotalMemorySize0(JavaThread*);
i64 CgroupMetrics_getTotalSwapSize0(JavaThread*);

// com.sun.management.internal.Flag
Object* Flag_getAllFlagNames(JavaThread*) MAY_SAFEPOINT;
i32 Flag_getFlags(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 Flag_getInternalFlagCount(JavaThread*);
void Flag_setLongValue(JavaThread*, Handle, i64) MAY_SAFEPOINT;
void Flag_setDoubleValue(JavaThread*, Handle, f64) MAY_SAFEPOINT;
void Flag_setBooleanValue(JavaThread*, Handle, bool) MAY_SAFEPOINT;
void Flag_setStringValue(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void Flag_initialize(JavaThread*);

// com.sun.management.internal.HotSpotDiagnostic
void HotSpotDiagnostic_dumpHeap0(JavaThread*, Handle, Handle, bool) MAY_SAFEPOINT;

// com.sun.management.internal.DiagnosticCommandImpl
void DiagnosticCommandImpl_setNotificationEnabled(JavaThread*, Handle, bool);
Object* DiagnosticCommandImpl_getDiagnosticCommands(JavaThread*, Handle) MAY_SAFEPOINT;
Object* DiagnosticCommandImpl_getDiagnosticCommandInfo(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* DiagnosticCommandImpl_executeDiagnosticCommand(JavaThread*, Handle, Handle) MAY_SAFEPOINT;

// jdk.internal.agent.FileSystemImpl
bool FileSystemImpl_isAccessUserOnly0(JavaThread*, Handle) MAY_SAFEPOINT;

}  // namespace keyhole::natives
