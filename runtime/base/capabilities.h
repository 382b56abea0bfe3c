// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Capabilities: what a line must hold before it may touch something, checked by clang's thread-safety analysis while it
// compiles.
//
// The compiler follows each function from its first line to its last and knows what is held at each point: what the
// function's own attributes promise, what scopes and calls acquire, what they release. It looks at the declarations of
// callees only, and not through function pointers. Nothing of this exists at run time.
//
//   on a field      GUARDED_BY(mutex)             read it holding the mutex (shared or not), write it holding it exclusively
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
//   an escape       NO_THREAD_SAFETY_ANALYSIS     the body is not looked at; a sentence beside it says why it is right
//
// A lambda is a function of its own and starts with nothing: it says what it requires as any other function,
// `[&]() REQUIRES(mutex_) { ... }`.
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
