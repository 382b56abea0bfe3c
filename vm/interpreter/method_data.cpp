// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes profiles, notes traps, drops unloaded classes, computes loops from the counts.
#include "vm/interpreter/method_data.h"

#include "runtime/base/mutex.h"
#include "vm/bytecodes.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {
namespace {

SiteKind kind_of_opcode(const u8* code, u32 bci) {
  using namespace bytecode::flag;
  u8 opcode = code[bci];
  if (bytecode::has(opcode, branches) && !bytecode::has(opcode, ends_block)) return SiteKind::Branch;
  switch (opcode) {
    case GOTO:
    case GOTO_W: return bytecode::branch_target(code, bci) <= bci ? SiteKind::Jump : SiteKind::None;
    case TABLESWITCH:
    case LOOKUPSWITCH: return SiteKind::Switch;
    case INVOKEVIRTUAL:
    case INVOKEINTERFACE:
    case CHECKCAST:
    case INSTANCEOF:
    case AASTORE: return SiteKind::Types;
    default: return SiteKind::None;
  }
}

u32 bytes_of(SiteKind kind, const u8* code, u32 bci) {
  switch (kind) {
    case SiteKind::None: return 0;
    case SiteKind::Branch: return sizeof(BranchProfile);
    case SiteKind::Jump: return sizeof(JumpProfile);
    case SiteKind::Switch:
      return static_cast<u32>(sizeof(SwitchProfile) + (bytecode::Switch(code, bci).count() + 1) * sizeof(Counter));
    case SiteKind::Types: return static_cast<u32>(sizeof(TypeProfile) + TypeProfile::width() * sizeof(TypeRow));
  }
}

u32 trap_site(u32 instruction, Trap trap) { return (instruction << 8) | (static_cast<u32>(trap) + 1); }

}  // namespace

SiteKind MethodData::kind_of(u32 instruction) const {
  return kind_of_opcode(method->code, method->body.load(std::memory_order_acquire)->bcis[instruction]);
}

void MethodData::count_trap(u32 instruction, Trap trap) {
  traps[static_cast<u32>(trap)].count();
  u32 wanted = trap_site(instruction, trap);
  for (TrapProfile& row : trap_sites) {
    u32 found = row.site.load(std::memory_order_relaxed);
    if (found == 0) row.site.compare_exchange_strong(found, wanted, std::memory_order_relaxed);
    if (found == 0 || found == wanted) return row.raised.count();
  }
}

u32 MethodData::traps_at(u32 instruction, Trap trap) const {
  for (const TrapProfile& row : trap_sites) {
    if (row.site.load(std::memory_order_relaxed) == trap_site(instruction, trap)) return row.raised.read();
  }
  return 0;
}

