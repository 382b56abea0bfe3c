// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dependencies of compiled code on the class hierarchy (vm/link/loading/class_hierarchy.h). Compiled code relies on
// these assumptions without checking them at run time.
//
//    compiling thread               linking thread                  other threads
//    graph: found to hold
//    registered, still holds ──┐
//    installed                 │    class in its supers' lists      run the code
//                              └──> which code assumes otherwise?
//                                   world stopped: it retires       deoptimize after their calls, or at polls
//                                   ────> instances of the class
//
// A1: code is registered first; then its assumptions are checked for the last time; then it is installed. So a class
//     that is linked meanwhile is seen by this last check, or its linking thread finds the code in the list of
//     registered code.
// A2: code stays registered until it is freed, even if it has retired, because frames may still run in it.
// A3: code with assumptions checks after each call whether it is obsolete (obsolete_code.h).
#pragma once

#include <span>
#include <vector>

#include "vm/code/compiled_code.h"
#include "vm/link/loading/class_hierarchy.h"

namespace keyhole::assumptions {

// Registers the code under the assumptions on which it depends. If an assumption does not hold any more, registers
// nothing and returns false; the caller must not install the code then.
[[nodiscard]] bool add(CompiledCode* code, std::span<const UniqueConcreteMethod> assumed);
// Removes the registration of code that is being freed.
void forget(const CompiledCode* code);

struct Assumption {
  CompiledCode* code;
  UniqueConcreteMethod assumed;
};
// Returns one invalidated assumption for each piece of code that the class invalidates. Skips code that has retired as
// Invalidated before.
std::vector<Assumption> invalidated_by(const InstanceKlass* klass);

}  // namespace keyhole::assumptions
