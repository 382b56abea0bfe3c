// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the four reactions to exhausted memory.
#include "vm/link/out_of_memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gc/heap/heap.h"
#include "gc/inspect/heap_dump.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/base/process/shell_commands.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {
namespace {

constexpr int exit_code = 3;

void run_commands(JavaThread* thread, const char* message) MAY_SAFEPOINT {
  print_text("#\n# java.lang.OutOfMemoryError: {}\n# -XX:OnOutOfMemoryError=\"{}\"\n", message,
             flags::OnOutOfMemoryError);
  for (const std::string& text : shell_commands(flags::OnOutOfMemoryError)) {
    print_text("#   Executing /bin/sh -c \"{}\"...\n", text);
    fflush(stdout);
    NativeScope native(thread);
    if (system(text.c_str()) == -1) print_text(stderr, "os::fork_and_exec failed: cannot start /bin/sh\n");
  }
}

}  // namespace

void report_out_of_memory(JavaThread* thread, const char* message) {
  std::string_view text = message;
  if (text != heap::exhausted_message && text != heap::overhead_limit_message &&
      text != "Requested array size exceeds VM limit" && text != metadata_exhausted_message &&
      text != class_ids_exhausted_message)
    return;
  static std::atomic<bool> reported;
  if (reported.exchange(true)) return;
  if (flags::HeapDumpOnOutOfMemoryError) {
    print_text("java.lang.OutOfMemoryError: {}\n", message);
    gc::inspect::dump_heap(thread, gc::inspect::next_dump_path());
  }
  if (!flags::OnOutOfMemoryError.empty()) run_commands(thread, message);
  if (flags::CrashOnOutOfMemoryError) {
    print_text("Aborting due to java.lang.OutOfMemoryError: {}\n", message);
    fflush(stdout);
    KEYHOLE_FATAL("OutOfMemory encountered: {}", message);
  }
  if (flags::ExitOnOutOfMemoryError) {
    print_text("Terminating due to java.lang.OutOfMemoryError: {}\n", message);
    fflush(stdout);
    _exit(exit_code);  // no shutdown hooks: they might need memory
  }
}

}  // namespace keyhole
