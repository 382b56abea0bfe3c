// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// FNV-1a with 64 bits: a hash that stays the same from run to run, for names of files and folders.
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

constexpr u64 fnv_hash(std::string_view text, u64 seed = 0) {
  u64 hash = seed ^ 0xcbf29ce484222325ull;
  for (char c : text) hash = (hash ^ static_cast<u8>(c)) * 0x100000001b3ull;
  return hash;
}

}  // namespace keyhole
