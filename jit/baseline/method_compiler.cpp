// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pass: block starts, pinned locals, then cell after cell; slow paths and entries behind the code.
#include "jit/baseline/method_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "jit/code/code_cache.h"
#include "runtime/base/flags.h"
#include "vm/interpreter/compiler.h"
#include "vm/link/constant_pool.h"
#include "vm/verify/frame_map.h"
#include "vm/verify/slot_types.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

namespace {

// Where the value of a cell that accesses a local lies: the upper of two slots.
u32 value_local(u64 word) {
  Operation operation = operation_of(word);
  return operand_a(word) + std::max(slots_popped(operation) + slots_pushed(operation), 1u) - 1;
}

// As what an instruction loads or stores a local: i l f d a.
char letter_of_local(Opcode opcode) {
  if (opcode == IINC) return 'i';
  char load = local_load_letter(opcode);
  return load != 0 ? load : local_store_letter(opcode);
}

}  // namespace

// --- which file emits what -------------------------------------------------------------------------------------------

struct EmitterTable {
  // A category that is left out does not compile, nor an operation that its file leaves out (emitted_operations.inc).
  static constexpr MethodCompiler::Emitter emitter_of(Category category) {
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wswitch"
    switch (category) {
      case Category::constant: case Category::local: case Category::shuffle: return &MethodCompiler::emit_local;
      case Category::arithmetic: return &MethodCompiler::emit_arithmetic;
      case Category::branch: return &MethodCompiler::emit_branch;
      case Category::array: return &MethodCompiler::emit_array;
      case Category::field: case Category::static_field: return &MethodCompiler::emit_field;
      case Category::object: return &MethodCompiler::emit_object;
      case Category::invoke: return &MethodCompiler::emit_invoke;
      case Category::return_: return &MethodCompiler::emit_return;
      case Category::monitor: return &MethodCompiler::emit_lock;
      case Category::linkage: case Category::superinstruction: return nullptr;   // not among plain words
    }
#pragma clang diagnostic pop
  }
  static constexpr PerOperation<MethodCompiler::Emitter> all() {
    PerOperation<MethodCompiler::Emitter> table{};
    for (u32 i = 0; i < operation_count; ++i) table[i] = emitter_of(row(operation_at(i)).category);
    return table;
  }
};

void MethodCompiler::emit(Operation operation, u64 word) {
  static constexpr PerOperation<Emitter> emitters = EmitterTable::all();
  (this->*emitters[index_of(operation)])(operation, word);
}

MethodCompiler::MethodCompiler(Method* method, MethodCode* body, const Stubs& stubs, std::string* listing)
    : method_(method), body_(body), stubs_(stubs), listing_(listing), cell_count_(body->cell_count), max_locals_(method->max_locals) {}

Opcode MethodCompiler::opcode(u32 cell) const {
  u32 at = bci(cell);
  Opcode found = static_cast<Opcode>(method_->code[at]);
  return found == WIDE ? static_cast<Opcode>(method_->code[at + 1]) : found;
}

// Subroutines are not compiled: the same cell would have several states.
bool MethodCompiler::read_cells() {
  words_ = plain_words(body_);
  return std::none_of(words_.begin(), words_.end(), [](u64 word) { return operation_of(word) == Operation::jsr || operation_of(word) == Operation::ret; });
}

std::vector<u64> MethodCompiler::plain_words(const MethodCode* body) {
  std::vector<u64> words(body->cell_count + 1);
  for (u32 i = 0; i <= body->cell_count; ++i) {
    u64 word = load_cell(body->cells() + i);
    words[i] = (word & ~u64{0xFFFF}) | static_cast<u64>(plain_operation(operation_of(word)));
  }
  return words;
}

