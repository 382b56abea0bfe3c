// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sites, reasons, levels.
#include "vm/interpreter/recorded_code.h"

#include <utility>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/sync/recording/recorded.h"

namespace keyhole::interpreter {

namespace {

Left reason_of(JavaThread* thread, const Cell* pc) {
  if (u32 written = std::exchange(thread->left_for, 0)) return static_cast<Left>(written);
  if (thread->poll.load(std::memory_order_relaxed) != 0) return Left::AtPoll;
  Operation operation = operation_of(load_cell(pc));
  if (has(operation, effect::allocates)) return Left::ForMemory;
  if (row(operation).category == Category::monitor) return Left::ForMonitor;
  if (operation == Operation::athrow) return Left::Throws;
  return Left::Unknown;
}

// Remembered as sites are.
u32 name_number(const Method* method) {
  auto name = [](const void* its) { return static_cast<const Method*>(its)->external_name(); };
  return recorder::site(method, name, method);
}

}  // namespace

std::string_view name_of(Left reason) {
  switch (reason) {
    case Left::AtPoll: return "poll";
    case Left::ForMemory: return "memory";
    case Left::ForMonitor: return "monitor";
    case Left::Throws: return "throws";
    case Left::Obsolete: return "obsolete";
    case Left::Unknown: case Left::MostOfCode: break;
  }
  return "other";
}

void record_left(JavaThread* thread, const Cell* pc, const Method* root) {
  Left reason = reason_of(thread, pc);
  if (reason == Left::ForMonitor && recorder::replaces_fast_paths()) return;
  recorder::record(recorder::Kind::deoptimized, sync::recorded::site_of(thread), name_number(root),
                   static_cast<u32>(reason));
}

void record_loop_entry(JavaThread* thread, Frame* frame, const Cell* pc) {
  const CompiledCode* code = place_to_continue(frame, pc).code;
  if (code == nullptr) return;
  frame->pc = pc;
  thread->top_frame = frame;
  recorder::record(recorder::Kind::loop_entered, sync::recorded::site_of(thread), name_number(code->method),
                   code->level);
}

}  // namespace keyhole::interpreter
