// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack sizes from the flags, limits of native stacks from the system.
#include "runtime/threads/stacks.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/base/flags.h"

namespace keyhole::stacks {

usize default_requested_bytes() {
  return flags::ThreadStackSize != 0 ? static_cast<usize>(flags::ThreadStackSize) * 1_KiB : default_bytes;
}

usize java_stack_bytes(usize requested_bytes) {
  usize requested = requested_bytes != 0 ? requested_bytes : default_requested_bytes();
  return align_up(std::max(requested, minimum_requested_bytes) * java_stack_factor + reserved_zone_bytes, page_bytes);
}

usize native_stack_bytes(usize java_bytes) {
  usize bytes = std::max(std::min(java_bytes * native_stack_factor, ample_native_stack_bytes),
                         java_bytes / large_native_stack_divisor);
  return align_up(std::max(bytes, minimum_native_stack_bytes), page_bytes);
}

char* native_limit_of_started_thread(usize java_bytes) {
  // glibc takes the guard page, the thread descriptor and static TLS out of the stack size that was requested.
  // native_margin_bytes makes up for them.
  char* here = static_cast<char*>(__builtin_frame_address(0));
  return here - native_stack_bytes(java_bytes) + native_margin_bytes;
}

char* native_limit_of_attached_thread() {
  char* here = static_cast<char*>(__builtin_frame_address(0));
  if (getpid() == gettid()) {
    // The stack of the process's first thread grows on demand up to the resource limit, so the limit is used as its
    // size. pthread_getattr_np is slow here: it would read /proc/self/maps.
    rlimit limit;
    usize bytes = minimum_native_stack_bytes;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) bytes = limit.rlim_cur;
    // The program's arguments and environment lie above this frame and take a part of the stack. execve limits this
    // part to a quarter of the stack.
    return here - bytes + bytes / 4 + native_margin_bytes;
  }
  pthread_attr_t attributes;
  void* lowest = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return here - minimum_native_stack_bytes / 2;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return static_cast<char*>(lowest) + page_bytes + native_margin_bytes;
}

}  // namespace keyhole::stacks