void MethodCompiler::find_block_starts() {
  block_.resize(cell_count_ + 1);
  auto target = [&](u32 from, u32 cell) {
    block_[cell].starts = true;
    if (cell <= from) block_[cell].is_backward_target = true;
  };
  for (u32 i = 0; i < cell_count_; ++i) {
    u64 word = words_[i];
    Operation operation = operation_of(word);
    if (is_branch(operation)) target(i, target_of(i));
    else if (is_switch(operation)) {
      for (u32 cell : switch_targets(i)) target(i, cell);
    }
  }
  for (u32 i = 0; i < method_->handler_count; ++i) {
    Block& block = block_[body_->handler_cells[i]];
    block.starts = block.is_handler = true;
    block.depth = 1;
  }
  for (Block& block : block_) {
    if (block.starts) block.label = a_.newLabel();
  }
}

// The locals used most in loops, an access counting eight times per loop around it.
void MethodCompiler::choose_pinned_locals() {
  pin_.assign(max_locals_ + 1, -1);
  pinned_int_.assign(max_locals_ + 1, false);
  this_is_constant_ = !method_->is_static();
  std::vector<u8> nesting(cell_count_ + 1, 0);
  bool any = false;
  for (u32 i = 0; i < cell_count_; ++i) {
    Operation operation = operation_of(words_[i]);
    if (has(operation, effect::writes_local) && operand_a(words_[i]) == 0) this_is_constant_ = false;
    if (!is_branch(operation) || !has(operation, effect::backward)) continue;
    any = true;
    for (u32 cell = target_of(i); cell <= i; ++cell) nesting[cell] = static_cast<u8>(std::min(nesting[cell] + 1, 4));
  }
  if (!any) return;
  struct Uses { u64 weight = 0; bool is_float = false, is_other = false, is_no_int = false; };
  std::vector<Uses> uses(max_locals_ + 1);
  for (u32 i = 0; i < cell_count_; ++i) {
    if (!has(operation_of(words_[i]), effect::reads_local | effect::writes_local)) continue;
    u32 local = value_local(words_[i]);
    if (nesting[i] != 0) uses[local].weight += u64{1} << (3 * nesting[i]);
    char letter = letter_of_local(opcode(i));
    if (letter == 'f' || letter == 'd') uses[local].is_float = true;
    else uses[local].is_other = true;
    if (letter != 'i') uses[local].is_no_int = true;
  }
  std::vector<u32> order;
  for (u32 local = 0; local < max_locals_; ++local) {
    if (uses[local].weight > 8) order.push_back(local);
  }
  std::stable_sort(order.begin(), order.end(), [&](u32 left, u32 right) { return uses[left].weight > uses[right].weight; });
  usize general = 0, vector = 0;
  for (u32 local : order) {
    if (uses[local].is_float && !uses[local].is_other) {
      if (vector == std::size(pinned_xmms)) continue;
      pin_[local] = static_cast<i8>(xmm_base + pinned_xmms[vector++]);
    } else {
      if (general == std::size(pinned_registers)) continue;
      pin_[local] = static_cast<i8>(pinned_registers[general++]);
      pinned_int_[local] = !uses[local].is_no_int;
    }
    pinned_.push_back(local);
  }
}

std::vector<u32> MethodCompiler::switch_targets(u32 cell) const {
  std::vector<u32> targets;
  auto add = [&](i32 distance) { targets.push_back(cell + static_cast<u32>(distance / static_cast<i32>(sizeof(Cell)))); };
  u64 word = words_[cell];
  if (operation_of(word) == Operation::tableswitch) {
    const auto* table = metadata_at<TableSwitch>(operand_b(word));
    add(table->default_distance);
    for (u32 k = 0; k < table->count; ++k) add(table->distances[k]);
  } else {
    const auto* table = metadata_at<LookupSwitch>(operand_b(word));
    add(table->default_distance);
    for (u32 k = 0; k < table->count; ++k) add(table->pairs[k].distance);
  }
  return targets;
}

