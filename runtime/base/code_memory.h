// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The amount of compiled code, for reports from layers below the tiers. Written by the tier that owns the code, read by
// any thread.
#pragma once

#include <atomic>

#include "runtime/base/types.h"

namespace keyhole::code_memory {

inline std::atomic<usize> capacity_bytes{0};  // 0: there is no tier
inline std::atomic<usize> used_bytes{0};
inline std::atomic<usize> peak_bytes{0};
inline std::atomic<i64> compile_nanoseconds{0};  // time spent compiling since the start

inline void set_used(usize bytes) {
  used_bytes.store(bytes, std::memory_order_relaxed);
  if (bytes > peak_bytes.load(std::memory_order_relaxed)) peak_bytes.store(bytes, std::memory_order_relaxed);
}

}  // namespace keyhole::code_memory
