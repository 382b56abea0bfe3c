// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Capabilities: what code must hold before it may touch data, checked by clang's thread-safety analysis at compile
// time.
//
// The compiler follows each function from its first line to its last and knows what is held at each point: from the
// function's own attributes, and from what scopes and calls acquire and release. It reads only the declarations of
// callees, and does not see through function pointers. Nothing of this exists at run time.
//
//   on a field      GUARDED_BY(mutex)             read it holding the mutex, write it holding the mutex exclusively
//                   POINTEE_GUARDED_BY(mutex)     the same for what the pointer points to
//   on a function   REQUIRES(c)                   the caller holds c, before and after
//                   REQUIRES_SHARED(c)            the caller holds c, shared at least
//                   EXCLUDES(c)                   the caller does not hold c
//                   ACQUIRE(c), RELEASE(c)        held after and not before; held before and not after
//                   TRY_ACQUIRE(true, c)          held when the result is true
//                   ASSERT_CAPABILITY(c)          the body checks that c is held: the compiler believes it from here on
//                   RETURN_CAPABILITY(c)          the result is another name for c
//   on a class      CAPABILITY("kind")            its objects can be held
//                   SCOPED_CAPABILITY             its objects hold something from their constructor to their destructor
//   an escape       NO_THREAD_SAFETY_ANALYSIS     the body is not analysed; a sentence beside it says why it is correct
//
// A lambda is a function of its own and holds nothing at its start: it declares what it requires like any other
// function, `[&]() REQUIRES(mutex_) { ... }`.
//
// See also: mutex.h; clang's "Thread Safety Analysis"; tests/capabilities, whose wrong programs must not compile.
#pragma once

#define CAPABILITY(kind) __attribute__((capability(kind)))
#define SCOPED_CAPABILITY __attribute__((scoped_lockable))

#define GUARDED_BY(...) __attribute__((guarded_by(__VA_ARGS__)))
#define POINTEE_GUARDED_BY(...) __attribute__((pt_guarded_by(__VA_ARGS__)))

#define REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define REQUIRES_SHARED(...) __attribute__((requires_shared_capability(__VA_ARGS__)))
#define EXCLUDES(...) __attribute__((locks_excluded(__VA_ARGS__)))

#define ACQUIRE(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define ACQUIRE_SHARED(...) __attribute__((acquire_shared_capability(__VA_ARGS__)))
#define TRY_ACQUIRE(...) __attribute__((try_acquire_capability(__VA_ARGS__)))
#define RELEASE(...) __attribute__((release_capability(__VA_ARGS__)))
#define RELEASE_SHARED(...) __attribute__((release_shared_capability(__VA_ARGS__)))

#define ASSERT_CAPABILITY(...) __attribute__((assert_capability(__VA_ARGS__)))
#define ASSERT_SHARED_CAPABILITY(...) __attribute__((assert_shared_capability(__VA_ARGS__)))
#define RETURN_CAPABILITY(...) __attribute__((lock_returned(__VA_ARGS__)))
#define NO_THREAD_SAFETY_ANALYSIS __attribute__((no_thread_safety_analysis))

// What threads may do with the heap (docs/safepoints.md). Three capabilities without a mutex: declared for the
// compiler, never defined.
namespace keyhole {

struct CAPABILITY("the right") Mutator {};
struct CAPABILITY("the state") SafeState {};
struct CAPABILITY("the scope") NoSafepointRegion {};

// Exclusive: the world is stopped, and this thread changes what others must not see half done.
extern Mutator MUTATOR;
// The thread is InNative or Blocked: objects may move at any moment.
extern SafeState SAFE_STATE;
// The thread keeps raw Object*, or holds a lock of the VM: it must not stop.
extern NoSafepointRegion NO_SAFEPOINT;

}  // namespace keyhole

// The function dereferences, returns or takes raw Object*: not in a safe state.
#define TOUCHES_OBJECTS EXCLUDES(::keyhole::SAFE_STATE)
// The function may stop at a safepoint: afterwards the caller's raw Object* are stale.
#define MAY_SAFEPOINT EXCLUDES(::keyhole::NO_SAFEPOINT, ::keyhole::SAFE_STATE)
// Only while the world is stopped, by the thread that stopped it or a worker of it.
#define WORLD_STOPPED REQUIRES(::keyhole::MUTATOR)
