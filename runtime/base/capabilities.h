// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Capabilities that code must hold before it may touch data, checked by clang's thread-safety analysis at compile time.
//
// The compiler follows each function from its first line to its last and knows what is held at each point: from the
// function's own attributes, and from what scopes and calls acquire and release. It reads only the declarations of
// callees, and does not see through function pointers. Capabilities do not exist at run time.
//
//   on a field      GUARDED_BY(mutex)             read it holding the mutex, write it holding the mutex exclusively
//                   POINTEE_GUARDED_BY(mutex)     the same for the object that the pointer points to
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

// Permissions of threads on the heap (docs/safepoints.md): capabilities without a mutex, declared for the compiler and
// never defined.
namespace keyhole {

struct CAPABILITY("the right") Mutator {};
struct CAPABILITY("the permission") StopPermission {};
struct CAPABILITY("the scope") NoSafepointRegion {};
struct CAPABILITY("the state") SafeState {};

// Held shared: objects stay where they are and may be touched, because the thread is managed or the world is stopped.
// Held exclusively: the world is stopped, and this thread changes data that others must not see half done.
extern Mutator MUTATOR;
// Held shared: every caller expects that the thread may stop here.
extern StopPermission MAY_STOP;
// The thread keeps raw Object*, or holds a lock of the VM: it must not stop.
extern NoSafepointRegion NO_SAFEPOINT;
// The thread is InNative or Blocked, so objects may move at any moment. Only test code uses it (below).
extern SafeState SAFE_STATE;

}  // namespace keyhole

//   TOUCHES_OBJECTS      the function dereferences, returns or takes raw Object*
//   MAY_SAFEPOINT        the function may stop at a safepoint: afterwards the caller's raw Object* are stale
//   WORLD_STOPPED        only while the world is stopped, by the thread that stopped it or a worker of it
//   ENTERS_SAFE_STATE    afterwards the thread counts as stopped
//   LEAVES_SAFE_STATE    afterwards it is managed again
//   CALLS_VISITOR        the function needs the capabilities that its visitor needs, and no more
#if !KEYHOLE_TEST_CODE
#define TOUCHES_OBJECTS REQUIRES_SHARED(::keyhole::MUTATOR)
#define MAY_SAFEPOINT REQUIRES_SHARED(::keyhole::MUTATOR, ::keyhole::MAY_STOP) EXCLUDES(::keyhole::NO_SAFEPOINT)
#define ENTERS_SAFE_STATE RELEASE_SHARED(::keyhole::MUTATOR, ::keyhole::MAY_STOP) EXCLUDES(::keyhole::NO_SAFEPOINT)
#define LEAVES_SAFE_STATE ACQUIRE_SHARED(::keyhole::MUTATOR, ::keyhole::MAY_STOP) EXCLUDES(::keyhole::NO_SAFEPOINT)
#else
// Test and bench bodies are called by frameworks, which declare no capabilities. So in test code the functions exclude
// the wrong state instead of requiring the right one.
#define TOUCHES_OBJECTS EXCLUDES(::keyhole::SAFE_STATE)
#define MAY_SAFEPOINT EXCLUDES(::keyhole::NO_SAFEPOINT, ::keyhole::SAFE_STATE)
#define ENTERS_SAFE_STATE ACQUIRE(::keyhole::SAFE_STATE) EXCLUDES(::keyhole::NO_SAFEPOINT)
#define LEAVES_SAFE_STATE RELEASE(::keyhole::SAFE_STATE) EXCLUDES(::keyhole::NO_SAFEPOINT)
#endif
#define WORLD_STOPPED REQUIRES(::keyhole::MUTATOR)
// For a template that calls visitors with different needs: its body is not analysed. Each visitor declares its own
// needs, and runs inside the function that made it.
#define CALLS_VISITOR NO_THREAD_SAFETY_ANALYSIS