// What may be dirty at each block's start, from all that lead there. A guess that is too small costs stores at the edges, one that is too large stores at calls.
void MethodCompiler::find_dirty_locals() {
  if (pinned_.empty()) return;
  for (bool changed = true; changed;) {
    changed = false;
    u64 dirty = 0;
    auto flow_to = [&](u32 target) {
      if ((dirty & ~block_[target].dirty) == 0) return;
      block_[target].dirty |= dirty;
      changed = true;
    };
    for (u32 i = 0; i < cell_count_; ++i) {
      if (block_[i].starts) {
        flow_to(i);
        dirty = block_[i].dirty;
      }
      Operation operation = operation_of(words_[i]);
      if (has(operation, effect::writes_local)) {
        u32 local = value_local(words_[i]);
        if (pin_[local] >= 0) dirty |= u64{1} << position_of(local);
      } else if (is_branch(operation)) {
        flow_to(target_of(i));
      } else if (is_switch(operation)) {
        for (u32 target : switch_targets(i)) flow_to(target);
      }
      // Nothing follows, or a call has had all written back.
      if (has(operation, effect::ends_block | effect::calls)) dirty = 0;
    }
  }
}

// In: rdi the caller's frame, its pc saved, r13 its last argument, rdx the method; the call record.
void MethodCompiler::emit_entry() {
  entry_ = a_.newLabel();
  a_.bind(entry_);
  i32 to_locals = static_cast<i32>(sizeof(Slot)) * (1 - static_cast<i32>(method_->argument_slots));
  i32 frame_end = to_locals + frame_distance() + static_cast<i32>(sizeof(Frame) + method_->max_stack * sizeof(Slot));
  a_.lea(x86::rax, x86::ptr(x86::r13, frame_end));
  a_.cmp(x86::rax, thread_field(offsetof(JavaThread, java_stack_limit)));
  overflow_ = a_.newLabel();
  a_.ja(overflow_);
  if (profile() != nullptr) count(profile()->calls, x86::rax);
  a_.lea(locals_register, x86::ptr(x86::r13, to_locals));
  if (method_->is_synchronized()) return lock_at_entry();
  link_frame(0);
  good_ = 0;
  for (u32 position = 0; position < pinned_.size(); ++position) {
    // Locals that are no arguments have no value yet.
    if (pinned_[position] < method_->argument_slots) load_pinned(pinned_[position]);
    else good_ |= u64{1} << position;
  }
}

// The frame, `held` lock records of which are pushed already. What a call costs are its stores, so only the words that nobody can tell from others
// (vm/interpreter/java_frames.h). In: rdi the caller's frame, rdx the method. Scratch: rax.
void MethodCompiler::link_frame(u32 held) {
  a_.mov(frame_field(offsetof(Frame, caller)), x86::rdi);
  a_.mov(frame_field(offsetof(Frame, method)), x86::rdx);
  static_assert(static_cast<u32>(FrameKind::Interpreted) == 0 && offsetof(Frame, lock_record_base) == offsetof(Frame, kind) + 4);
  a_.mov(x86::eax, thread_field(offsetof(JavaThread, lock_record_top), 4));
  if (held != 0) a_.sub(x86::eax, imm(held));
  a_.shl(x86::rax, imm(32));
  a_.mov(frame_field(offsetof(Frame, kind)), x86::rax);
}

// --- dispatching cells to the interpreter -----------------------------------------------------------------------------------------

MethodCompiler::SlowPath& MethodCompiler::add_slow_path(u32 cell, bool leaves) {
  SlowPath path{a_.newLabel(), {}, cell, leaves, false, before_, {}, 0};
  path.dirty = dirty_;
  slow_paths_.push_back(std::move(path));
  return slow_paths_.back();
}

Label MethodCompiler::slow() {
  if (inlining_) return leaving();
  if (slow_of_cell_ < 0) {
    slow_of_cell_ = static_cast<i32>(slow_paths_.size());
    add_slow_path(cell_, false);
  }
  return slow_paths_[static_cast<u32>(slow_of_cell_)].label;
}

Label MethodCompiler::leaving() {
  if (leaving_of_cell_ < 0) {
    leaving_of_cell_ = static_cast<i32>(slow_paths_.size());
    add_slow_path(inlining_ ? inline_root_ : cell_, true);
  }
  return slow_paths_[static_cast<u32>(leaving_of_cell_)].label;
}

void MethodCompiler::implicit_null_check(const Value& object) {
  if (object.not_null) return;
  slow();
  implicit_checks_.push_back({static_cast<u32>(a_.offset()), static_cast<u32>(inlining_ ? leaving_of_cell_ : slow_of_cell_)});
}

