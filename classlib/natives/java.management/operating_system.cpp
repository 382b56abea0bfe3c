// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine and this process, from /proc and the C library: com.sun.management.internal.OperatingSystemImpl,
// jdk.internal.platform.CgroupMetrics, jdk.internal.agent.FileSystemImpl.
#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"
#include "runtime/base/flags.h"
#include "runtime/base/mutex.h"

namespace keyhole::natives {

namespace {

constexpr i64 unknown = -1;

// The number after `name` in a file with lines "name: number kB", in bytes.
i64 kibibytes_in(const char* path, std::string_view name) {
  std::string text = file_contents(path);
  usize at = text.starts_with(name) ? 0 : text.find(fmt::format("\n{}", name));
  if (at == std::string::npos) return unknown;
  return strtoll(text.c_str() + text.find(':', at) + 1, nullptr, 10) * 1024;
}

struct sysinfo memory() {
  struct sysinfo info{};
  sysinfo(&info);
  return info;
}
i64 in_bytes(const struct sysinfo& info, unsigned long units) {
  return static_cast<i64>(units) * static_cast<i64>(info.mem_unit);
}

// Ticks since the start, total and busy: of a line of /proc/stat, or of this process.
struct Ticks {
  u64 busy = 0, all = 0;
};

Ticks machine_ticks(std::string_view processor) {
  std::string text = file_contents("/proc/stat");
  usize at = text.starts_with(processor) ? 0 : text.find(fmt::format("\n{} ", processor));
  if (at == std::string::npos) return {};
  unsigned long long user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupt = 0, soft = 0, stolen = 0;
  sscanf(text.c_str() + text.find(' ', at), " %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
         &waiting, &interrupt, &soft, &stolen);
  u64 busy = user + nice + system + interrupt + soft + stolen;
  return {busy, busy + idle + waiting};
}

u64 process_ticks() {
  tms used;
  times(&used);
  return static_cast<u64>(used.tms_utime + used.tms_stime);
}

// A load is the fraction of busy ticks since the last call: 0 .. 1; -1 at the first.
class Load {
 public:
  f64 since_last(const Ticks& now) {
    MutexLock guard(mutex_);
    u64 busy = now.busy - last_.busy, all = now.all - last_.all;
    if (now.all == 0) return unknown;
    if (all != 0 && last_.all != 0) answer_ = std::min(1.0, static_cast<f64>(busy) / static_cast<f64>(all));
    last_ = now;
    return answer_;
  }

 private:
  Mutex mutex_{LockRank::processor_load};
  Ticks last_ GUARDED_BY(mutex_);
  f64 answer_ GUARDED_BY(mutex_) = 0;
};

Load machine_load, process_load;
Load single_loads[CPU_SETSIZE];

}  // namespace

void OperatingSystemImpl_initialize0(JavaThread*) {}

// --- memory ----------------------------------------------------------------------------------------------------------

i64 OperatingSystemImpl_getCommittedVirtualMemorySize0(JavaThread*, Handle) {
  return kibibytes_in("/proc/self/status", "VmSize");
}

// Does a control group limit this process? The VM says no.
bool CgroupMetrics_isContainerized0(JavaThread*) { return false; }
// If this is enabled, the library itself reads the limits of control groups.
bool CgroupMetrics_isUseContainerSupport(JavaThread*) { return flags::UseContainerSupport; }
i64 CgroupMetrics_getTotalMemorySize0(JavaThread*) {
  struct sysinfo info = memory();
  return in_bytes(info, info.totalram);
}
i64 CgroupMetrics_getTotalSwapSize0(JavaThread*) {
  struct sysinfo info = memory();
  return in_bytes(info, info.totalswap);
}

i64 OperatingSystemImpl_getTotalMemorySize0(JavaThread* thread, Handle) {
  return CgroupMetrics_getTotalMemorySize0(thread);
}
i64 OperatingSystemImpl_getFreeMemorySize0(JavaThread*, Handle) {
  struct sysinfo info = memory();
  return in_bytes(info, info.freeram);
}
i64 OperatingSystemImpl_getTotalSwapSpaceSize0(JavaThread* thread, Handle) {
  return CgroupMetrics_getTotalSwapSize0(thread);
}
i64 OperatingSystemImpl_getFreeSwapSpaceSize0(JavaThread*, Handle) {
  struct sysinfo info = memory();
  return in_bytes(info, info.freeswap);
}

// --- processors ------------------------------------------------------------------------------------------------------

i64 OperatingSystemImpl_getProcessCpuTime0(JavaThread*, Handle) {
  rusage used;
  if (getrusage(RUSAGE_SELF, &used) != 0) return unknown;
  auto nanoseconds = [](const timeval& time) { return i64{time.tv_sec} * 1'000'000'000 + i64{time.tv_usec} * 1000; };
  return nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
}

f64 OperatingSystemImpl_getCpuLoad0(JavaThread*, Handle) { return machine_load.since_last(machine_ticks("cpu")); }
f64 OperatingSystemImpl_getProcessCpuLoad0(JavaThread*, Handle) {
  return process_load.since_last({process_ticks(), machine_ticks("cpu").all});
}
f64 OperatingSystemImpl_getSingleCpuLoad0(JavaThread*, Handle, i32 processor) {
  if (processor < 0 || processor >= CPU_SETSIZE) return unknown;
  return single_loads[processor].since_last(machine_ticks(fmt::format("cpu{}", processor)));
}
i32 OperatingSystemImpl_getHostConfiguredCpuCount0(JavaThread*, Handle) {
  return static_cast<i32>(sysconf(_SC_NPROCESSORS_CONF));
}
i32 OperatingSystemImpl_getHostOnlineCpuCount0(JavaThread*, Handle) {
  return static_cast<i32>(sysconf(_SC_NPROCESSORS_ONLN));
}
i64 OperatingSystemImpl_getHostTotalCpuTicks0(JavaThread*, Handle) {
  return static_cast<i64>(machine_ticks("cpu").all);
}

// --- files -----------------------------------------------------------------------------------------------------------

i64 OperatingSystemImpl_getOpenFileDescriptorCount0(JavaThread*, Handle) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return unknown;
  i64 count = -1;  // without the descriptor that is reading
  while (dirent* entry = readdir(folder)) count += entry->d_name[0] == '.' ? 0 : 1;
  closedir(folder);
  return count;
}

i64 OperatingSystemImpl_getMaxFileDescriptorCount0(JavaThread*, Handle) {
  rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<i64>(limit.rlim_cur) : unknown;
}

bool FileSystemImpl_isAccessUserOnly0(JavaThread* thread, Handle path) {
  struct stat status;
  if (stat(string_to_utf8(path.get()).c_str(), &status) != 0)
    return throw_message(thread, names::java_io_IOException, strerror(errno));
  return (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

}  // namespace keyhole::natives
