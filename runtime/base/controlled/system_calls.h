// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replacements of system calls in a controlled VM (strands.h). The VM's few functions that use the system call them
// while is_on(). A VM without an explorer has no Execution, so is_on() is false.
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