void MethodCompiler::check_null(const Value& object, Gp loaded, u32 offset) {
  if (object.not_null) return;
  if (offset < code_cache::zero_page_bytes - 8) {
    implicit_null_check(object);
  } else {
    a_.test(loaded, loaded);
    a_.jz(slow());
  }
}

void MethodCompiler::step_inline() {
  a_.jmp(slow());
  slow_paths_.back().counts = false;
  stepped_ = true;
  flush_after_step();
}

void MethodCompiler::leave_inline() {
  a_.jmp(leaving());
  stepped_ = true;
  flush_after_step();
}

void MethodCompiler::leave_for_good() {
  leave_inline();
  reachable_ = false;
}

// The operands are in their homes by then; the slow path has stored them.
void MethodCompiler::flush_after_step() {
  for (u32 slot = 0; slot < depth(); ++slot) stack_[slot] = {Kind::Home, 0, 0, slot};
  for (u8& uses : uses_) uses = 0;
  forget_pinned();
}

// --- cells -----------------------------------------------------------------------------------------------------------------------------

void MethodCompiler::start_block() {
  Block& block = block_[cell_];
  if (reachable_ && !return_in_place(cell_)) {
    note_target(cell_);
    flush();
    refresh_pinned();
    write_back_for(cell_);
  } else if (block.depth < 0 && block.is_backward_target) {
    block.depth = operand_depth_if_reachable(method_, bci(cell_));
  }
  reachable_ = block.depth >= 0;
  if (!reachable_) return;
  a_.bind(block.label);
  set_depth(static_cast<u32>(block.depth));
  good_ = ~u64{0};
  dirty_ = block.dirty;
  entries_[cell_] = a_.newLabel();
}

void MethodCompiler::note_in_listing(Operation operation) {
  if (listing_ == nullptr) return;
  const char* where = inlining_ ? "inlined " : "";
  a_.commentf("; %sbci %u line %d  %s", where, bci(cell_), method_->line_of(bci(cell_)), name_of(operation).data());
}

void MethodCompiler::emit_cell() {
  u64 word = words_[cell_];
  Operation operation = operation_of(word);
  note_in_listing(operation);
  busy_ = 0;
  slow_of_cell_ = leaving_of_cell_ = -1;
  stepped_ = false;
  before_ = stack_;
  u32 first = cell_;
  if (flags::GCStressSafepointInterval != 0 && polls(operation, word)) poll_in_interpreter(operation, word);
  else emit(operation, word);
  if (!reachable_) return;
  u32 next = cell_ + 1;
  bool into_block = next >= cell_count_ || starts_block(next);
  if (stepped_) {
    if (into_block) {
      if (next < cell_count_) note_target(next);
      reachable_ = false;
    } else {
      entries_[next] = a_.newLabel();
      a_.bind(entries_[next]);
    }
  } else if (slow_of_cell_ >= 0 && !into_block && first == cell_) {
    SlowPath& path = slow_paths_[static_cast<u32>(slow_of_cell_)];
    path.again = a_.newLabel();
    a_.bind(path.again);
    path.after = stack_;
    path.good_after = good_;
    entries_[next] = a_.newLabel();
  }
}

bool MethodCompiler::polls(Operation operation, u64 word) {
  if (is_switch(operation)) return operand_a(word) != 0;
  return has(operation, effect::backward);
}

// What no code is made for: the handler of the interpreter runs the cell.
void MethodCompiler::run_in_interpreter(Operation operation, u64) {
  StackEffect moved = stack_effect(operation, method_, bci(cell_));
  step_inline();
  if (has(operation, effect::unresolved)) {
    slow_paths_.back().counts = true;
    has_unresolved_ = true;
  }
  for (u32 i = 0; i < moved.pops; ++i) pop();
  for (u32 i = 0; i < moved.pushes; ++i) push_home();
}

