// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the limit, and makes a thread if needed.
#include "vm/launcher/main_stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include "runtime/base/check.h"
#include "runtime/threads/stacks.h"
#include "vm/code/compiled_code.h"

namespace keyhole {
namespace {

bool is_large_enough(usize java_bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return false;
  if (limit.rlim_cur == RLIM_INFINITY) return true;
  // At full depth the records of all Java frames fill at most half of the stack. The other half is for arguments, the
  // environment and the VM's own functions.
  return java_bytes / sizeof(Frame) * interpreter::call_record_bytes <= limit.rlim_cur / 2;
}

void* start(void* program) {
  (*static_cast<const std::function<void()>*>(program))();
  return nullptr;
}

}  // namespace

void run_on_main_stack(const std::function<void()>& program) {
  usize java_bytes = stacks::java_stack_bytes(0);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (!is_large_enough(java_bytes) &&
      pthread_attr_setstacksize(&attributes, stacks::native_stack_bytes(java_bytes)) == 0 &&
      pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&program)) == 0) {
    pthread_join(thread, nullptr);
  } else {
    program();
  }
  KEYHOLE_FATAL("the program has returned instead of leaving the process");
}

}  // namespace keyhole
