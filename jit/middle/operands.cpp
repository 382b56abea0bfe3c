// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the location of a node's value, and makes operands of instructions.
#include "jit/middle/emitter.h"

#include <bit>
#include <limits>
#include <utility>

namespace keyhole::middle {

using low::no_node;
using low::Op;
using low::Type;

Gp Emitter::sized(Gp value, Type type) {
  switch (type) {
    case Type::I1:
    case Type::I8: return value.r8();
    case Type::I16: return value.r16();
    case Type::I32: return value.r32();
    default: return value.r64();
  }
}

u32 Emitter::bytes_of(Type type) {
  constexpr u32 bytes[] = {0, 1, 1, 2, 4, 8, 4, 8, 8};
  return bytes[static_cast<u32>(type)];
}

Location Emitter::location(NodeId value) const {
  const Location location = allocation_.of(value);
  if (is_register(location)) return now_in_[location];
  return location == moved_slot_ && location != no_location ? Location{Gp::kIdDx} : location;
}

bool Emitter::is_thread(NodeId id) const {
  const Node& n = node(resolve(id));
  return n.op == Op::Parameter && n.bits == static_cast<u64>(low::Parameter::Thread);
}

// Whether the node is a constant, or the address of a symbol plus a constant. Sets `bits` to the 64 bits that a
// register would hold for the node (selection.h, E1).
bool Emitter::is_constant(NodeId id, u64* bits) const {
  const Node& n = node(resolve(id));
  if (n.op == Op::Symbol) {
    *bits = symbols_[n.bits];
    return true;
  }
  if (n.op == Op::Address && n.operand_count == 1 && is_constant(operand(n, 0), bits)) {
    *bits += n.bits;
    return true;
  }
  if (n.op != Op::Constant) return false;
  const u32 bytes = bytes_of(n.type);
  *bits = bytes == 8 ? n.bits : n.bits & ((u64{1} << (8 * bytes)) - 1);
  if (n.type == Type::I1) *bits &= 1;
  return true;
}

// Whether the node is a constant that fits into an instruction as an immediate of the node's type.
bool Emitter::is_immediate(NodeId id, i32* value) const {
  u64 bits;
  if (!is_constant(id, &bits)) return false;
  switch (type_of(id)) {
    case Type::I8: *value = static_cast<i8>(bits); return true;
    case Type::I16: *value = static_cast<i16>(bits); return true;
    case Type::I32:
    case Type::F32: *value = static_cast<i32>(bits); return true;
    default: break;
  }
  *value = static_cast<i32>(bits);
  return static_cast<u64>(i64{*value}) == bits;
}

Mem Emitter::slot(Location location, u32 bytes) const {
  return x86::ptr(x86::rsp, static_cast<i32>(8 * (location - first_slot)), bytes);
}

// Keeps the flags.
void Emitter::load_constant(Gp target, u64 bits) {
  if (bits <= 0xFFFF'FFFF) a_.mov(target.r32(), imm(static_cast<u32>(bits)));
  else a_.mov(target.r64(), imm(bits));
}

void Emitter::load_constant(Xmm target, u64 bits) {
  if (bits == 0) {
    a_.xorps(target, target);
    return;
  }
  load_constant(x86::rax, bits);
  a_.movq(target, x86::rax);
}

bool Emitter::is_in_memory(NodeId id) const {
  const NodeId value = resolve(id);
  if (selection_.form[value] == Form::Folded) return node(value).op == Op::Load;
  return selection_.form[value] == Form::Value && is_slot(location(value));
}

Mem Emitter::memory_of(NodeId id, u32 bytes) {
  const NodeId value = resolve(id);
  if (selection_.form[value] == Form::Folded) return address(operand(node(value), 0), bytes);
  return slot(location(value), bytes);
}

// Whether the register holds the node's value, or a value from which the node's value is computed or loaded.
bool Emitter::reads(NodeId id, Location wanted) const {
  bool found = false;
  selection_.for_each_leaf(function_, id, [&](NodeId leaf) { found |= location(leaf) == wanted; });
  return found;
}

// Returns a general register with the node's value. If no register holds the value, loads the value into `scratch`.
// Does not change the flags.
Gp Emitter::in_general(NodeId id, Gp scratch) {
  const NodeId value = resolve(id);
  if (is_thread(value)) return thread_register;
  if (selection_.form[value] == Form::Value && is_general(location(value))) return x86::gpq(location(value));
  move_to_general(scratch, value);
  return scratch.r64();
}

// Chooses a second scratch register. An address whose base and index are both in spill slots needs two.
void Emitter::move_to_general(Gp target, NodeId id) {
  move_to_general(target, id, target.id() == Gp::kIdAx ? x86::rdx : target.id() == Gp::kIdDx ? x86::rcx : x86::rax);
}

void Emitter::move_to_general(Gp target, NodeId id, Gp other) {
  const NodeId value = resolve(id);
  const Node& n = node(value);
  u64 bits;
  if (is_thread(value)) {
    a_.mov(target.r64(), thread_register);
  } else if (is_constant(value, &bits)) {
    load_constant(target, bits);
  } else if (n.op == Op::SiteAddress) {
    a_.lea(target.r64(), x86::ptr(sites_, static_cast<i32>(n.bits * sizeof(low::Site))));
  } else if (selection_.form[value] == Form::Folded) {
    switch (n.op) {
      case Op::Address: a_.lea(target.r64(), address(value, 0, target, other)); break;
      case Op::Load: {
        const Mem from = address(operand(n, 0), bytes_of(n.type), target, other);
        if (bytes_of(n.type) >= 4) a_.mov(sized(target, n.type), from);
        else a_.movzx(target.r32(), from);
        break;
      }
      default: refuse(n, "a folded value is used as a register");
    }
  } else {
    const Location from = location(value);
    if (from == no_location) return refuse(n, "a value has no location");
    if (is_vector(from)) a_.movq(target.r64(), x86::xmm(from - first_vector));
    else if (is_slot(from))
      a_.mov(sized(target, bytes_of(n.type) == 8 ? Type::I64 : Type::I32), slot(from, bytes_of(n.type) == 8 ? 8 : 4));
    else if (from != target.id()) a_.mov(target.r64(), x86::gpq(from));
  }
}

Xmm Emitter::in_vector(NodeId id, Xmm scratch) {
  const NodeId value = resolve(id);
  if (selection_.form[value] == Form::Value && is_vector(location(value)))
    return x86::xmm(location(value) - first_vector);
  move_to_vector(scratch, value);
  return scratch;
}

void Emitter::move_to_vector(Xmm target, NodeId id) {
  const NodeId value = resolve(id);
  u64 bits;
  if (is_constant(value, &bits)) return load_constant(target, bits);
  if (is_in_memory(value)) {
    const u32 bytes = bytes_of(type_of(value));
    if (bytes == 4) a_.movss(target, memory_of(value, 4));
    else a_.movsd(target, memory_of(value, 8));
    return;
  }
  const Location from = location(value);
  if (from == no_location) return refuse(node(value), "a value has no location");
  if (is_general(from)) a_.movq(target, x86::gpq(from));
  else if (from != first_vector + target.id()) a_.movaps(target, x86::xmm(from - first_vector));
}

// Returns the memory operand for an access to the address. If the base or the index is in no register, the emitted code
// loads it into `scratch`. If neither the base nor the index is in a register, the code also changes `other`. The code
// does not change the flags.
Mem Emitter::address(NodeId id, u32 bytes, Gp scratch, Gp other) {
  i64 offset = 0;
  NodeId base = resolve(id), index = no_node;
  u32 shift = 0;
  while (node(base).op == Op::Address && selection_.form[base] == Form::Folded) {
    const Node& n = node(base);
    offset += static_cast<i64>(n.bits);
    if (n.operand_count > 1) {
      index = resolve(operand(n, 1));
      shift = static_cast<u32>(std::countr_zero(n.scale));
    }
    base = resolve(operand(n, 0));
  }
  u64 bits;
  if (index != no_node && is_constant(index, &bits)) {
    const i64 sum = offset + static_cast<i64>(bits << shift);
    if (sum >= std::numeric_limits<i32>::min() && sum <= std::numeric_limits<i32>::max()) offset = sum, index = no_node;
  }
  // `scratch` may be the target of a parallel move, and may hold the address's index. In that case `scratch` and
  // `other` are exchanged, so that the index is not overwritten.
  if (index != no_node && location_or_none(index) == scratch.id()) std::swap(scratch, other);
  const bool is_site = node(base).op == Op::SiteAddress;
  if (is_site && index == no_node) {
    return x86::ptr(sites_, static_cast<i32>(node(base).bits * sizeof(low::Site)) + static_cast<i32>(offset), bytes);
  }
  if (is_constant(base, &bits)) {
    const i64 sum = static_cast<i64>(bits) + offset;
    if (sum >= 0 && sum <= std::numeric_limits<i32>::max()) {
      if (index == no_node) {
        Mem fixed = x86::ptr(static_cast<u64>(sum), bytes);
        fixed.setAbs();
        return fixed;
      }
      const Gp in = in_general(index, scratch);
      Mem fixed = x86::ptr(static_cast<u64>(sum), in, shift, bytes);
      fixed.setAbs();
      return fixed;
    }
    if (bits > 0xFFFF'FFFF || offset < 0) {  // one instruction for both
      load_constant(scratch, static_cast<u64>(sum));
      if (index == no_node) return x86::ptr(scratch.r64(), 0, bytes);
      if (is_register(location_or_none(index)) || is_thread(index))
        return x86::ptr(scratch.r64(), in_general(index, other), shift, 0, bytes);
      move_to_general(other, index);
      a_.lea(scratch.r64(), x86::ptr(scratch.r64(), other.r64(), shift));
      return x86::ptr(scratch.r64(), 0, bytes);
    }
  }
  const Gp base_register = in_general(base, scratch);
  if (index == no_node) return x86::ptr(base_register, static_cast<i32>(offset), bytes);
  if (base_register.id() != scratch.id() || is_register(location_or_none(index))) {
    const Gp index_register = in_general(index, base_register.id() != scratch.id() ? scratch : other);
    return x86::ptr(base_register, index_register, shift, static_cast<i32>(offset), bytes);
  }
  move_to_general(other, index);
  a_.lea(scratch.r64(), x86::ptr(scratch.r64(), other.r64(), shift, static_cast<i32>(offset)));
  return x86::ptr(scratch.r64(), 0, bytes);
}

Location Emitter::location_or_none(NodeId id) const {
  const NodeId value = resolve(id);
  return selection_.form[value] == Form::Value ? location(value) : no_location;
}

// Returns the register into which the node's result is computed. Returns `scratch` if the result goes to a spill slot,
// or if no node uses the result.
Gp Emitter::result(NodeId id, Gp scratch) const {
  const Location to = allocation_.of(id);
  return is_general(to) ? Gp(x86::gpq(to)) : Gp(scratch.r64());
}
Xmm Emitter::result(NodeId id, Xmm scratch) const {
  const Location to = allocation_.of(id);
  return is_vector(to) ? Xmm(x86::xmm(to - first_vector)) : scratch;
}

void Emitter::finish(NodeId id, Gp value) {
  const Location to = allocation_.of(id);
  if (to == no_location) return;
  if (is_slot(to)) a_.mov(slot(to), value.r64());
  else if (to != value.id()) a_.mov(x86::gpq(to), value.r64());
}
void Emitter::finish(NodeId id, Xmm value) {
  const Location to = allocation_.of(id);
  if (to == no_location) return;
  if (is_slot(to)) a_.movsd(slot(to), value);
  else if (to != first_vector + value.id()) a_.movaps(x86::xmm(to - first_vector), value);
}

}  // namespace keyhole::middle
