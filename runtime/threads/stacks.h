// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes of a thread's stacks, and the lower limit of its native stack.
//
// -Xss means one stack in HotSpot and two here: Java frames live on the Java stack, C++ that Java calls (and that calls
// Java again) on the native one. The factors keep recursion as deep as HotSpot's, roughly:
//
//   recursion          HotSpot 17, -Xss1m             Keyhole
//   Java only          ~10,000 frames interpreted,    frame header 72 bytes + locals + operands, ~100 bytes: 2 MiB give
//                                                     ~20,000
//                      ~20,000 to 50,000 compiled
//   through natives    ~250 bytes of Java stack and up to 2 KiB of native stack per level: 16 MiB
//
// A request for hundreds of megabytes is for deep recursion in Java: the native stack beside a large Java stack is half
// of it, twice as much as the records of compiled calls can need (vm/code/compiled_code.h).
#pragma once

#include "runtime/base/page.h"
#include "runtime/base/types.h"

namespace keyhole::stacks {

inline constexpr usize java_stack_factor = 2;
// The native stack is native_stack_factor times as large as the Java stack, but not larger than
// ample_native_stack_bytes, and never smaller than the Java stack divided by large_native_stack_divisor.
inline constexpr usize native_stack_factor = 8;
inline constexpr usize ample_native_stack_bytes = 128_MiB;
inline constexpr usize large_native_stack_divisor = 2;
inline constexpr usize minimum_requested_bytes = 64_KiB;
inline constexpr usize default_bytes = 1_MiB;  // HotSpot's ThreadStackSize on x86-64
inline constexpr usize reserved_zone_bytes = 32_KiB;
inline constexpr usize minimum_native_stack_bytes = 8_MiB;
// Room below native_limit for C++ code that does not check the limit.
inline constexpr usize native_margin_bytes = 256_KiB;
inline constexpr usize signal_stack_bytes = 32_KiB;
// Every Java frame is larger than this number of bytes. So the record stack of a thread has room for one record per
// frame, however deep the frames are.
inline constexpr usize java_bytes_per_lock_record = 64;

// The value of -Xss / -XX:ThreadStackSize=.
usize default_requested_bytes();
// Returns the size of the Java stack for a stack size that was requested by -Xss or Thread's constructor; 0 requests
// the default.
usize java_stack_bytes(usize requested_bytes);
usize native_stack_bytes(usize java_bytes);
// Returns the lower limit of the calling thread's native stack.
char* native_limit_of_started_thread(usize java_bytes);
char* native_limit_of_attached_thread();
// Returns the native limit for optimised code that makes calls. Such code is not entered below this limit, so each Java
// frame below it needs at most a call record on the native stack. The Java stack is exhausted first, because every
// frame is larger than four such records.
inline char* native_entry_limit(char* native_limit, usize java_bytes) { return native_limit + java_bytes / 4; }

}  // namespace keyhole::stacks
