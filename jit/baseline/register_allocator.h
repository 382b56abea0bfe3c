// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Register allocator: tracks which operand registers are in use. Several slots of the operand stack may share a
// register (dup). The register of a popped operand stays in use until the code of the bytecode is complete: this code
// still reads the register, and its slow path stores it.
#pragma once

#include <optional>
#include <span>

#include "jit/baseline/registers.h"

namespace keyhole::baseline {

class RegisterAllocator {
 public:
  // --- slots ---------------------------------------------------------------------------------------------------------
  void push(u32 number) { ++slots_[number]; }
  void pop(u32 number) {
    --slots_[number];
    kept_ |= 1u << number;
  }
  void spill(u32 number) { --slots_[number]; }
  void spill_all() {
    for (u8& slots : slots_) slots = 0;
  }
  bool is_in_slot(u32 number) const { return slots_[number] != 0; }

  // --- bytecodes ---------------------------------------------------------------------------------------------------
  void begin_instruction() { kept_ = 0; }
  u32 free_general() const { return free_of(operand_registers, 0); }
  u32 free_vector() const { return free_of(operand_xmms, xmm_base); }
  // Allocates a free register, which stays in use until the bytecode is complete. Returns none if all are in use.
  std::optional<u32> allocate_general() { return allocate(operand_registers, 0); }
  std::optional<u32> allocate_vector() { return allocate(operand_xmms, xmm_base); }

 private:
  u32 free_of(std::span<const u8> registers, u32 base) const {
    u32 free = 0;
    for (u8 number : registers) free += !is_in_slot(base + number);
    return free;
  }
  std::optional<u32> allocate(std::span<const u8> registers, u32 base) {
    for (u8 each : registers) {
      u32 number = base + each;
      if (is_in_slot(number) || (kept_ & (1u << number)) != 0) continue;
      kept_ |= 1u << number;
      return number;
    }
    return std::nullopt;
  }

  u8 slots_[register_count] = {};  // for each register: the number of slots that share it
  u32 kept_ = 0;
};

}  // namespace keyhole::baseline
