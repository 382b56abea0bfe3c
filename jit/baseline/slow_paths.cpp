// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow paths: into the interpreter, and back.
#include "jit/baseline/slow_paths.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

// --- of the cell being compiled --------------------------------------------------------------------------------------

void SlowPaths::begin_cell(u32 cell) {
  cell_ = cell;
  step_.reset();
  leave_.reset();
  is_always_interpreted_ = false;
}

u32 SlowPaths::add(u32 cell, SlowPath::Way way) {
  paths_.push_back({.label = a_.newLabel(),
                    .cell = cell,
                    .way = way,
                    .before = stack_.before(),
                    .dirty = locals_.dirty()});
  return static_cast<u32>(paths_.size() - 1);
}

u32 SlowPaths::step_path() {
  if (inlined_at_) return leave_path();
  if (!step_) step_ = add(cell_, SlowPath::Step);
  return *step_;
}

u32 SlowPaths::leave_path() {
  if (!leave_) leave_ = add(inlined_at_.value_or(cell_), SlowPath::Leave);
  return *leave_;
}

Label SlowPaths::end_profiling() {
  return paths_[add(cell_, SlowPath::EndProfiling)].label;
}

void SlowPaths::always_step(bool counts) { always(step_path(), counts); }
void SlowPaths::always_leave(bool counts) { always(leave_path(), counts); }

void SlowPaths::always(u32 path, bool counts) {
  a_.jmp(paths_[path].label);
  paths_[path].counts = counts;
  is_always_interpreted_ = true;
  stack_.reset(stack_.depth());
  locals_.forget();
}

void SlowPaths::resume_step_here(const Label& again, const Label& entry) {
  SlowPath& path = paths_[*step_];
  path.again = again;
  path.entry = entry;
  path.after = stack_.values();
  path.good_after = locals_.good();
}

u32 SlowPaths::add_call(u32 cell, std::function<void()> call) {
  u32 index = add(cell, SlowPath::Step);
  paths_[index].call = std::move(call);
  return index;
}

void SlowPaths::resume_call_here(u32 index, bool returns_value) {
  SlowPath& path = paths_[index];
  path.again = a_.newLabel();
  a_.bind(path.again);
  path.after = stack_.values();
  path.good_after = locals_.good();
  path.returns_value = returns_value;
}

// --- behind the code -------------------------------------------------------------------------------------------------

void SlowPaths::emit(const std::atomic<i32>& unresolved_left) {
  locals_.forget();   // memory is right behind the first instructions of each
  for (const auto& emit : cold_) emit();
  for (const SlowPath& path : paths_) emit_path(path);
  emit_ways_out(unresolved_left);
}

void SlowPaths::emit_path(const SlowPath& path) {
  static constexpr const char* ways[] = {"step", "leave", "end of profiling"};
  if (a_.is_listing()) a_.commentf("; bci %u, %s", cells_.bci(path.cell), path.call ? "call" : ways[path.way]);
  a_.bind(path.label);
  locals_.set_good(0);
  locals_.write_back(path.dirty);
  values_.store_all(path.before);
  if (path.call) {
    path.call();
    if (path.returns_value) a_.mov(frame_.home(static_cast<u32>(path.after.size()) - 1), x86::rdx);
    resume_after(path);
    return;
  }
  a_.lea(x86::r13, frame_.address_of_home(static_cast<u32>(path.before.size()) - 1));
  a_.load_address(x86::r12, cells_.address(path.cell));
  Label& way_out = ways_out_[path.way][path.counts];
  if (!way_out.isValid()) way_out = a_.newLabel();
  a_.jmp(way_out);
  if (!path.again.isValid()) return;
  a_.bind(path.entry);
  resume_after(path);
}

// r12 = the cell, r13 = the home of the top operand.
void SlowPaths::emit_ways_out(const std::atomic<i32>& unresolved_left) {
  for (SlowPath::Way way : {SlowPath::Step, SlowPath::Leave, SlowPath::EndProfiling}) {
    for (bool counts : {false, true}) {
      if (!ways_out_[way][counts].isValid()) continue;
      a_.bind(ways_out_[way][counts]);
      a_.lea(x86::rdi, frame_.field(0));
      a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
      if (counts) {
        a_.load_address(x86::rax, &unresolved_left);
        a_.dec(x86::dword_ptr(x86::rax));
        a_.jz(imm(stubs_.recompile));
      }
      if (way == SlowPath::EndProfiling) {
        a_.mov(frame_.field(offsetof(Frame, locals)), locals_register);
        a_.load_address(x86::rax, reinterpret_cast<const void*>(&interp_end_profiling_and_step));
        a_.jmp(imm(stubs_.hand_over));
      } else {
        a_.jmp(imm(way == SlowPath::Leave ? stubs_.leave : counts ? stubs_.step_unresolved : stubs_.step));
      }
    }
  }
}

// All operands are in their homes: back into the state behind the cell.
void SlowPaths::resume_after(const SlowPath& path) {
  for (u32 slot = 0; slot < path.after.size(); ++slot) {
    const Value& value = path.after[slot];
    // The local may be dead by now; then the collector does not update it when it moves the operand's object.
    if (value.kind == Kind::Local) {
      a_.mov(x86::rax, frame_.home(slot));
      a_.mov(frame_.local(value.number), x86::rax);
    }
    if (value.kind != Kind::Register) continue;
    if (is_vector(value.number)) a_.movq(vector_register(value.number), frame_.home(slot));
    else if (value.zero_extended) a_.mov(x86::gpd(value.number), frame_.home(slot, 4));
    else a_.mov(x86::gpq(value.number), frame_.home(slot));
  }
  locals_.set_good(~path.good_after);
  locals_.load_all();
  a_.jmp(path.again);
}

}  // namespace keyhole::baseline
