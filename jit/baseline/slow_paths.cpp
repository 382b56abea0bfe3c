// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits the slow paths from code into the interpreter, and the returns to the code.
#include "jit/baseline/slow_paths.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

// --- the bytecode being compiled -------------------------------------------------------------------------------------

void SlowPaths::begin_instruction(u32 instruction) {
  instruction_ = instruction;
  fallback_.reset();
  side_exit_.reset();
  is_always_interpreted_ = false;
}

u32 SlowPaths::add(u32 instruction, SlowPath::Kind kind) {
  paths_.push_back({.label = a_.newLabel(),
                    .instruction = instruction,
                    .kind = kind,
                    .before = snapshots_.take(stack_.before()),
                    .dirty = locals_.dirty()});
  return static_cast<u32>(paths_.size() - 1);
}

u32 SlowPaths::fallback_path() {
  if (inlined_at_) return side_exit_path();
  if (!fallback_) fallback_ = add(instruction_, SlowPath::Fallback);
  return *fallback_;
}

u32 SlowPaths::side_exit_path() {
  if (!side_exit_) side_exit_ = add(inlined_at_.value_or(instruction_), SlowPath::SideExit);
  return *side_exit_;
}

Label SlowPaths::end_profiling() { return paths_[add(instruction_, SlowPath::EndProfiling)].label; }

void SlowPaths::always_fallback(bool counts) { always(fallback_path(), counts); }
void SlowPaths::always_side_exit(bool counts) { always(side_exit_path(), counts); }

void SlowPaths::always(u32 path, bool counts) {
  a_.jmp(paths_[path].label);
  paths_[path].counts = counts;
  is_always_interpreted_ = true;
  stack_.reset(stack_.depth());
  locals_.forget();
}

void SlowPaths::resume_fallback_here(const Label& again, const Label& entry) {
  SlowPath& path = paths_[*fallback_];
  path.again = again;
  path.entry = entry;
  path.after = snapshots_.take(stack_.values());
  path.good_after = locals_.good();
}

u32 SlowPaths::add_call(u32 instruction, std::function<void()> call) {
  u32 index = add(instruction, SlowPath::Fallback);
  paths_[index].call = std::move(call);
  return index;
}

void SlowPaths::resume_call_here(u32 index, bool returns_value) {
  SlowPath& path = paths_[index];
  path.again = a_.newLabel();
  a_.bind(path.again);
  path.after = snapshots_.take(stack_.values());
  path.good_after = locals_.good();
  path.returns_value = returns_value;
}

// --- after the code --------------------------------------------------------------------------------------------------

void SlowPaths::emit(const std::atomic<i32>& unresolved_left) {
  locals_.forget();  // the first instructions of each path write dirty copies back, so memory is up to date
  for (const auto& emit : cold_) emit();
  for (const SlowPath& path : paths_) emit_path(path);
  emit_exits(unresolved_left);
}

void SlowPaths::emit_path(const SlowPath& path) {
  static constexpr const char* names[] = {"interpreter fallback", "side exit", "end of profiling"};
  if (a_.is_listing())
    a_.commentf("; bci %u, %s", instructions_.bci(path.instruction), path.call ? "call" : names[path.kind]);
  a_.bind(path.label);
  locals_.set_good(0);
  locals_.write_back(path.dirty);
  for (const Value& value : snapshots_.outside_slots(path.before)) values_.store(value.slot, value);
  if (path.call) {
    path.call();
    if (path.returns_value) a_.mov(frame_.stack_slot(path.after.depth - 1), x86::rdx);
    resume_after(path);
    return;
  }
  a_.lea(x86::r13, frame_.address_of_stack_slot(path.before.depth - 1));
  a_.load_address(x86::r12, instructions_.address(path.instruction));
  Label& exit = exits_[path.kind][path.counts];
  if (!exit.isValid()) exit = a_.newLabel();
  a_.jmp(exit);
  if (!path.again.isValid()) return;
  a_.bind(path.entry);
  resume_after(path);
}

// Emits the shared ends of slow paths. There r12 points to the bytecode, and r13 to the stack slot of the top operand.
void SlowPaths::emit_exits(const std::atomic<i32>& unresolved_left) {
  for (SlowPath::Kind kind : {SlowPath::Fallback, SlowPath::SideExit, SlowPath::EndProfiling}) {
    for (bool counts : {false, true}) {
      if (!exits_[kind][counts].isValid()) continue;
      a_.bind(exits_[kind][counts]);
      a_.lea(x86::rdi, frame_.field(0));
      a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
      if (counts) {
        a_.load_address(x86::rax, &unresolved_left);
        a_.dec(x86::dword_ptr(x86::rax));
        a_.jz(imm(stubs_.recompile));
      }
      if (kind == SlowPath::EndProfiling) {
        a_.mov(frame_.field(offsetof(Frame, locals)), locals_register);
        a_.load_address(x86::rax, reinterpret_cast<const void*>(&interp_end_profiling_and_interpret));
        a_.jmp(imm(stubs_.hand_over));
      } else {
        uptr fallback = counts ? stubs_.fallback_unresolved : stubs_.fallback;
        a_.jmp(imm(kind == SlowPath::SideExit ? stubs_.side_exit : fallback));
      }
    }
  }
}

// Loads operands from their stack slots into the places where the code after the bytecode expects them.
void SlowPaths::resume_after(const SlowPath& path) {
  for (const Value& value : snapshots_.outside_slots(path.after)) {
    // The operand is a local that is not loaded yet. If the local is dead, the collector has not updated it, so the
    // local is set from the operand's stack slot.
    if (value.kind == Kind::Local) {
      a_.mov(x86::rax, frame_.stack_slot(value.slot));
      a_.mov(frame_.local(value.number), x86::rax);
    }
    if (value.kind != Kind::Register) continue;
    if (is_vector(value.number)) a_.movq(vector_register(value.number), frame_.stack_slot(value.slot));
    else if (value.zero_extended) a_.mov(x86::gpd(value.number), frame_.stack_slot(value.slot, 4));
    else a_.mov(x86::gpq(value.number), frame_.stack_slot(value.slot));
  }
  locals_.set_good(~path.good_after);
  locals_.load_all();
  a_.jmp(path.again);
}

}  // namespace keyhole::baseline
