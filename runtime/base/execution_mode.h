// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The execution mode that the flags select, in the words of `java -version` and the property java.vm.info.
#pragma once

#include <string_view>

#include "runtime/base/flags.h"

namespace keyhole {

inline std::string_view execution_mode() {
  if (flags::TieredStopAtLevel == 0) return "interpreted mode";                                     // -Xint
  bool at_first_call = flags::Tier3InvocationThreshold == 1 && flags::Tier3BackEdgeThreshold == 1;  // -Xcomp
  return at_first_call ? "compiled mode" : "mixed mode";
}

}  // namespace keyhole
