// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dependencies of compiled code on the class hierarchy (vm/link/loading/class_hierarchy.h). The code relies on them
// without checking them when it runs.
//
//    compiling thread               linking thread                  other threads
//    graph: found to hold
//    registered, still holds ──┐
//    installed                 │    class in its supers' lists      run the code
//                              └──> which code assumes otherwise?
//                                   world stopped: it retires       deoptimize after their calls, or at polls
//                                   ────> instances of the class
//
// A1: code is registered before it is installed, and before its assumptions are checked for the last time. So a class
//     that is linked at any time is seen either by that check or by the list of registered code.
// A2: code stays registered until it is freed, also while it is retired and frames are in it.
// A3: code with assumptions checks after each call whether it is obsolete (obsolete_code.h).
#pragma once

#include <span>
#include <vector>

#include "vm/code/compiled_code.h"
#include "vm/link/loading/class_hierarchy.h"

namespace keyhole::assumptions {

// Registers the code. Returns false, and registers nothing, if an assumption does not hold any more; then the code must
// not be installed.
[[nodiscard]] bool add(CompiledCode* code, std::span<const UniqueConcreteMethod> assumed);
// Removes code that is being freed.
void forget(const CompiledCode* code);

struct Assumption {
  CompiledCode* code;
  UniqueConcreteMethod assumed;
};
// One invalidated assumption for each code that the class invalidates. Codes that have retired for this reason already
// are left out.
std::vector<Assumption> invalidated_by(const InstanceKlass* klass);

}  // namespace keyhole::assumptions
