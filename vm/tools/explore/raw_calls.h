// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System calls that are not trapped, in a process whose other system calls are (kernel_calls.h). The kernel lets a call
// pass if its instruction lies between keyhole_raw_begin and keyhole_raw_end.
#pragma once

#include "runtime/base/types.h"

extern "C" {
// Returns the call's result, or a negative errno.
keyhole::i64 keyhole_raw_call(keyhole::i64 number, keyhole::u64 a, keyhole::u64 b, keyhole::u64 c, keyhole::u64 d,
                              keyhole::u64 e, keyhole::u64 f);
void keyhole_raw_return_from_signal();
extern const char keyhole_raw_begin[], keyhole_raw_end[];
}

namespace keyhole::explore {

template <typename... Arguments> i64 raw_call(i64 number, Arguments... arguments) {
  u64 words[6] = {};
  u32 count = 0;
  ((words[count++] = (u64)(arguments)), ...);
  return keyhole_raw_call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

}  // namespace keyhole::explore