// Under stress: both ways are entries.
void MethodCompiler::poll_in_interpreter(Operation operation, u64) {
  step_inline();
  for (u32 i = 0; i < slots_popped(operation); ++i) pop();
  if (is_switch(operation)) {
    for (u32 target : switch_targets(cell_)) note_target(target);
  } else {
    note_target(target_of(cell_));
  }
  if (has(operation, effect::ends_block)) reachable_ = false;
}

void MethodCompiler::finish_slow_paths() {
  if (overflow_.isValid()) {
    a_.bind(overflow_);
    a_.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
    load_address(x86::rax, reinterpret_cast<const void*>(&raise_stack_overflow));
    a_.jmp(imm(stubs_.hand_over));
  }
  Label ways_out[2][2];   // what slow paths have in common: leaves, counts
  forget_pinned();   // memory is right behind the first instructions of each
  for (const auto& emit : cold_) emit();
  for (SlowPath& path : slow_paths_) {
    if (listing_ != nullptr) a_.commentf("; bci %u, %s", bci(path.cell), path.call ? "call" : path.leaves ? "leave" : "step");
    a_.bind(path.label);
    good_ = 0;
    write_back(path.dirty);
    flush_values(path.before);
    if (path.call) {
      path.call();
      if (path.returns_value) a_.mov(home(static_cast<u32>(path.after.size()) - 1), x86::rdx);
      resume_after(path);
      continue;
    }
    a_.lea(x86::r13, x86::ptr(locals_register, home_distance(static_cast<i32>(path.before.size()) - 1)));
    load_address(x86::r12, body_->cells() + path.cell);
    Label& way_out = ways_out[path.leaves][path.counts];
    if (!way_out.isValid()) way_out = a_.newLabel();
    a_.jmp(way_out);
    if (!path.again.isValid()) continue;
    a_.bind(entries_[path.cell + 1]);
    resume_after(path);
  }
  for (bool leaves : {false, true}) {
    for (bool counts : {false, true}) {
      if (!ways_out[leaves][counts].isValid()) continue;
      a_.bind(ways_out[leaves][counts]);
      a_.lea(x86::rdi, frame_field(0));
      a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
      if (counts) {
        load_address(x86::rax, &code_->unresolved_left);
        a_.dec(x86::dword_ptr(x86::rax));
        a_.jz(imm(stubs_.recompile));
      }
      a_.jmp(imm(leaves ? stubs_.leave : counts ? stubs_.step_unresolved : stubs_.step));
    }
  }
  for (u32 cell = 0; cell < cell_count_; ++cell) {
    if (!block_[cell].starts || !entries_[cell].isValid()) continue;
    if (listing_ != nullptr) a_.commentf("; entry at bci %u", bci(cell));
    a_.bind(entries_[cell]);
    good_ = 0;
    refresh_pinned();
    a_.jmp(block_[cell].label);
  }
  if (sites_.empty()) return;
  a_.align(asmjit::AlignMode::kData, alignof(CompiledCallSite));
  for (const Site& site : sites_) {
    CompiledCallSite pair{__builtin_bit_cast(Cell, site.word), __builtin_bit_cast(Cell, make_cell(Operation::resume_compiled, site.cell))};
    a_.bind(site.cells);
    if (listing_ != nullptr) a_.commentf("; call site, bci %u", bci(site.cell));
    asmjit::Logger* logger = holder_.logger();
    holder_.setLogger(nullptr);   // the cells' bytes are addresses
    a_.embed(&pair, sizeof(pair));
    holder_.setLogger(logger);
  }
}

// All operands are in their homes: back into the state behind the cell.
void MethodCompiler::resume_after(const SlowPath& path) {
  for (u32 slot = 0; slot < path.after.size(); ++slot) {
    const Value& value = path.after[slot];
    // The local may be dead by now, and then the collector has moved the object that the operand refers to, but not updated the local.
    if (value.kind == Kind::Local) {
      a_.mov(x86::rax, home(slot));
      a_.mov(local_home(value.number), x86::rax);
    }
    if (value.kind != Kind::Register) continue;
    if (value.number >= xmm_base) a_.movq(x86::xmm(value.number - xmm_base), home(slot));
    else if (value.zero_extended) a_.mov(x86::gpd(value.number), x86::dword_ptr(locals_register, home_distance(static_cast<i32>(slot))));
    else a_.mov(x86::gpq(value.number), home(slot));
  }
  good_ = ~path.good_after;
  refresh_pinned();
  a_.jmp(path.again);
}

