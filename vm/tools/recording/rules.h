// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the rule of the locking protocol that allows a recorded event, as a number and a file ("R2 of lightweight.h").
//
//   lock_change             its own rule, or the only rule that covers the step
//   lock_enter, lock_exit   the rule of the snippet's step, or of a nested level; no rule after a slow path, because
//                           the slow path's lock_change events have the rules
//   object, hash, inflate, deflate, moved, died   the rule of its protocol
//
// Other events change nothing: they begin and end operations whose steps have events of their own.
#pragma once

#include <string>
#include <string_view>

#include "runtime/recorder/event.h"
#include "runtime/sync/picture/header_state.h"

namespace keyhole::recording {

// Returns the file of runtime/sync that has the rules of an algorithm of this family.
std::string_view rules_of(sync::picture::Family family);

// Returns the rule that allows the step of a lock_change event. `is_asked_for`: whether the thread takes this step
// because the program has asked for the object's identity hash.
std::string rule_of(sync::picture::Family family, const sync::picture::Change& change, bool is_asked_for);

// Returns the rule of a fast path (snippet) that acquired or released the lock without the slow path, or an empty text
// if there is none. `header` is the object's header before this operation.
std::string snippet_rule(sync::picture::Family family, sync::picture::HeaderState header, bool takes);
// Returns the rule of a nested enter or exit: the thread holds the lock already, or still holds it afterwards.
std::string_view level_rule(sync::picture::Family family, sync::picture::HeaderState header);

// Returns the rule of an event that is not a lock operation. For `moved`, call rule_of_move: its rule depends on the
// phase.
std::string_view rule_of(recorder::Kind kind);

// Returns the rule by which a collection moved an object. `phase`: the name of the phase that moved it, for example
// sliding_phase.
inline constexpr std::string_view sliding_phase = "Move Objects";
std::string_view rule_of_move(std::string_view phase);

}  // namespace keyhole::recording
