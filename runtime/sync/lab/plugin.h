// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Plugin: the structure keyhole_lock that the shared object of a loaded lock exports.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::sync {
struct Algorithm;
}

namespace keyhole::lab {

inline constexpr u32 interface_version = 1;

struct Plugin {
  u32 interface_version;
  // The VM that the shared object was made for, as build_of_vm() names it (vm/tools/lab/compile.h). There is no stable
  // binary interface: the shared object depends on the layouts of that VM's structures.
  const char* build;
  const sync::Algorithm* algorithm;
};

}  // namespace keyhole::lab
