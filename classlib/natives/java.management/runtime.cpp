// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Facts about the VM: sun.management.VMManagementImpl, ClassLoadingImpl, HotspotThread.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/system_properties.h"
#include "classlib/natives/java.base/lang/thread_waits.h"
#include "classlib/natives/java.management/support.h"
#include "runtime/base/code_memory.h"
#include "runtime/base/log.h"
#include "runtime/base/metaspace.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "vm/link/loading/class_unloading.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::natives {

namespace {

// The result that java gives under -XX:-UsePerfData for values that it does not measure.
constexpr i64 not_measured = -1;

i64 milliseconds(i64 nanoseconds) { return nanoseconds / 1'000'000; }

i64 wall_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return i64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

i64 count_classes(bool (*is_counted)(const Klass* klass)) {
  i64 count = 0;
  for_each_klass([&](Klass* klass) { count += is_counted(klass) ? 1 : 0; });
  return count;
}

}  // namespace

i64 management::uptime_milliseconds(i64 monotonic_nanoseconds) {
  return milliseconds(monotonic_nanoseconds - log::start_nanoseconds());
}

// The version of HotSpot's management interface that OpenJDK 17's library was made for.
Object* VMManagementImpl_getVersion0(JavaThread* thread) {
  return make_string_utf8(thread, release::management_version());
}

void VMManagementImpl_initOptionalSupportFields(JavaThread* thread) {
  const auto* row = late::get<late::VMManagementImpl>(thread);
  if (row == nullptr) return;
  Object* statics = row->klass->mirror;
  for (u32 field :
       {row->compilation_time, row->contention, row->current_cpu_time, row->other_cpu_time, row->monitor_usage,
        row->synchronizer_usage, row->allocated_memory, row->gc_notification, row->diagnostic_commands})
    statics->set<u8>(field, 1);
  if (code_memory::capacity_bytes.load(std::memory_order_relaxed) == 0) statics->set<u8>(row->compilation_time, 0);
}

// --- the process -----------------------------------------------------------------------------------------------------

i32 VMManagementImpl_getProcessId(JavaThread*, Handle) { return getpid(); }
Object* VMManagementImpl_getVmArguments0(JavaThread* thread, Handle) { return VM_getRuntimeArguments(thread); }
i64 VMManagementImpl_getUptime0(JavaThread*, Handle) {
  return management::uptime_milliseconds(hardware::now_nanoseconds());
}
i64 VMManagementImpl_getStartupTime(JavaThread*, Handle) {
  static const i64 started =
      milliseconds(wall_nanoseconds()) - management::uptime_milliseconds(hardware::now_nanoseconds());
  return started;
}
i32 VMManagementImpl_getAvailableProcessors(JavaThread* thread, Handle self) {
  return Runtime_availableProcessors(thread, self);
}
i64 VMManagementImpl_getTotalCompileTime(JavaThread*, Handle) {
  return milliseconds(code_memory::compile_nanoseconds.load(std::memory_order_relaxed));
}

// --- threads and safepoints ------------------------------------------------------------------------------------------

i64 VMManagementImpl_getTotalThreadCount(JavaThread*, Handle) { return static_cast<i64>(threads::totals().started); }
i32 VMManagementImpl_getLiveThreadCount(JavaThread*, Handle) { return static_cast<i32>(threads::totals().live); }
i32 VMManagementImpl_getPeakThreadCount(JavaThread*, Handle) { return static_cast<i32>(threads::totals().peak); }
i32 VMManagementImpl_getDaemonThreadCount(JavaThread*, Handle) { return static_cast<i32>(threads::totals().daemon); }

i64 VMManagementImpl_getSafepointCount(JavaThread*, Handle) { return static_cast<i64>(safepoint::totals().count); }
i64 VMManagementImpl_getTotalSafepointTime(JavaThread*, Handle) {
  return milliseconds(safepoint::totals().stopped_nanoseconds);
}
i64 VMManagementImpl_getSafepointSyncTime(JavaThread*, Handle) {
  return milliseconds(safepoint::totals().stopping_nanoseconds);
}
i64 VMManagementImpl_getTotalApplicationNonStoppedTime(JavaThread*, Handle) {
  return management::uptime_milliseconds(hardware::now_nanoseconds()) -
         milliseconds(safepoint::totals().stopped_nanoseconds);
}

// The number of the VM's internal Java threads.
i32 HotspotThread_getInternalThreadCount(JavaThread*, Handle) {
  return static_cast<i32>(threads::count() - threads::totals().live);
}

i32 HotspotThread_getInternalThreadTimes0(JavaThread* thread, Handle, Handle names, Handle times) {
  struct Time {
    std::string name;
    i64 nanoseconds;
  };
  std::vector<Time> found;
  threads::for_each_platform_thread([&](JavaThread* each) {
    if (each->vm_internal)
      found.push_back({each->vm_name == nullptr ? "Unknown thread" : each->vm_name, cpu_nanoseconds(each)});
  });
  i32 count = std::min({static_cast<i32>(found.size()), names->length(), times->length()});
  for (i32 i = 0; i < count; ++i) {
    Object* name = make_string_utf8(thread, found[static_cast<usize>(i)].name);
    if (name == nullptr) return 0;
    barrier::store_element(names.get(), i, name);
    times->elements<i64>()[i] = found[static_cast<usize>(i)].nanoseconds;
  }
  return count;
}

// --- classes ---------------------------------------------------------------------------------------------------------

i64 VMManagementImpl_getTotalClassCount(JavaThread*, Handle) {
  return count_classes([](const Klass* klass) { return klass->is_instance(); }) +
         static_cast<i64>(unloaded_class_count());
}
i64 VMManagementImpl_getUnloadedClassCount(JavaThread*, Handle) { return static_cast<i64>(unloaded_class_count()); }
i64 VMManagementImpl_getInitializedClassCount(JavaThread*, Handle) {
  return count_classes(
      [](const Klass* klass) { return klass->is_instance() && klass->as_instance()->is_initialized(); });
}
i64 VMManagementImpl_getLoadedClassSize(JavaThread*, Handle) { return static_cast<i64>(metaspace::used_bytes()); }
i64 VMManagementImpl_getMethodDataSize(JavaThread*, Handle) { return not_measured; }
i64 VMManagementImpl_getUnloadedClassSize(JavaThread*, Handle) { return not_measured; }
i64 VMManagementImpl_getClassLoadingTime(JavaThread*, Handle) { return not_measured; }
i64 VMManagementImpl_getClassInitializationTime(JavaThread*, Handle) { return not_measured; }
i64 VMManagementImpl_getClassVerificationTime(JavaThread*, Handle) { return not_measured; }
// False: this VM never records for an AOT cache.
bool VMManagementImpl_endAOTRecording(JavaThread*, Handle) { return false; }

// --- logging ---------------------------------------------------------------------------------------------------------

bool VMManagementImpl_getVerboseClass(JavaThread*, Handle) {
  return log::enabled(log::TagSet::class_load, log::Level::info);
}
bool VMManagementImpl_getVerboseGC(JavaThread*, Handle) { return log::enabled(log::TagSet::gc, log::Level::info); }
void ClassLoadingImpl_setVerboseClass(JavaThread*, bool value) {
  log::configure(value ? ":class+load" : ":class+load=off");
}

}  // namespace keyhole::natives
