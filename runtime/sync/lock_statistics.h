// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics of locking since the VM started: the counters of all threads, ended ones included, and the memory that
// locking has taken.
#pragma once

#include <cstdio>
#include <string>

#include "runtime/threads/java_thread.h"

namespace keyhole::sync::statistics {

// Called when a thread ends: adds its counters to the total.
void thread_exits(JavaThread* thread);
// The sum of a counter over all threads; exact with the world stopped.
u64 total(LockCounter counter);
// Bytes reserved for monitors and for lock elements. Reserved memory is reused and never returned, so the two numbers
// are peaks.
usize monitor_bytes();
usize element_bytes();
// -XX:+PrintLockStatistics, at exit.
void print(FILE* out);
// -XX:LockStatisticsFile=, at exit.
void write(const std::string& path);

}  // namespace keyhole::sync::statistics
