// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A row that traces another one: every operation takes the slow path, and -Xlog:locking shows how it changed the
// object.
//
//   -XX:LockingMode=traced -XX:TracedLocking=legacy -Xlog:locking
//   [locking] thread 3 object 7 (java.lang.Object) enter: 01 free -> 00 held by 3
//             |        |                           |      |  its holder, by thread id
//             |        |                           |      the header's lock bits
//             |        numbered in the order of first use, stable while objects move
//             the thread's id
//   -Xlog:locking=debug: [locking] object 7 moves, object 7 dies; what collections do with the objects that were shown
//
// The states are read before and after an operation, not atomically with it. So if another thread changes the object
// between two operations, the first state of a line differs from the last state of the line above it.
#include <unordered_map>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/object/klass.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/monitors.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/stopped_world.h"
#include "runtime/threads/threads.h"

namespace keyhole::sync {

namespace {

const Algorithm* watched = nullptr;  // set at start

Mutex ids_mutex{LockRank::traced_objects};
std::unordered_map<const Object*, u32>& ids() REQUIRES(ids_mutex) {
  static auto* map = new std::unordered_map<const Object*, u32>;
  return *map;
}
u32 next_id GUARDED_BY(ids_mutex) = 1;

u32 id_of(const Object* object) {
  MutexLock guard(ids_mutex);
  u32& id = ids()[object];
  if (id == 0) id = next_id++;
  return id;
}

// Reads the object's state. Called by a managed thread; the result is a snapshot, like the result of Algorithm::owner.
std::string state_of(Object* object) TOUCHES_OBJECTS {
  u64 bits = object->header_word() & layout::lock_mask;
  std::string text = fmt::format("{}{} ", bits >> 1, bits & 1);
  const JavaThread* owner = watched->owner(object);
  return text + (owner == nullptr ? std::string("free") : fmt::format("held by {}", owner->id));
}

bool is_shown() { return log::enabled(log::TagSet::locking, log::Level::info); }

void show(const JavaThread* thread, Object* object, std::string_view request, std::string_view from,
          std::string_view to) TOUCHES_OBJECTS {
  log::print(log::TagSet::locking, log::Level::info, "thread {} object {} ({}) {}: {} -> {}", thread->id, id_of(object),
             object->klass()->name->dotted(), request, from, to);
}

constexpr std::string_view outcomes[] = {"", " (not the owner)", " (interrupted)", " (no memory)"};

// Runs the operation request(), and prints the object's state before and after the operation. The object is read again
// from its Handle afterwards, because the object may have moved.
template <typename Request>
Status watch(const JavaThread* thread, Handle object, std::string_view name, Request request) TOUCHES_OBJECTS {
  if (!is_shown()) return request();
  std::string from = state_of(object.get());
  Status status = request();
  show(thread, object.get(), name, from, state_of(object.get()) + std::string(outcomes[static_cast<u32>(status)]));
  return status;
}
// Does the same as watch(), for operations that reach no safepoint.
template <typename Request>
Status watch_raw(const JavaThread* thread, Object* object, std::string_view name, Request request) TOUCHES_OBJECTS {
  return watch(thread, Handle(&object), name, request);
}

std::string initialize_traced() {
  watched = watchable(flags::TracedLocking);
  if (watched == nullptr || watched->initialize == initialize_traced || watched->one_thread) {
    watched = nullptr;
    return fmt::format("TracedLocking={} is not a locking algorithm that can be watched.", flags::TracedLocking);
  }
  if (std::string refusal = refusal_of_layout(*watched); !refusal.empty()) return refusal;
  return watched->initialize != nullptr ? watched->initialize() : std::string();
}

}  // namespace

extern const Algorithm traced_algorithm;
constinit const Algorithm traced_algorithm = {
    .name = "traced",
    .number = -1,
    .idea = "what -XX:TracedLocking= names, with each transition shown by -Xlog:locking",
    .properties =
        {
            .header_bits = 0,
            .idle_bytes = 0,
            .held_bytes = 0,
            .contended_bytes = 0,
            .fairness = "as what it watches",
            .recursion = "as what it watches",
            .displacing = "",
            // TracedLocking names lightweight by default. So these are the counters that lightweight increments without
            // its snippet.
            .traces = {.alone = "S", .contended = layout::can_displace ? "SKI" : "SKIT", .hashed = ""},
        },
    .fast_path = &fast_path_rows::none,
    .initialize = initialize_traced,
    .enter =
        [](JavaThread* thread, Handle object, LockRecord* record) TOUCHES_OBJECTS {
          return watch(thread, object, "enter", [&] { return watched->enter(thread, object, record); });
        },
    .exit =
        [](JavaThread* thread, Object* object, LockRecord* record) TOUCHES_OBJECTS {
          return watch_raw(thread, object, "exit", [&] { return watched->exit(thread, object, record); });
        },
    .wait =
        [](JavaThread* thread, Handle object, i64 nanoseconds) TOUCHES_OBJECTS {
          if (is_shown()) show(thread, object.get(), "wait begins", state_of(object.get()), "...");
          return watch(thread, object, "wait", [&] { return watched->wait(thread, object, nanoseconds); });
        },
    .notify =
        [](JavaThread* thread, Object* object, bool all) TOUCHES_OBJECTS {
          return watch_raw(thread, object, all ? "notifyAll" : "notify",
                           [&] { return watched->notify(thread, object, all); });
        },
    .identity_hash =
        [](JavaThread* thread, Handle object) TOUCHES_OBJECTS {
          u32 hash = 0;
          watch(thread, object, "hash", [&] {
            hash = watched->identity_hash(thread, object);
            return Status::Done;
          });
          return hash;
        },
    .holds_lock = [](JavaThread* thread, Object* object) { return watched->holds_lock(thread, object); },
    .owner = [](Object* object) { return watched->owner(object); },
    .update_references =
        [](Object* (*forward)(Object*, void*), void* context) {
          watched->update_references(forward, context);
          safepoint::assert_holds(ids_mutex);
          std::unordered_map<const Object*, u32> moved;
          for (auto [object, id] : ids()) {
            const Object* now = forward(const_cast<Object*>(object), context);
            if (now != nullptr) moved[now] = id;
            if (now != object) KEYHOLE_LOG(debug, locking, "object {} {}", id, now == nullptr ? "dies" : "moves");
          }
          ids() = std::move(moved);
        },
    .displaced_header = [](Object* object) { return watched->displaced_header(object); },
    .in_use = [] { return watched->in_use(); },
    .blocked_on =
        [](const JavaThread* thread) {
          return watched->blocked_on != nullptr ? watched->blocked_on(thread) : monitor_blocked_on(thread);
        },
    .waiting_on =
        [](const JavaThread* thread) {
          return watched->waiting_on != nullptr ? watched->waiting_on(thread) : monitor_waiting_on(thread);
        },
    .lock_identity =
        [](Object* object) TOUCHES_OBJECTS {
          return watched->lock_identity != nullptr ? watched->lock_identity(object) : monitor_or_object(object);
        },
    .thread_exits =
        [](JavaThread* thread) {
          if (watched->thread_exits != nullptr) watched->thread_exits(thread);
        },
};

}  // namespace keyhole::sync
