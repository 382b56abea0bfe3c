// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// TierWorld: connects the templates of the compile queue and the tier policy to the VM's methods, threads and baseline
// compiler. The model checker has its own small world (tests/model/protocol_compiling.cpp).
#pragma once

#include <atomic>
#include <span>
#include <string_view>

#include "runtime/base/mutex.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/thread_state.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/method_data.h"
#include "vm/link/loading/class_unit.h"
#include "vm/metadata/method.h"

namespace keyhole::tiers {

class OptimisingTier;

struct TierWorld {
  using Thread = JavaThread;
  using Method = keyhole::Method;
  using MethodData = keyhole::MethodData;
  using Unit = ClassUnit;
  using Tier = OptimisingTier;
  using Compilation = interpreter::Compiler::Outcome;
  using Mutex = keyhole::Mutex;
  using Lock = MutexLock;
  using Condition = ConditionVariable;
  using BlockedScope = keyhole::BlockedScope;
  template <typename T> using Atomic = std::atomic<T>;

  static i64 now_nanoseconds() { return hardware::now_nanoseconds(); }

  static Unit* mortal_unit_of(const Method* method);
  static void pin(Unit* unit) { keyhole::pin(unit); }
  static void unpin(Unit* unit) { keyhole::unpin(unit); }

  static MethodData* make_method_data(Method* method) { return interpreter::make_method_data(method); }
  // Makes MethodData for the methods that the baseline compiler inlines into this method. Inlined profiled code counts
  // in the MethodData of the inlined methods.
  static void make_data_of_inlined(const Method* method);
  // Recompiles the method with the baseline compiler, which makes profiled code if Policy::is_profiling returns true.
  static Compilation recompile(Thread* thread, Method* method) {
    return interpreter::compiler()->recompile(thread, method);
  }
  static bool make_room(Thread* thread) MAY_SAFEPOINT { return interpreter::compiler()->make_room(thread); }
  // Whether the method's newest code is profiled.
  static bool has_profiled_code(const Method* method);

  // Returns the bci of the header of the loop to compile, for a method with recent samples at `bcis`.
  static i32 loop_of(const Method* method, std::span<const u32> bcis, bool by_back_edges);
  static bool has_gone_round(const Method* method, i32 loop);
  static void note_hot_outside_code(const Method* method);
  static u32 next_number();
  static void announce(u32 number, const Method* method, bool is_loop,
                       u8 level);  // to -XX:+PrintCompilation, a recording
  static void announce_end(const Method* method, std::string_view outcome,
                           u8 level);  // to -Xlog:jit+queue, a recording
};

}  // namespace keyhole::tiers
