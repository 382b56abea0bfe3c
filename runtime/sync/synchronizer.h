// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// `synchronized` as the VM uses it: the same functions for every algorithm that -XX:LockingMode= can select.
//
// Callers are managed (InVM) unless a function's comment says otherwise. A function marked MAY_SAFEPOINT can reach a
// safepoint, after which raw Object* of the caller are stale. So these functions take Handles. None throws: the caller
// turns a Status into the Java exception.
#pragma once

#include <span>
#include <string>

#include "runtime/base/capabilities.h"
#include "runtime/sync/status.h"
#include "runtime/threads/handles.h"

namespace keyhole::sync {

// Enters one level; blocks until the thread holds the object. record: the frame's lock record of this level, which is
// already pushed and has its object (protocol.h).
void enter(JavaThread* thread, Handle object, LockRecord* record) MAY_SAFEPOINT;
// Releases one level.
Status exit(JavaThread* thread, Handle object, LockRecord* record) TOUCHES_OBJECTS;
// Enters or exits one level of an object, for compiled code that had eliminated the lock and deoptimizes. The thread
// holds the object already, or no other thread has ever seen it. These functions run in state InJava, never block, and
// reach no safepoint.
void enter_held(JavaThread* thread, Object* object, LockRecord* record) TOUCHES_OBJECTS;
void exit_held(JavaThread* thread, Object* object, LockRecord* record) TOUCHES_OBJECTS;
// Object.wait: releases the lock with all its levels, and re-acquires the lock before it returns. timeout 0 = for ever.
Status wait(JavaThread* thread, Handle object, i64 milliseconds) MAY_SAFEPOINT;
Status notify(JavaThread* thread, Handle object) TOUCHES_OBJECTS;
Status notify_all(JavaThread* thread, Handle object) TOUCHES_OBJECTS;
// Returns the identity hash: 31 bits, never 0, the same for the object's whole life. Any thread may call this function,
// in every lock state of the object.
i32 identity_hash(JavaThread* thread, Handle object) MAY_SAFEPOINT;
// Returns the identity hash without reaching a safepoint, or 0 if the object is locked.
u32 identity_hash_unless_locked(JavaThread* thread, Object* object) TOUCHES_OBJECTS;
bool holds_lock(JavaThread* thread, Object* object);
// Returns the holder, or null if the object is free. The result is a snapshot, which is exact at a safepoint.
JavaThread* owner(Object* object);
// Wakes `target` out of wait(); called by Thread.interrupt after the flag is set.
void interrupt_waiter(JavaThread* target);

// For dumps, world stopped. blocked_on returns the object that `thread` is blocked on entering, or on re-entering after
// a wait. waiting_on returns the object on which `thread` waits in Object.wait. Both functions return null if there is
// no such object.
Object* blocked_on(const JavaThread* thread);
Object* waiting_on(const JavaThread* thread);
// Returns an address that identifies the lock in dumps: the address of the monitor if the object is inflated, otherwise
// the address of the object.
const void* lock_identity(Object* object) TOUCHES_OBJECTS;

// Called when a thread ends. The thread then holds no lock.
void thread_exits(JavaThread* thread);

// Called by the collector, world stopped, before objects move. If locks are recorded, writes the counts of coalesced
// pairs of enter and exit.
void before_objects_move();
// Updates the addresses of objects in locks; world stopped. `forward` returns the new address of an object, or null if
// it died. Monitors hold their object weakly; an object that is locked or waited on is alive.
void update_references(Object* (*forward)(Object*, void*), void* context);
// Returns klass, hash and age of an object whose header is displaced, for the heap verifier and the collector.
u64 displaced_header(Object* object);

// The number of monitors, elements or mutexes that objects use now; for dumps, logs and tests.
u32 in_use();

struct Algorithm;
struct FastPathRow;
// Whether a second application thread must be refused.
bool runs_one_thread();
// The snippet of the active algorithm, for the interpreter and the compilers.
const FastPathRow& fast_path();
std::span<const Algorithm* const> all_algorithms();
// Adds a locking algorithm to the table of algorithms, after a file with the algorithm has been loaded.
// -XX:LockingMode= selects the algorithm by its name or by any path of that file. Called at most once, before
// initialize. Returns the empty string, or the reason for a refusal.
std::string add_algorithm(const Algorithm& algorithm);

// Selects the algorithm once at start, from flags. Returns the empty string, or the reason for a refusal.
std::string initialize();
void print_locking_modes();  // -XX:+PrintLockingModes: the table, on stdout

}  // namespace keyhole::sync
