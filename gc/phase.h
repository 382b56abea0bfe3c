// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a collection, in the order they run.
//
//   phase        true before it                          what it does
//   Prepare      the world is stopped                    takes all TLABs and shared regions away from mutators
//   Verify       regions can be walked                   (by flag) checks the heap as the mutators left it
//   Roots        nothing is known to be live             copies or marks the referents of roots
//   Trace        roots are done                          copies or marks everything reachable
//   References   the strongly reachable is known         gc/references.h steps 1 to 4
//   WeakRoots    liveness is final                       clears or updates weak roots; monitors of dead objects
//   Classes      weak roots are cleared                   unlinks unused classes
//   Plan         everything live is marked               (sliding) gives each live object its new place
//   Move         each live object has a new place        (sliding) rewrites references, moves objects
//   Release      nothing live is in from-space           regions that are empty now become Free
//   Rebuild      everything live is marked               (marking) dead objects become filler, cards are remembered
//   Resize       used regions are known                  the next trigger; without a service thread (service.h), what
//                                                        it would do
//   VerifyAfter  the heap is as mutators will see it     (by flag) checks it again
//
// L1: what nothing has reached when References ends is dead. Weak roots let it go before its memory is used again.
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::gc {

enum class Phase : u8 {
  Prepare,
  Verify,
  Roots,
  Trace,
  References,
  WeakRoots,
  Classes,
  Plan,
  Move,
  Release,
  Rebuild,
  Resize,
  VerifyAfter,
  count
};
constexpr std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::Prepare: return "Prepare";
    case Phase::Verify: return "Verify Before";
    case Phase::Roots: return "Roots";
    case Phase::Trace: return "Trace";
    case Phase::References: return "Reference Processing";
    case Phase::WeakRoots: return "Weak Roots";
    case Phase::Classes: return "Class Unloading";
    case Phase::Plan: return "Plan Compaction";
    case Phase::Move: return "Move Objects";
    case Phase::Release: return "Release Regions";
    case Phase::Rebuild: return "Rebuild Remembered Sets and Scrub Regions";
    case Phase::Resize: return "Resize";
    case Phase::VerifyAfter: return "Verify After";
    case Phase::count: break;
  }
  return "?";
}

}  // namespace keyhole::gc
