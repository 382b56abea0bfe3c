// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which code assumes what about the class hierarchy, without asking when it runs (vm/link/class_hierarchy.h).
//
//    compiling thread               linking thread                  other threads
//    graph: found to hold
//    registered, still holds ──┐
//    installed                 │    class in its supers' lists      run the code
//                              └──> who assumes otherwise?
//                                   world stopped: it retires       behind their calls, or at polls, they leave it
//                                   ────> instances of the class
//
// A1: code is registered before it is installed, and before it is asked for the last time whether all of that holds.
// A2: code is registered until it is freed: retired code, too, while frames are in it.
// A3: code with assumptions looks behind its calls whether it is obsolete (obsolete_code.h).
#pragma once

#include <span>
#include <vector>

#include "vm/interpreter/compiled_code.h"
#include "vm/link/class_hierarchy.h"

namespace keyhole::assumptions {

// False: something does not hold any more, and nothing is registered. The code must not be installed then.
[[nodiscard]] bool add(CompiledCode* code, std::span<const OnlyMethod> assumed);
// It is freed.
void forget(const CompiledCode* code);

struct Assumption {
  CompiledCode* code;
  OnlyMethod assumed;
};
// One for each code that the class contradicts, and no class before it has.
std::vector<Assumption> contradicted_by(const InstanceKlass* klass);

}  // namespace keyhole::assumptions
