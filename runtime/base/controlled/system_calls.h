// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The calls that take the place of system calls in a controlled VM (strands.h): for the few functions that would reach
// the system. A VM without an explorer has no Execution: is_on() is false, and they go to the system.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::controlled {

struct Execution;  // execution.h
extern Execution* execution;
inline bool is_on() { return execution != nullptr; }

// Sleeps until wake() for the key, or for `nanoseconds` (-1: for ever). The caller is in a safe state. Returns false if
// the time has passed.
bool sleep_on(const void* key, i64 nanoseconds);
void wake(const void* key, i32 count);
void yield();
i64 now_nanoseconds();
u64 random();

}  // namespace keyhole::controlled
