// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits calls, returns and deopt exits.
//
// Around a call of C, the code saves the registers that hold live values and that the callee does not preserve. So rare
// calls cost the frequent paths around them nothing. A snippet is called with clang's convention `preserve_most`: it
// preserves all general registers except r11 and the result register.
#include "jit/middle/emitter.h"

#include <algorithm>

namespace keyhole::middle {

using low::no_node;
using low::Op;
using low::Parameter;
using low::Type;

namespace {

constexpr u8 arguments_in[] = {Gp::kIdDi, Gp::kIdSi, Gp::kIdDx, Gp::kIdCx, Gp::kIdR8, Gp::kIdR9};
constexpr u32 most_vector_arguments = 2;

bool is_preserved_by_c(Location location) {
  return location == Gp::kIdBx || (location >= Gp::kIdR12 && location <= Gp::kIdR15);
}

}  // namespace

// Whether the register must be saved around the call. Two conditions have to hold: the register holds a value that is
// live across the call, and the callee or the moves of the arguments change the register.
bool Emitter::is_saved(Location location, NodeId call) const {
  if (is_general(location)) {
    const Node& n = node(call);
    u32 general = 0;
    for (u32 i = 0; i < n.operand_count; ++i) general += !is_float(type_of(operand(n, i)));
    const auto* end = arguments_in + std::min<usize>(general, std::size(arguments_in));
    const bool is_argument = std::find(arguments_in, end, location) != end;
    const bool is_preserved = n.op == Op::Snippet ? location != Gp::kIdR11 : is_preserved_by_c(location);
    if (is_preserved && !is_argument) return false;
  }
  return allocation_.is_occupied(location, live_.position[call] + 1);
}

void Emitter::emit_call_of_c(NodeId id) {
  const Node& n = node(id);
  call_of_c(id, function_.symbols[n.bits]);
}

void Emitter::call_of_c(NodeId id, std::string_view name) {
  const Node& n = node(id);
  auto for_each_saved = [&](auto&& visit) {
    for (Location location = 0; location < first_slot; ++location) {
      if (is_saved(location, id)) visit(location, first_slot + saved_at_[location] - 1);
    }
  };
  for_each_saved([&](Location location, Location at) {
    if (is_vector(location)) a_.movsd(slot(at), x86::xmm(location - first_vector));
    else a_.mov(slot(at), x86::gpq(location));
  });
  std::vector<Move> moves;
  u32 general = 0, vectors = 0;
  for (u32 i = 0; i < n.operand_count; ++i) {
    const NodeId argument = operand(n, i);
    if (is_float(type_of(argument))) {
      if (vectors == most_vector_arguments) return refuse(n, "more floating-point arguments than registers");
      moves.push_back({first_vector + vectors++, argument});
    } else {
      if (general == std::size(arguments_in)) return refuse(n, "more arguments than registers");
      moves.push_back({arguments_in[general++], argument});
    }
  }
  move_in_parallel(moves);
  const auto found = std::ranges::find(function_.symbols, name);
  const uptr callee = found != function_.symbols.end() ? symbols_[static_cast<usize>(found - function_.symbols.begin())]
                                                       : host_.resolve(name).address;
  if (callee == 0) return refuse("unknown symbol: " + std::string(name));
  a_.mov(x86::rax, imm(callee));
  a_.call(x86::rax);
  for_each_saved([&](Location location, Location at) {
    if (is_vector(location)) a_.movsd(x86::xmm(location - first_vector), slot(at));
    else a_.mov(x86::gpq(location), slot(at));
  });
  if (allocation_.of(id) == no_location) return;
  if (is_float(n.type)) return finish(id, x86::xmm0);
  switch (n.type) {  // a C function leaves the upper bits of a narrow result undefined
    case Type::I1:
    case Type::I8: a_.movzx(x86::eax, x86::al); break;
    case Type::I16: a_.movzx(x86::eax, x86::ax); break;
    case Type::I32: a_.mov(x86::eax, x86::eax); break;
    default: break;
  }
  finish(id, x86::rax);
}

void Emitter::emit_call_of_java(NodeId id) {
  const Node& n = node(id);
  const NodeId target = resolve(operand(n, 0));
  const bool is_own = node(target).op == Op::Symbol && function_.symbols[node(target).bits] == low::own_entry_symbol;
  u64 address;
  std::vector<Move> moves{{Gp::kIdDi, operand(n, 1)}, {Gp::kIdR13, operand(n, 2)}, {Gp::kIdDx, operand(n, 3)}};
  const bool is_fixed = is_own || is_constant(target, &address);
  if (!is_fixed) moves.push_back({Gp::kIdCx, target});
  move_in_parallel(moves);
  if (is_own) a_.call(entry_);
  else if (is_fixed) a_.call(imm(address));
  else a_.call(x86::rcx);
  // Moves the three results of the call one by one. The results arrive in scratch registers, which are never allocated.
  // So no move overwrites a result that is still to be read.
  const CallResults& results = selection_.calls[selection_.call_number[id]];
  if (results.status != no_node && allocation_.of(results.status) != no_location) {
    a_.mov(x86::eax, x86::eax);
    finish(results.status, x86::rax);
  }
  if (results.result != no_node) finish(results.result, x86::rdx);
  if (results.slot != no_node) finish(results.slot, x86::rcx);
}

void Emitter::drop_frame() {
  if (frame_bytes_ != 0) a_.add(x86::rsp, imm(frame_bytes_));
}

void Emitter::emit_return(NodeId id) {
  const Node& n = node(id);
  std::vector<Move> moves{{Gp::kIdDx, operand(n, 1)}, {Gp::kIdCx, operand(n, 2)}};
  move_in_parallel(moves);
  move_to_general(x86::rax, operand(n, 0));
  drop_frame();
  a_.ret();
}

void Emitter::emit_exit(NodeId id) {
  const Node& n = node(id);
  constexpr u8 registers[] = {Gp::kIdR12, Gp::kIdR13, Gp::kIdR14, Gp::kIdR15,
                              Gp::kIdDi,  Gp::kIdSi,  Gp::kIdDx,  Gp::kIdCx};
  std::vector<Move> moves;
  for (u32 i = 0; i < low::parameter_count; ++i) {
    const NodeId parameter = operand(n, 1 + i);
    if (parameter == no_node) continue;
    if (i == static_cast<u32>(Parameter::Thread)) {
      if (!is_thread(parameter)) return refuse(n, "hands over another thread");
      continue;
    }
    moves.push_back({registers[i], parameter});
  }
  u64 target;
  if (!is_constant(operand(n, 0), &target)) return refuse(n, "its target is not known");
  move_in_parallel(moves);
  drop_frame();
  a_.jmp(imm(target));
}

}  // namespace keyhole::middle
