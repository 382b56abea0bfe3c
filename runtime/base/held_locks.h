// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HeldLocks: the VM's locks that each OS thread holds, with the stacks that took them; debug builds only.
//
// A thread may take a lock only inside of locks in which runtime/lock_ranks.def nests it. So the first thread that
// takes locks in an order that could deadlock is caught, even without contention: the VM ends, the message names both
// locks and both places, and the crash report shows the stack.
#pragma once

#include <source_location>

#include "runtime/base/lock_ranks.h"

namespace keyhole::held_locks {

#if KEYHOLE_DEBUG
// Called before a thread waits for the lock. Not called for try_lock, which does not wait.
void check_order(LockRank rank, const std::source_location& where);
void add(const void* mutex, LockRank rank, const std::source_location& where);
void remove(const void* mutex);
void check_held(const void* mutex, LockRank rank);
// Called before a thread waits on a condition of `mutex`: it must hold no other lock meanwhile.
void check_only(const void* mutex, const std::source_location& where);
// Called where the thread may stop at a safepoint. A thread that waits for a lock of the VM does not poll, so an owner
// must not stop. The lock `operations` is the exception: threads wait for it as Blocked.
void check_none(const char* what);
// Called by crash reports, which take locks while the thread may hold any others.
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