// --- all of it ----------------------------------------------------------------------------------------------------------------------------

MethodCompiler::Result MethodCompiler::compile(const code_cache::Room& room) {
  if (!read_cells()) return {nullptr, 0, "subroutines"};
  uptr address = room.address;
  holder_.init(asmjit::Environment::host(), address);
  asmjit::StringLogger logger;
  if (listing_ != nullptr) {
    logger.addFlags(asmjit::FormatFlags::kMachineCode);
    holder_.setLogger(&logger);
  }
  holder_.attach(&a_);
  entries_.resize(cell_count_ + 1);
  code_ = new CompiledCode{};
  find_block_starts();
  choose_pinned_locals();
  find_dirty_locals();
  set_depth(0);
  if (is_entered_inline(method_)) emit_entry();
  if (method_->is_synchronized()) {   // locked by the interpreter, always or when it takes long: it goes on here
    if (starts_block(0)) {
      note_target(0);
      reachable_ = is_entered_inline(method_);
    } else {
      entries_[0] = a_.newLabel();
      a_.bind(entries_[0]);
      if (!is_entered_inline(method_) && profile() != nullptr) count(profile()->calls, x86::rax);
    }
    forget_pinned();
  }
  for (cell_ = 0; cell_ < cell_count_ && !failed_; ++cell_) {
    if (starts_block(cell_)) start_block();
    if (reachable_) emit_cell();
  }
  if (!failed_) finish_slow_paths();
  Result result;
  result.reason = "out of registers";
  if (!failed_) {
    holder_.flatten();
    holder_.resolveUnresolvedLinks();
    holder_.relocateToBase(address);
    usize bytes = holder_.codeSize();
    if (bytes > room.bytes) {
      result.reason = "code cache is full";
      result.is_cache_full = true;
      result.bytes = static_cast<u32>(bytes);
      failed_ = true;
    } else if (holder_.hasUnresolvedLinks()) {
      result.reason = "a label is not bound";
      failed_ = true;
    } else {
      holder_.copyFlattenedData(code_cache::writable(address), bytes);
      result.code = install(address, bytes);
      result.bytes = static_cast<u32>(bytes);
      result.reason = "";
    }
  }
  if (listing_ != nullptr) *listing_ = logger.data();
  holder_.setLogger(nullptr);
  if (failed_) delete code_;
  return result;
}

CompiledCode* MethodCompiler::install(uptr address, usize bytes) {
  u32* entries = new u32[cell_count_ + 1]{};
  for (u32 cell = 0; cell <= cell_count_; ++cell) {
    if (entries_[cell].isValid() && holder_.isLabelBound(entries_[cell])) {
      entries[cell] = static_cast<u32>(address + holder_.labelOffset(entries_[cell]));
    }
  }
  for (const ImplicitCheck& check : implicit_checks_) {
    code_cache::add_fault_exit(address + check.offset, address + holder_.labelOffset(slow_paths_[check.slow_path].label));
  }
  auto copy_of = [](const auto& list) {
    auto* copy = new std::decay_t<decltype(list[0])>[list.size()];
    std::copy(list.begin(), list.end(), copy);
    return copy;
  };
  std::sort(returns_.begin(), returns_.end());
  code_->returns = copy_of(returns_);
  code_->return_count = static_cast<u32>(returns_.size());
  code_->inlined = copy_of(inlined_);
  code_->inlined_count = static_cast<u32>(inlined_.size());
  code_->method = method_;
  code_->entries = entries;
  code_->sites = sites_.empty() ? nullptr : reinterpret_cast<const CompiledCallSite*>(address + holder_.labelOffset(sites_[0].cells));
  code_->site_count = static_cast<u32>(sites_.size());
  code_->entry = static_cast<u32>(address);
  code_->code_bytes = static_cast<u32>(bytes);
  return code_;
}

}  // namespace keyhole::baseline
