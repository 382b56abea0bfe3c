// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LockProtocol: the shape that every locking algorithm has. The VM's table, the contract tests, the model checker, the
// simulator and mutexbench use an algorithm through these names only.
//
// An algorithm is a class template over a ThreadedWorld W (runtime/base/platform/world.h), one instance per VM:
//
//   FastPath                     the snippet: static bool try_enter(thread, reference, record), try_exit(thread,
//                                reference, record). A function that returns false has changed nothing. NoFastPath if
//                                there is nothing worth inlining
//   enter(thread, root, record)  MAY_SAFEPOINT. Recursive; Done or OutOfMemory
//   exit(thread, reference, record)   releases one level; Done, NotOwner or OutOfMemory. Never blocks for long, never
//                                     reaches a safepoint
//   wait(thread, root, ns)       MAY_SAFEPOINT. Releases and re-acquires all levels; Done (notified, timed out,
//                                spurious), Interrupted, NotOwner
//   notify(thread, reference, all)    Done or NotOwner
//   identity_hash(thread, reference)  in every state, by any thread; one hash for ever
//   holds(thread, reference)
//   owner(reference)             the holder or null; exact at a safepoint, world stopped
//   update_references(forward)   world stopped: forward(reference) is the new address, or null when it died. Objects
//                                that are held or waited for are live
//   displaced_header(reference)  world stopped: the klass, hash and age of an object whose header is displaced
//   in_use()                     the number of monitors, elements or mutexes that objects use now; 0 if no object is
//                                locked and idle ones have been reclaimed
//
// `record` is the frame's LockRecord for this level. It is never null, and its address is stable until the exit of that
// level. The field `displaced` is 0 at enter, belongs to the algorithm until the exit, and is 0 again afterwards. The
// caller sets the field `object`, a root, after a fast path has succeeded, or before it calls the slow path.
#pragma once

#include <concepts>

#include "runtime/base/platform/world.h"
#include "runtime/sync/status.h"

namespace keyhole::sync {

template <typename W> struct NoFastPath {
  KEYHOLE_ALWAYS_INLINE static bool try_enter(typename W::Thread*, typename W::Reference, typename W::LockRecord*) {
    return false;
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(typename W::Thread*, typename W::Reference, typename W::LockRecord*) {
    return false;
  }
};

template <typename P, typename W>
concept LockProtocol =
    ThreadedWorld<W> &&
    requires(P& protocol, typename W::Thread* thread, typename W::Reference reference, typename W::Root root,
             typename W::LockRecord* record, typename W::Reference (*forward)(typename W::Reference)) {
      { P::FastPath::try_enter(thread, reference, record) } -> std::same_as<bool>;
      { P::FastPath::try_exit(thread, reference, record) } -> std::same_as<bool>;
      { protocol.enter(thread, root, record) } -> std::same_as<Status>;
      { protocol.exit(thread, reference, record) } -> std::same_as<Status>;
      { protocol.wait(thread, root, i64{}) } -> std::same_as<Status>;
      { protocol.notify(thread, reference, true) } -> std::same_as<Status>;
      { protocol.identity_hash(thread, reference) } -> std::same_as<u32>;
      { protocol.holds(thread, reference) } -> std::same_as<bool>;
      { protocol.owner(reference) } -> std::same_as<typename W::Thread*>;
      protocol.update_references(forward);
      { protocol.displaced_header(reference) } -> std::same_as<u64>;
      { protocol.in_use() } -> std::same_as<u32>;
    };

}  // namespace keyhole::sync
