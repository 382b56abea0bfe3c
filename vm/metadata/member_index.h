// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A hash index of a large class's declared members, so that resolving n members takes n steps, not n * n. Small classes
// have no index, because a scan of a few entries is as fast and costs nothing at definition.
//
//   method_index, field_index   positions in `methods` and `fields`: open addressing, by the addresses of name and
//                               descriptor symbols, at most half full
//
// Redefinition replaces methods in place and keeps their names, so that the index stays right.
#pragma once

#include "runtime/base/arena.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

// Classes with at most this number of members are scanned.
constexpr u32 most_members_scanned = 64;

void index_members(InstanceKlass* klass, Arena& arena);

}  // namespace keyhole
