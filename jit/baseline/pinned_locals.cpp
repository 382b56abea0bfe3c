// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses pinned locals, and keeps their copies consistent with memory.
#include "jit/baseline/pinned_locals.h"

#include <algorithm>

#include "vm/verify/slot_types.h"

namespace keyhole::baseline {

using namespace interpreter;

namespace {

constexpr u32 deepest_loop = 4;  // deeper loops count like loops of this depth

// Returns the slot with the value of the local that the bytecode accesses; for a long or double, the upper of its two
// slots.
u32 value_local(u64 word) {
  Operation operation = operation_of(word);
  return operand_a(word) + std::max(slots_popped(operation) + slots_pushed(operation), 1u) - 1;
}

// Returns the type with which a bytecode loads or stores a local: i, l, f, d or a.
char letter_of_local(Opcode opcode) {
  if (opcode == IINC) return 'i';
  char load = local_load_letter(opcode);
  return load != 0 ? load : local_store_letter(opcode);
}

}  // namespace

// Returns the number of loops around each bytecode. Returns an empty list if the method has no loop.
std::vector<u8> PinnedLocals::loop_nesting(const Instructions& instructions) {
  std::vector<u8> nesting;
  for (u32 i = 0; i < instructions.count(); ++i) {
    if (!is_branch(instructions.operation(i)) || !has(instructions.operation(i), effect::backward)) continue;
    nesting.resize(instructions.count() + 1);
    for (u32 instruction = instructions.target_of(i); instruction <= i; ++instruction) {
      nesting[instruction] = static_cast<u8>(std::min(nesting[instruction] + 1u, deepest_loop));
    }
  }
  return nesting;
}

void PinnedLocals::choose(const Instructions& instructions) {
  u32 max_locals = instructions.method()->max_locals;
  pins_.assign(max_locals + 1, -1);
  is_int_.assign(max_locals + 1, false);
  receiver_is_constant_ = !instructions.method()->is_static();
  for (u32 i = 0; i < instructions.count(); ++i) {
    if (has(instructions.operation(i), effect::writes_local) && operand_a(instructions.word(i)) == 0)
      receiver_is_constant_ = false;
  }
  std::vector<u8> nesting = loop_nesting(instructions);
  if (nesting.empty()) return;
  std::vector<u64> weight(max_locals + 1);
  // true until an access has another type
  std::vector<bool> is_float(max_locals + 1, true), is_int(max_locals + 1, true);
  for (u32 i = 0; i < instructions.count(); ++i) {
    if (!has(instructions.operation(i), effect::reads_local | effect::writes_local)) continue;
    u32 local = value_local(instructions.word(i));
    if (nesting[i] != 0) weight[local] += u64{1} << (3 * nesting[i]);
    char letter = letter_of_local(instructions.opcode(i));
    if (letter != 'f' && letter != 'd') is_float[local] = false;
    if (letter != 'i') is_int[local] = false;
  }
  std::vector<u32> order;
  for (u32 local = 0; local < max_locals; ++local) {
    if (weight[local] > 8) order.push_back(local);
  }
  std::stable_sort(order.begin(), order.end(), [&](u32 left, u32 right) { return weight[left] > weight[right]; });
  assign(order, is_float, is_int);
}

void PinnedLocals::assign(const std::vector<u32>& order, const std::vector<bool>& is_float,
                          const std::vector<bool>& is_int) {
  usize general = 0, vector = 0;
  for (u32 local : order) {
    if (is_float[local]) {
      if (vector == std::size(pinned_xmms)) continue;
      pins_[local] = static_cast<i8>(xmm_base + pinned_xmms[vector++]);
    } else {
      if (general == std::size(pinned_registers)) continue;
      pins_[local] = static_cast<i8>(pinned_registers[general++]);
      is_int_[local] = is_int[local];
    }
    locals_.push_back(local);
  }
}

void PinnedLocals::find_dirty_at_starts(const Instructions& instructions, Blocks& blocks) const {
  if (locals_.empty()) return;
  for (bool changed = true; changed;) {
    changed = false;
    u64 dirty = 0;
    auto flow_to = [&](u32 target) {
      if ((dirty & ~blocks[target].dirty) == 0) return;
      blocks[target].dirty |= dirty;
      changed = true;
    };
    for (u32 i = 0; i < instructions.count(); ++i) {
      if (blocks.starts(i)) {
        flow_to(i);
        dirty = blocks[i].dirty;
      }
      Operation operation = instructions.operation(i);
      if (is_branch(operation)) {
        flow_to(instructions.target_of(i));
      } else if (is_switch(operation)) {
        for (u32 target : instructions.switch_targets(i)) flow_to(target);
      } else if (has(operation, effect::writes_local)) {
        u32 local = value_local(instructions.word(i));
        if (is_pinned(local)) dirty |= bit_of(local);
      }
      // After these, no copy is dirty: control does not continue, or all dirty copies were written back before a call.
      if (has(operation, effect::ends_block | effect::calls)) dirty = 0;
    }
  }
}

u64 PinnedLocals::bit_of(u32 local) const {
  return u64{1} << (std::find(locals_.begin(), locals_.end(), local) - locals_.begin());
}

void PinnedLocals::set_written(u32 local) {
  good_ |= bit_of(local);
  dirty_ |= bit_of(local);
}

void PinnedLocals::start_block(const Block& block) {
  good_ = ~u64{0};
  dirty_ = block.dirty;
}

void PinnedLocals::load(u32 local) {
  u64 bit = bit_of(local);
  if ((good_ & bit) != 0) return;
  u32 pin = register_of(local);
  if (is_vector(pin)) a_.movq(vector_register(pin), frame_.local(local));
  else if (is_int_[local]) a_.mov(x86::gpd(pin), frame_.local(local, 4));
  else a_.mov(x86::gpq(pin), frame_.local(local));
  good_ |= bit;
}

void PinnedLocals::load_all() {
  for (u32 local : locals_) load(local);
}

void PinnedLocals::load_arguments(u32 argument_slots) {
  good_ = 0;
  for (u32 local : locals_) {
    if (local < argument_slots) load(local);
    else good_ |= bit_of(local);
  }
}

void PinnedLocals::write_back(u64 positions) {
  for (u32 position = 0; position < locals_.size(); ++position) {
    if ((positions & (u64{1} << position)) == 0) continue;
    u32 local = locals_[position], pin = register_of(local);
    if (is_vector(pin)) a_.movq(frame_.local(local), vector_register(pin));
    else a_.mov(frame_.local(local), x86::gpq(pin));
  }
  dirty_ &= ~positions;
}

}  // namespace keyhole::baseline
