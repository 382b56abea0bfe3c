// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up the rule of an event, by algorithm and step.
#include "vm/tools/recording/rules.h"

#include <fmt/format.h>

#include "gc/phase.h"

namespace keyhole::recording {

using recorder::Kind;
using sync::picture::Change;
using sync::picture::Family;
using sync::picture::HeaderState;
using sync::picture::Step;

static_assert(sliding_phase == gc::name_of(gc::Phase::Move));

std::string_view rules_of(Family family) {
  switch (family) {
    case Family::monitor: return "monitor_lock.h";
    case Family::legacy: return "legacy.h";
    case Family::lightweight: return "lightweight.h";
    case Family::table: return "monitor_table_protocol.h";
    case Family::chains:
    case Family::chains_fast: return "hashchains.h";
    case Family::chains_plus3: return "hashchains_plus3.h";
    case Family::fifo: return "cjm_fifo.h";
    case Family::by: return "cjm_by.h";
    case Family::hybrid: return "cjm_hybrid.h";
    case Family::none: break;
  }
  return "";
}

std::string rule_of(Family family, const Change& change, bool is_asked_for) {
  if (change.rule.of_monitor) return fmt::format("R{} of object_monitor.h", change.rule.number);
  if (change.rule.number == 0) {
    switch (change.step) {
      case Step::hashed: return has_elements(family) && !is_asked_for ? "E1 of cjm_element.h" : "R1 of identity_hash.h";
      case Step::unhashed: return "R8 of object_monitor.h";
      case Step::waits:
      case Step::left_waiters: return has_elements(family) ? "E4 of cjm_element.h" : "";
      default: return {};
    }
  }
  // The algorithms that keep monitors in a table release an object without a monitor by the rules of lightweight
  // locking.
  if (family == Family::table && change.step == Step::let_go)
    return fmt::format("R{} of lightweight.h", change.rule.number);
  return fmt::format("R{} of {}", change.rule.number, rules_of(family));
}

std::string snippet_rule(Family family, HeaderState header, bool takes) {
  if (has_monitors(family) && header.lock() == HeaderState::inflated) return "R2 of object_monitor.h";
  switch (family) {
    case Family::legacy: return "R2 of legacy.h";
    case Family::lightweight:
    case Family::table: return "R2 of lightweight.h";
    case Family::chains_plus3: return "R3 of hashchains_plus3.h";
    case Family::fifo:
    case Family::hybrid: return fmt::format("R1 of {}", rules_of(family));
    case Family::by: {
      bool is_alone = takes == (header.lock() == HeaderState::free);
      return is_alone ? "R1 of cjm_by.h" : takes ? "R5 of cjm_by.h" : "R4 of cjm_by.h";
    }
    default: return {};
  }
}

std::string_view level_rule(Family family, HeaderState header) {
  if (has_monitors(family) && header.lock() == HeaderState::inflated) return "";
  switch (family) {
    case Family::lightweight:
    case Family::table: return "R7 of lightweight.h";
    case Family::chains:
    case Family::chains_fast: return "R1 of hashchains.h";
    case Family::chains_plus3: return "R1 of hashchains_plus3.h";
    case Family::fifo:
    case Family::by:
    case Family::hybrid: return "B1 of cjm_base.h";
    default: return "";
  }
}

std::string_view rule_of(Kind kind) {
  switch (kind) {
    case Kind::object: return "O1 of object_numbers.h";
    case Kind::hash: return "R1 of identity_hash.h";
    case Kind::inflate: return "R1 of inflation.h";
    case Kind::deflate: return "R5 of object_monitor.h";
    case Kind::died: return "L1 of phase.h";
    default: return "";
  }
}

std::string_view rule_of_move(std::string_view phase) {
  return phase == sliding_phase ? "R3 of mark_compact.h" : "F2 of forwarding.h";
}

}  // namespace keyhole::recording
