// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotations for sanitizers. They are empty in other builds, because the sanitizers' headers come with clang's runtime
// libraries, which only sanitizer builds need.
#pragma once

#include "runtime/base/types.h"

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#endif

namespace keyhole {

// Marks memory that must not be touched until unpoison_memory; AddressSanitizer reports an access.
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
