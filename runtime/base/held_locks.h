// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which of the VM's locks each OS thread holds, and where it took them; debug builds only.
//
// A lock is taken only inside of locks that runtime/lock_ranks.def lets it nest in, whether another thread is in the
// way or not: an order that could deadlock is found by the first thread that takes it. What is found ends the VM: the
// message names both locks and both places, and the crash report shows the stack.
#pragma once

#include <source_location>

#include "runtime/base/lock_ranks.h"

namespace keyhole::held_locks {

#if KEYHOLE_DEBUG
// Before waiting for the lock. Not for try_lock, which waits for nobody.
void check_order(LockRank rank, const std::source_location& where);
void add(const void* mutex, LockRank rank, const std::source_location& where);
void remove(const void* mutex);
void check_held(const void* mutex, LockRank rank);
// The thread is about to wait on a condition of `mutex`: it holds nothing else that somebody might want meanwhile.
void check_only(const void* mutex, const std::source_location& where);
// The thread is about to stop at a safepoint, or may be: who waits for a lock of the VM does not poll, so whoever holds
// one must not stop. The lock of operations is the exception: it is waited for as Blocked.
void check_none(const char* what);
// For crash reports: what they take is taken from wherever the thread was.
void ignore_from_now_on();
#else
inline void check_order(LockRank, const std::source_location&) {}
inline void add(const void*, LockRank, const std::source_location&) {}
inline void remove(const void*) {}
inline void check_held(const void*, LockRank) {}
inline void check_only(const void*, const std::source_location&) {}
inline void check_none(const char*) {}
inline void ignore_from_now_on() {}
#endif

}  // namespace keyhole::held_locks
