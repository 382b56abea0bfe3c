// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits sequences of instructions that many emitters need.
#include "jit/baseline/macro_assembler.h"

#include "gc/barrier.h"
#include "runtime/object/klass.h"
#include "runtime/object/layout.h"

namespace keyhole::baseline {

void MacroAssembler::load_constant(Gp target, u64 bits) {
  if (bits == 0) xor_(target.r32(), target.r32());
  else if (bits <= 0xFFFF'FFFF) mov(target.r32(), imm(static_cast<u32>(bits)));
  else mov(target.r64(), imm(bits));
}

void MacroAssembler::narrow(Gp value, char type) {
  switch (type) {
    case 'Z': and_(value.r32(), imm(1)); break;
    case 'B': movsx(value.r32(), value.r8()); break;
    case 'C': movzx(value.r32(), value.r16()); break;
    case 'S': movsx(value.r32(), value.r16()); break;
    default: break;
  }
}

void MacroAssembler::load_klass_id(Gp target, Gp object) {
  if constexpr (layout::klass_is_in_word) {
    mov(header_part(target), header_of(object));
    shr(header_part(target), imm(layout::klass_shift));
  } else {
    mov(target.r32(), x86::dword_ptr(object, static_cast<i32>(layout::header_bytes) - 4));
  }
}

void MacroAssembler::load_klass_of_id(Gp target, Gp id) {
  mov(target, imm(address_space::klass_table_base));
  mov(target, x86::qword_ptr(target, id, 3));
}

void MacroAssembler::load_klass(Gp target, Gp object, Gp scratch) {
  load_klass_id(scratch, object);
  load_klass_of_id(target, scratch);
}

void MacroAssembler::write_header(Gp object, u32 klass_id) {
  u64 word = layout::prototype_word(klass_id);
  if (word <= INT32_MAX || sizeof(layout::Word) == 4) {
    mov(header_of(object), imm(static_cast<i32>(word)));
  } else {
    mov(x86::rdx, imm(word));
    mov(header_of(object), x86::rdx);
  }
  if constexpr (!layout::klass_is_in_word) {
    mov(x86::dword_ptr(object, static_cast<i32>(layout::header_bytes) - 4), imm(klass_id));
  }
}

void MacroAssembler::store_barrier(Mem stored) {
  if (barrier::kind == barrier::Kind::None) return;
  // B2 of gc/barrier.h
  stored.setSize(8);
  lea(x86::rdx, stored);
  shr(x86::rdx, imm(barrier::card_shift));
  Mem card = x86::byte_ptr(x86::rdx, static_cast<i32>(barrier::card_bias));
  Label marked = newLabel();
  cmp(card, imm(barrier::dirty_card));
  je(marked);
  mov(card, imm(barrier::dirty_card));
  bind(marked);
}

}  // namespace keyhole::baseline
