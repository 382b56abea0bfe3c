// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The rule that allows a recorded event, by number and file ("R2 of lightweight.h"); the file has its text.
//
//   lock_change             its own rule, or the only rule that covers the step
//   lock_enter, lock_exit   the rule of the snippet's step, or of a nested level; none after a slow path, whose
//                           lock_change events have the rules
//   object, hash, inflate, deflate, moved, died   the rule of its protocol
//
// Other events change nothing: they begin and end operations whose steps have events of their own.
#pragma once

#include <string>
#include <string_view>

#include "runtime/recorder/event.h"
#include "runtime/sync/picture/header_state.h"

namespace keyhole::recording {

// The file of runtime/sync that has the algorithm's rules.
std::string_view rules_of(sync::picture::Family family);

// The rule of a step. `is_asked_for`: the step is part of a request for the identity hash.
std::string rule_of(sync::picture::Family family, const sync::picture::Change& change, bool is_asked_for);

// The rule of a snippet that acquired or released the lock alone; `header` is the header before it. Empty: no rule
// covers it.
std::string snippet_rule(sync::picture::Family family, sync::picture::HeaderState header, bool takes);
// The rule of a nested enter or exit of a lock that the thread holds.
std::string_view level_rule(sync::picture::Family family, sync::picture::HeaderState header);

// The rule of an event that is not a lock operation. `moved` has one rule for each phase.
std::string_view rule_of(recorder::Kind kind);

// The rule of a move. `phase`: the name of the collection phase that moved the object, for example sliding_phase.
inline constexpr std::string_view sliding_phase = "Move Objects";
std::string_view rule_of_move(std::string_view phase);

}  // namespace keyhole::recording
