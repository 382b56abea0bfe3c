// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a sanitizer must be told, and nothing where none is on: its headers come with clang's runtime libraries, which
// only builds with a sanitizer need.
#pragma once

#include "runtime/base/types.h"

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace keyhole {

// Memory that nobody may touch until unpoison_memory: an access is reported by AddressSanitizer.
inline void poison_memory([[maybe_unused]] void* memory, [[maybe_unused]] usize bytes) {
#if __has_feature(address_sanitizer)
  __asan_poison_memory_region(memory, bytes);
#endif
}

inline void unpoison_memory([[maybe_unused]] void* memory, [[maybe_unused]] usize bytes) {
#if __has_feature(address_sanitizer)
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace keyhole