namespace interpreter {

MethodData* make_method_data(Method* method, bool* is_new) {
  if (is_new != nullptr) *is_new = false;
  if (MethodData* data = method->data.load(std::memory_order_acquire)) return data;
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  auto for_each_instruction = [&](auto&& visit) {
    for (u32 instruction = 0; instruction < body->instruction_count; ++instruction) {
      SiteKind kind = kind_of_opcode(method->code, body->bcis[instruction]);
      if (kind != SiteKind::None) visit(instruction, kind, bytes_of(kind, method->code, body->bcis[instruction]));
    }
  };
  usize head = align_up(sizeof(MethodData) + body->instruction_count * sizeof(u32), alignof(Counter)), bytes = head;
  for_each_instruction([&](u32, SiteKind, u32 size) { bytes += size; });
  const InstanceKlass* holder = method->holder;
  // The mutex guards the arena. The mutex also prevents two threads from making two profiles for one method.
  MutexLock guard(holder->loader->mutex);
  if (MethodData* data = method->data.load(std::memory_order_relaxed)) return data;
  auto* data = static_cast<MethodData*>(holder->unit->arena.allocate(bytes));  // all counters are 0
  data->method = method;
  data->instructions = body->instructions();
  data->instruction_count = body->instruction_count;
  data->bytes = static_cast<u32>(bytes);
  u32 next = static_cast<u32>(head);
  for_each_instruction([&](u32 instruction, SiteKind kind, u32 size) {
    data->site_offsets[instruction] = next;
    if (kind == SiteKind::Switch)
      data->at<SwitchProfile>(instruction)->count = bytecode::Switch(method->code, body->bcis[instruction]).count();
    next += size;
  });
  method->data.store(data, std::memory_order_release);
  if (is_new != nullptr) *is_new = true;
  return data;
}

void note_trap(JavaThread* thread, Trap trap) {
  const Frame* frame = thread->top_frame;
  if (frame == nullptr || frame->kind != FrameKind::Interpreted) return;
  MethodData* data = frame->method->data.load(std::memory_order_acquire);
  if (data != nullptr)
    data->count_trap(frame->method->body.load(std::memory_order_acquire)->instruction_index(frame->pc), trap);
}

void forget_dead_types(Method* method, bool (*is_dead)(const Klass*)) {
  MethodData* data = method->data.load(std::memory_order_acquire);
  if (data == nullptr) return;
  for (u32 instruction = 0; instruction < data->instruction_count; ++instruction) {
    if (data->site_offsets[instruction] == 0 || data->kind_of(instruction) != SiteKind::Types) continue;
    TypeProfile* profile = data->at<TypeProfile>(instruction);
    for (u32 i = 0; i < TypeProfile::width(); ++i) {
      TypeRow& row = profile->rows[i];
      u32 id = row.klass_id.load(std::memory_order_relaxed);
      if (id == 0 || !is_dead(klass_of_id(id))) continue;
      row.count.value.store(0, std::memory_order_relaxed);
      row.klass_id.store(0, std::memory_order_relaxed);
    }
  }
}

std::vector<LoopProfile> loops_of(const MethodData& data) {
  const MethodCode* body = data.method->body.load(std::memory_order_acquire);
  const u8* code = data.method->code;
  auto instruction_at = [&](u32 bci) { return static_cast<u32>(body->instruction_at(bci) - body->instructions()); };
  // Calls visit(target, count) for each successor of a branch.
  auto visit_successors = [&](u32 instruction, auto&& visit) {
    if (data.site_offsets[instruction] == 0) return;
    u32 bci = body->bcis[instruction];
    switch (data.kind_of(instruction)) {
      case SiteKind::Branch:
        visit(instruction_at(bytecode::branch_target(code, bci)), data.at<BranchProfile>(instruction)->taken.read());
        visit(instruction + 1, data.at<BranchProfile>(instruction)->not_taken.read());
        break;
      case SiteKind::Jump:
        visit(instruction_at(bytecode::branch_target(code, bci)), data.at<JumpProfile>(instruction)->taken.read());
        break;
      case SiteKind::Switch: {
        bytecode::Switch targets(code, bci);
        const SwitchProfile* profile = data.at<SwitchProfile>(instruction);
        for (u32 i = 0; i < profile->count; ++i)
          visit(instruction_at(targets.target_at(i)), profile->targets[i].read());
        visit(instruction_at(targets.default_target()), profile->targets[profile->count].read());
        break;
      }
      default: break;
    }
  };
  std::vector<LoopProfile> loops;
  for (u32 instruction = 0; instruction < data.instruction_count; ++instruction) {
    visit_successors(instruction, [&](u32 target, u32 count) {
      if (target > instruction) return;
      auto loop =
          std::find_if(loops.begin(), loops.end(), [&](const LoopProfile& known) { return known.header == target; });
      if (loop == loops.end()) loop = loops.insert(loop, {target, instruction, 0, 0});
      loop->last = std::max(loop->last, instruction);
      loop->back_edges += count;
    });
  }
  for (LoopProfile& loop : loops) {
    for (u32 instruction = loop.header; instruction <= loop.last; ++instruction) {
      visit_successors(instruction, [&](u32 target, u32 count) {
        if (target < loop.header || target > loop.last) loop.entered += count;
      });
    }
  }
  std::sort(loops.begin(), loops.end(),
            [](const LoopProfile& left, const LoopProfile& right) { return left.header < right.header; });
  return loops;
}

}  // namespace interpreter
}  // namespace keyhole
