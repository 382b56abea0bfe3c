// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which rule allows what a recording tells, by number and file: "R2 of lightweight.h". What it says stands there.
//
//   lock_change   names its rule, or is of a step that only one rule is about
//   lock_enter, lock_exit   where a snippet did all alone: the rule of its CAS; of a level more or less
//   object, hash, inflate, deflate, moved, died   the rule of the protocol that does it
//
// Other events change nothing: they begin and end operations whose steps are told.
#pragma once

#include <string>
#include <string_view>

#include "runtime/recorder/event.h"
#include "runtime/sync/picture/header_state.h"

namespace keyhole::recording {

// The file of runtime/sync that has the algorithm's rules.
std::string_view rules_of(sync::picture::Family family);

// is_asked_for: the step is part of a request for the identity hash.
std::string rule_of(sync::picture::Family family, const sync::picture::Change& change, bool is_asked_for);

// Of the snippet, which took the lock or let it go alone; header: before it. Empty: no rule is about it.
std::string snippet_rule(sync::picture::Family family, sync::picture::HeaderState header, bool takes);
// Of a level more or less of a lock that the thread holds.
std::string_view level_rule(sync::picture::Family family, sync::picture::HeaderState header);

// Of events that are not about a thread's lock; moved has one for each phase.
std::string_view rule_of(recorder::Kind kind);

// phase: by name, in which a collection says that the object has moved.
inline constexpr std::string_view sliding_phase = "Move Objects";
std::string_view rule_of_move(std::string_view phase);

}  // namespace keyhole::recording
