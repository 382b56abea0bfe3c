// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits memory accesses, atomic operations and fences. On x86-64 every load acquires and every store releases. Only a
// sequentially consistent store needs more: it becomes an exchange.
#include "jit/middle/emitter.h"

namespace keyhole::middle {

using low::Op;
using low::Order;
using low::Type;

void Emitter::emit_load(NodeId id) {
  const Node& n = node(id);
  const Mem from = address(operand(n, 0), bytes_of(n.type));
  if (is_float(n.type)) {
    const Xmm to = result(id, x86::xmm0);
    if (n.type == Type::F32) a_.movss(to, from);
    else a_.movsd(to, from);
    return finish(id, to);
  }
  const Gp to = result(id, x86::rax);
  if (bytes_of(n.type) >= 4) a_.mov(sized(to, n.type), from);
  else a_.movzx(to.r32(), from);
  finish(id, to);
}

void Emitter::emit_store(NodeId id) {
  const Node& n = node(id);
  NodeId value = resolve(operand(n, 1));
  const Type type = type_of(operand(n, 1));
  const u32 bytes = bytes_of(type);
  if (selection_.form[value] == Form::Folded && node(value).op == Op::Truncate)
    value = resolve(operand(node(value), 0));
  i32 constant;
  u64 bits;
  bool is_fixed = is_immediate(operand(n, 1), &constant);
  if (!is_fixed && bytes < 4 && is_constant(value, &bits)) {  // a truncated constant
    constant = bytes == 1 ? static_cast<i32>(static_cast<i8>(bits)) : static_cast<i32>(static_cast<i16>(bits));
    is_fixed = true;
  }
  if (is_fixed && n.order != Order::SequentiallyConsistent) {
    a_.mov(address(operand(n, 0), bytes), imm(constant));
    return;
  }
  if (is_float(type) && n.order != Order::SequentiallyConsistent) {
    const Xmm from = in_vector(value, x86::xmm0);
    const Mem to = address(operand(n, 0), bytes);
    if (type == Type::F32) a_.movss(to, from);
    else a_.movsd(to, from);
    return;
  }
  if (n.order == Order::SequentiallyConsistent) {
    move_to_general(x86::rax, value);
    a_.xchg(address(operand(n, 0), bytes), sized(x86::rax, type));
    return;
  }
  const Gp from = in_general(value, x86::rax);
  a_.mov(address(operand(n, 0), bytes), sized(from, type));
}

void Emitter::emit_atomic(NodeId id) {
  const Node& n = node(id);
  move_to_general(x86::rax, operand(n, 1));
  const Mem memory = address(operand(n, 0), bytes_of(n.type));
  if (n.op == Op::Exchange) a_.xchg(memory, sized(x86::rax, n.type));
  else a_.lock().xadd(memory, sized(x86::rax, n.type));
  if (bytes_of(n.type) < 4) a_.movzx(x86::eax, sized(x86::rax, n.type));
  finish(id, x86::rax);
}

void Emitter::emit_fetch_and(NodeId id) {
  const Node& n = node(id);
  const Mem memory = address(operand(n, 0), bytes_of(n.type));
  i32 constant;
  const bool is_fixed = is_immediate(operand(n, 1), &constant);
  if (allocation_.of(id) == no_location) {
    if (is_fixed) a_.lock().and_(memory, imm(constant));
    else a_.lock().and_(memory, sized(in_general(operand(n, 1), x86::rax), n.type));
    return;
  }
  const Label again = a_.newLabel();
  a_.mov(sized(x86::rax, n.type), memory);
  a_.bind(again);
  move_to_general(x86::rdx, operand(n, 1));
  a_.and_(x86::rdx, x86::rax);
  a_.lock().cmpxchg(memory, sized(x86::rdx, n.type));
  a_.jne(again);
  if (bytes_of(n.type) < 4) a_.movzx(x86::eax, sized(x86::rax, n.type));
  else if (n.type == Type::I32) a_.mov(x86::eax, x86::eax);
  finish(id, x86::rax);
}

void Emitter::emit_compare_exchange(NodeId id) {
  const Node& n = node(id);
  const Mem memory = address(operand(n, 0), bytes_of(n.type));
  move_to_general(x86::rax, operand(n, 1));
  const Gp wanted = in_general(operand(n, 2), x86::rdx);
  a_.lock().cmpxchg(memory, sized(wanted, n.type));
  if (bytes_of(n.type) < 4) a_.movzx(x86::eax, sized(x86::rax, n.type));
  else if (n.type == Type::I32) a_.mov(x86::eax, x86::eax);
  finish(id, x86::rax);
}

}  // namespace keyhole::middle
