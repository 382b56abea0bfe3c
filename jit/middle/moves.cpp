// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parallel moves, for phis and arguments: moves with the effect that all sources are read before any target is written.
//
// A move is emitted as soon as no remaining move reads its target. When no such move is left, the remaining moves form
// cycles. A cycle of registers is broken by exchanging two registers; `now_in_` records which register has a register's
// content then. A cycle through a spill slot is broken by copying the slot to rdx. Sources may also be addresses and
// constants; computing these uses rax and the target as scratch registers.
#include "jit/middle/emitter.h"

#include <algorithm>

namespace keyhole::middle {

using low::Op;

void Emitter::move(const Move& move) {
  const NodeId from = resolve(move.from);
  const bool is_float_value = is_float(type_of(from));
  if (is_general(move.to)) return move_to_general(x86::gpq(move.to), from, x86::rax);
  if (is_vector(move.to)) return move_to_vector(x86::xmm(move.to - first_vector), from);
  const Location source = location_or_none(from);
  if (source == move.to) return;
  if (is_float_value && is_vector(source)) {
    a_.movsd(slot(move.to), x86::xmm(source - first_vector));
    return;
  }
  i32 value;
  if (is_immediate(from, &value) && (value >= 0 || bytes_of(type_of(from)) == 8)) {
    a_.mov(slot(move.to), imm(value));
    return;
  }
  if (moved_slot_ != no_location && selection_.form[from] == Form::Folded)
    return refuse("parallel moves with more cycles than scratch registers");
  a_.mov(slot(move.to), in_general(from, x86::rax));
}

void Emitter::exchange(Location a, Location b) {
  if (is_vector(a)) {
    a_.movaps(x86::xmm0, x86::xmm(a - first_vector));
    a_.movaps(x86::xmm(a - first_vector), x86::xmm(b - first_vector));
    a_.movaps(x86::xmm(b - first_vector), x86::xmm0);
  } else {
    a_.xchg(x86::gpq(a), x86::gpq(b));
  }
  for (u8& now : now_in_) {
    if (now == a) now = static_cast<u8>(b);
    else if (now == b) now = static_cast<u8>(a);
  }
}

void Emitter::move_in_parallel(std::vector<Move>& moves) {
  std::erase_if(moves,
                [this](const Move& one) { return one.to == no_location || location_or_none(one.from) == one.to; });
  while (!moves.empty()) {
    auto is_ready = [&](const Move& one) {
      return std::ranges::none_of(moves,
                                  [&](const Move& other) { return &other != &one && reads(other.from, one.to); });
    };
    const auto ready = std::ranges::find_if(moves, is_ready);
    if (ready != moves.end()) {
      move(*ready);
      moves.erase(ready);
      continue;
    }
    // Exchanges two registers only if both are targets of moves. A register that is no target may hold a value that is
    // still live.
    auto is_target = [&](Location wanted) { return std::ranges::find(moves, wanted, &Move::to) != moves.end(); };
    const auto plain = std::ranges::find_if(moves, [&](const Move& one) {
      const Location from = location_or_none(one.from);
      return is_register(one.to) && is_register(from) && is_vector(one.to) == is_vector(from) && is_target(from);
    });
    if (plain != moves.end()) {
      exchange(plain->to, location_or_none(plain->from));
      moves.erase(plain);
      std::erase_if(moves, [this](const Move& one) { return location_or_none(one.from) == one.to; });
      continue;
    }
    const auto spilled = std::ranges::find_if(moves, [](const Move& one) { return is_slot(one.to); });
    // rdx may still hold the content of a spill slot that an earlier step saved. If no remaining move reads rdx, it is
    // free.
    const bool is_free =
        std::ranges::none_of(moves, [this](const Move& one) { return reads(one.from, Location{Gp::kIdDx}); });
    if (spilled != moves.end() && is_free) {
      a_.mov(x86::rdx, slot(spilled->to));
      moved_slot_ = spilled->to;
      continue;
    }
    const auto computed = std::ranges::find_if(moves, [](const Move& one) { return is_general(one.to); });
    Location read = no_location;  // a register that this move reads and that another move overwrites
    if (computed != moves.end()) {
      selection_.for_each_leaf(function_, computed->from, [&](NodeId leaf) {
        const Location from = location(leaf);
        if (is_general(from) && from != computed->to && is_target(from)) read = from;
      });
    }
    if (read == no_location) {
      refuse("parallel moves with more cycles than scratch registers");
      break;
    }
    exchange(computed->to, read);
  }
  for (u8 i = 0; i < now_in_.size(); ++i) now_in_[i] = i;
  moved_slot_ = no_location;
}

// Moves the parameters from the registers of the calling convention to the locations that the allocator has chosen.
void Emitter::move_parameters() {
  constexpr u8 registers[] = {12, 13, 14, 15, 7, 6, 2, 1};
  struct Incoming {
    Location to;
    u8 from;
  };
  std::vector<Incoming> moves;
  for (const NodeId id : live_.values) {
    if (node(id).op == Op::Parameter) moves.push_back({allocation_.of(id), registers[node(id).bits]});
  }
  for (const Incoming& one : moves) {
    if (is_slot(one.to)) a_.mov(slot(one.to), x86::gpq(one.from));
  }
  std::erase_if(moves, [](const Incoming& one) { return is_slot(one.to) || one.to == one.from; });
  while (!moves.empty()) {
    const auto ready = std::ranges::find_if(moves, [&](const Incoming& one) {
      return std::ranges::none_of(moves, [&](const Incoming& other) { return other.from == one.to; });
    });
    if (ready != moves.end()) {
      a_.mov(x86::gpq(ready->to), x86::gpq(ready->from));
      moves.erase(ready);
      continue;
    }
    const Incoming first = moves.front();
    a_.xchg(x86::gpq(first.to), x86::gpq(first.from));
    moves.erase(moves.begin());
    for (Incoming& other : moves) {
      if (other.from == first.to) other.from = first.from;
    }
    std::erase_if(moves, [](const Incoming& one) { return one.to == one.from; });
  }
}

}  // namespace keyhole::middle
