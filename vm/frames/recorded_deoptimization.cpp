// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the reason of a deoptimization and writes the events.
#include "vm/frames/recorded_deoptimization.h"

#include <utility>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/sync/recording/recorded.h"

namespace keyhole::interpreter {

namespace {

DeoptReason reason_of(JavaThread* thread, const Instruction* pc) {
  if (u32 written = std::exchange(thread->deopt_reason, 0)) return static_cast<DeoptReason>(written);
  if (thread->poll.load(std::memory_order_relaxed) != 0) return DeoptReason::Poll;
  Operation operation = operation_of(load_instruction(pc));
  if (has(operation, effect::allocates)) return DeoptReason::Memory;
  if (row(operation).category == Category::monitor) return DeoptReason::Monitor;
  if (operation == Operation::athrow) return DeoptReason::Throw;
  return DeoptReason::Unknown;
}

// The recording's number of a method's name. Numbers are cached, like those of sites.
u32 name_number(const Method* method) {
  auto name = [](const void* its) { return static_cast<const Method*>(its)->external_name(); };
  return recorder::site(method, name, method);
}

}  // namespace

std::string_view name_of(DeoptReason reason) {
  switch (reason) {
    case DeoptReason::Poll: return "poll";
    case DeoptReason::Memory: return "memory";
    case DeoptReason::Monitor: return "monitor";
    case DeoptReason::Throw: return "throws";
    case DeoptReason::Obsolete: return "obsolete";
    case DeoptReason::Unknown:
    case DeoptReason::LastOfCode: break;
  }
  return "other";
}

void record_deoptimization(JavaThread* thread, const Instruction* pc, const Method* root) {
  DeoptReason reason = reason_of(thread, pc);
  if (reason == DeoptReason::Monitor && recorder::replaces_fast_paths()) return;
  recorder::record(recorder::Kind::deoptimized, sync::recorded::site_of(thread), name_number(root),
                   static_cast<u32>(reason));
}

void record_osr_entry(JavaThread* thread, Frame* frame, const Instruction* pc) {
  const CompiledCode* code = place_to_continue(frame, pc).code;
  if (code == nullptr) return;
  frame->pc = pc;
  thread->top_frame = frame;
  recorder::record(recorder::Kind::loop_entered, sync::recorded::site_of(thread), name_number(code->method),
                   code->level);
}

}  // namespace keyhole::interpreter
