// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of locking algorithms, the active algorithm, and the steps that all algorithms have in common.
#include "runtime/sync/synchronizer.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "runtime/base/check.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/lock_statistics.h"
#include "runtime/sync/monitors.h"
#include "runtime/sync/recording/recorded.h"
#include "runtime/sync/suspended_owner.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/races/races.h"
#include "runtime/threads/threads.h"

namespace keyhole::sync {

#define LOCKING_ALGORITHM(row) extern const Algorithm row##_algorithm;
#include "runtime/sync/algorithms.def"
#undef LOCKING_ALGORITHM
extern const Algorithm controlled_algorithm;  // controlled_locks.cpp; -XX:LockingMode cannot select it

namespace {

// The table of algorithms: the rows of algorithms.def, and a place for one row that was loaded from a file.
const Algorithm* algorithms[] = {
#define LOCKING_ALGORITHM(row) &row##_algorithm,
#include "runtime/sync/algorithms.def"
#undef LOCKING_ALGORITHM
    nullptr,
};
std::span<const Algorithm* const> all_rows() {
  std::span<const Algorithm* const> all = algorithms;
  return all.back() == nullptr ? all.first(all.size() - 1) : all;
}

// The active algorithm. Written once, before the second thread exists.
const Algorithm* in_force = layout::can_displace ? &lightweight_algorithm : &lightweight_table_algorithm;

// Finds an algorithm by its name, by HotSpot's number, or by the path of the file from which it was loaded.
const Algorithm* find(std::string_view text) {
  if (text.contains('/')) return algorithms[std::size(algorithms) - 1];
  i32 number = -1;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool is_number = error == std::errc() && end == text.data() + text.size();
  for (const Algorithm* algorithm : all_rows()) {
    if (is_number ? algorithm->number == number && number >= 0 : algorithm->name == text) return algorithm;
  }
  return nullptr;
}

// Monitors lie in native memory. If native memory is exhausted, the VM ends: no lock can be taken, so no Java code
// could handle an OutOfMemoryError.
void check_memory(Status status) {
  KEYHOLE_CHECK(status != Status::OutOfMemory, "no native memory for an object monitor ({} in use)", monitors.count());
}

void after_slow_path(JavaThread* thread) MAY_SAFEPOINT {
  if (deflation::is_due()) [[unlikely]]
    deflation::relieve(thread);
}

}  // namespace

namespace {

// Returns the row that operations call: the algorithm's own row, or the recording row while locks are recorded.
const Algorithm& row() { return recorded::is_on() ? recorded_algorithm : *in_force; }

Status enter_level(JavaThread* thread, Handle object, LockRecord* record) MAY_SAFEPOINT {
  return row().enter(thread, object, record);
}
Status exit_level(JavaThread* thread, Handle object, LockRecord* record) TOUCHES_OBJECTS {
  return row().exit(thread, object.get(), record);
}

// entering() and exiting() return functions that enter and exit one level of the object, for SuspendedOwner.
auto entering(JavaThread* thread, Handle object) {
  return [thread, object](LockRecord* record) MAY_SAFEPOINT { return enter_level(thread, object, record); };
}
auto exiting(JavaThread* thread, Handle object) {
  return [thread, object](LockRecord* record) TOUCHES_OBJECTS { return exit_level(thread, object, record); };
}

}  // namespace

// Every slow path sets is_known, because locks may then hold pointers to the thread (threads/thread_structures.h S2).

// LIFE(monitorenter) 4/10: the snippet failed; the row of the active algorithm takes over
void enter(JavaThread* thread, Handle object, LockRecord* record) {
  thread->is_known = true;
  check_may_safepoint();
  check_memory(enter_level(thread, object, record));
  check_memory(
      SuspendedOwner<SyncWorld>::after_enter(thread, record, entering(thread, object), exiting(thread, object)));
  if (races::is_on()) [[unlikely]]
    races::acquire(thread, object.get(), races::of_monitor);
  after_slow_path(thread);
}

Status exit(JavaThread* thread, Handle object, LockRecord* record) {
  thread->is_known = true;
  if (races::is_on()) [[unlikely]]
    races::release(thread, object.get(), races::of_monitor);
  Status status = exit_level(thread, object, record);
  check_memory(status);
  return status;
}

// Clang's thread safety analysis is off here. This function reaches no safepoint, so no collection moves the record's
// object meanwhile.
void enter_held(JavaThread* thread, Object*, LockRecord* record) NO_THREAD_SAFETY_ANALYSIS {
  thread->is_known = true;
  Handle object(&record->object);
  const Algorithm& active = row();
  check_memory((active.enter_held != nullptr ? active.enter_held : active.enter)(thread, object, record));
}
void exit_held(JavaThread* thread, Object* object, LockRecord* record) {
  thread->is_known = true;
  const Algorithm& active = row();
  check_memory((active.exit_held != nullptr ? active.exit_held : active.exit)(thread, object, record));
}

Status wait(JavaThread* thread, Handle object, i64 milliseconds) {
  thread->is_known = true;
  check_may_safepoint();
  i64 nanoseconds = milliseconds == 0                      ? forever
                    : milliseconds > INT64_MAX / 1'000'000 ? INT64_MAX
                                                           : milliseconds * 1'000'000;
  if (races::is_on()) [[unlikely]]
    races::release(thread, object.get(), races::of_monitor);
  Status status = row().wait(thread, object, nanoseconds);
  if (status != Status::NotOwner)
    check_memory(
        SuspendedOwner<SyncWorld>::after_wait(thread, object, entering(thread, object), exiting(thread, object)));
  if (races::is_on()) [[unlikely]]
    races::acquire(thread, object.get(), races::of_monitor);
  after_slow_path(thread);
  return status;
}

static Status notify(JavaThread* thread, Handle object, bool all) TOUCHES_OBJECTS {
  thread->is_known = true;
  return row().notify(thread, object.get(), all);
}
Status notify(JavaThread* thread, Handle object) { return notify(thread, object, false); }
Status notify_all(JavaThread* thread, Handle object) { return notify(thread, object, true); }

i32 identity_hash(JavaThread* thread, Handle object) {
  check_may_safepoint();
  i32 hash = static_cast<i32>(row().identity_hash(thread, object));
  after_slow_path(thread);  // the request for the hash may have inflated the object
  return hash;
}
u32 identity_hash_unless_locked(JavaThread* thread, Object* object) {
  return sync::identity_hash_unless_locked<SyncWorld>(thread, object);
}
bool holds_lock(JavaThread* thread, Object* object) { return in_force->holds_lock(thread, object); }
JavaThread* owner(Object* object) { return in_force->owner(object); }

// Wakes a thread in Object.wait. A waiting thread reads its interrupt flag after each wake-up.
void interrupt_waiter(JavaThread* target) { SyncWorld::unpark(target); }

Object* blocked_on(const JavaThread* thread) {
  return in_force->blocked_on != nullptr ? in_force->blocked_on(thread) : monitor_blocked_on(thread);
}
Object* waiting_on(const JavaThread* thread) {
  return in_force->waiting_on != nullptr ? in_force->waiting_on(thread) : monitor_waiting_on(thread);
}
const void* lock_identity(Object* object) {
  return in_force->lock_identity != nullptr ? in_force->lock_identity(object) : monitor_or_object(object);
}
void thread_exits(JavaThread* thread) {
  recorded::thread_exits(thread);
  statistics::thread_exits(thread);
  if (in_force->thread_exits != nullptr) in_force->thread_exits(thread);
  if (races::is_on()) [[unlikely]]
    races::thread_ends(thread);
}

void before_objects_move() { recorded::before_objects_move(); }
void update_references(Object* (*forward)(Object*, void*), void* context) {
  // The recorder updates its objects first, because update_references may record events about moved objects.
  recorder::update_objects(forward, context);
  if (races::is_on()) [[unlikely]]
    races::update_objects(forward, context);
  in_force->update_references(forward, context);
}
u64 displaced_header(Object* object) { return in_force->displaced_header(object); }
u32 in_use() { return in_force->in_use(); }
const FastPathRow& fast_path() {
  if (races::is_on()) return fast_path_rows::none;  // the detector sees each enter and exit
  const FastPathRow* plain =
      in_force->fast_path_by_flags != nullptr ? in_force->fast_path_by_flags() : in_force->fast_path;
  return recorder::replaces_fast_paths() ? *plain->recorded : *plain;
}
bool runs_one_thread() { return in_force->one_thread; }
std::span<const Algorithm* const> all_algorithms() { return all_rows(); }

std::string add_algorithm(const Algorithm& algorithm) {
  if (find(algorithm.name) != nullptr)
    return fmt::format("The loaded lock is named {}, as one of this VM's locking algorithms: give it another name.",
                       algorithm.name);
  const Algorithm*& loaded = algorithms[std::size(algorithms) - 1];
  KEYHOLE_CHECK(loaded == nullptr, "a second loaded lock, {}, after {}", algorithm.name, loaded->name);
  loaded = &algorithm;
  return {};
}

void print_locking_modes() {
  constexpr const char* row = "{:<19} {:>6}  {:>11} {:>10} {:>10} {:>15}  {}\n";
  print_text(row, "LockingMode", "number", "header bits", "idle bytes", "held bytes", "contended bytes", "fairness");
  for (const Algorithm* algorithm : all_rows()) {
    const AlgorithmProperties& p = algorithm->properties;
    print_text(row, algorithm->name, algorithm->number < 0 ? std::string("-") : std::to_string(algorithm->number),
               p.header_bits, p.idle_bytes, p.held_bytes, p.contended_bytes, p.fairness);
    print_text("  {}\n  recursion: {}\n  header layouts: {}\n", algorithm->idea, p.recursion,
               p.displacing.empty() ? "all"
               : algorithm == &lightweight_algorithm
                   ? fmt::format("all; tiny has no room for {}: as lightweight+table", p.displacing)
                   : fmt::format("compact, classic: tiny has no room for {}", p.displacing));
  }
}

// Chooses among the three variants of lightweight locking by -XX:+UseObjectMonitorTable and
// ObjectMonitorTableGeneration: without an object monitor table, or with a table of generation A or B. If headers have
// no room for a monitor, the default is a table. Returns the empty string, or the reason for a refusal.
static std::string choose_table(const Algorithm** chosen) {
  bool has_table = *chosen == &lightweight_table_algorithm || *chosen == &lightweight_table_a_algorithm;
  bool asked_for = flags::UseObjectMonitorTable;
  if (!layout::can_displace && *chosen == &lightweight_algorithm) asked_for |= !flags::is_set("UseObjectMonitorTable");
  if (!has_table && !asked_for) return {};
  if (!has_table && *chosen != &lightweight_algorithm)
    return fmt::format(
        "UseObjectMonitorTable needs LockingMode=lightweight: the table serves objects whose header keeps the hash and "
        "says only "
        "that there is a monitor, and under LockingMode={} no header says that.",
        (*chosen)->name);
  if (flags::ObjectMonitorTableGeneration != "A" && flags::ObjectMonitorTableGeneration != "B")
    return fmt::format("ObjectMonitorTableGeneration={} is neither A nor B.", flags::ObjectMonitorTableGeneration);
  if (*chosen == &lightweight_table_a_algorithm) return {};  // asked for by name
  *chosen = flags::ObjectMonitorTableGeneration == "A" ? &lightweight_table_a_algorithm : &lightweight_table_algorithm;
  return {};
}

std::string refusal_of_layout(const Algorithm& algorithm) {
  std::string_view displacing = algorithm.properties.displacing;
  if (displacing.empty() || layout::can_displace) return {};
  return fmt::format(
      "LockingMode={} does not run on 4-byte headers (-XX:+UseTinyObjectHeaders): it puts {} into the header, and "
      "beside the klass there is "
      "no room for one{}.",
      algorithm.name, displacing,
      &algorithm == &lightweight_algorithm
          ? "; with -XX:+UseObjectMonitorTable it does run, because a table has the monitors"
          : "");
}

const Algorithm* watchable(std::string_view name) {
  const Algorithm* found = find(name);
  return found == &lightweight_algorithm && !layout::can_displace ? &lightweight_table_algorithm : found;
}

std::string initialize() {
  const Algorithm* chosen = find(flags::LockingMode);
  if (chosen == nullptr) {
    std::string names;
    for (const Algorithm* algorithm : all_rows()) {
      if (!names.empty()) names += ", ";
      names += algorithm->name;
      if (algorithm->number >= 0) names += fmt::format(" ({})", algorithm->number);
    }
    return fmt::format("LockingMode={} is not among the locking algorithms of this VM: {}.", flags::LockingMode, names);
  }
  if (std::string refusal = choose_table(&chosen); !refusal.empty()) return refusal;
  if (std::string refusal = refusal_of_layout(*chosen); !refusal.empty()) return refusal;
  if (controlled::is_on()) {
    in_force = &controlled_algorithm;
    return {};
  }
  monitors.set_home(nullptr);  // no object monitor table yet; the algorithm's initialize may set a table
  deflation::initialize();
  monitors_initialized = false;
  if (chosen->initialize != nullptr) {
    if (std::string refusal = chosen->initialize(); !refusal.empty()) return refusal;
  }
  if (!monitors_initialized) {
    if (std::string refusal = refuse_monitor_flags(chosen->name); !refusal.empty()) return refusal;
  }
  in_force = chosen;
  recorded::wrap(*chosen);
  continuations::held_locks_pin = chosen->pins_virtual_threads;
  threads::at_detach(thread_exits);
  return {};
}

}  // namespace keyhole::sync
