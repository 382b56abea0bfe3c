// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The recording row: events around the operations of the wrapped row.
#include "runtime/sync/recording/recorded.h"

#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/placeholders.h"
#include "runtime/recorder/texts.h"
#include "runtime/sync/recording/coalescing.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/frame.h"

namespace keyhole::sync::recorded {

using recorder::Kind;
using recorder::now_after_loads;
using recorder::record;
using recorder::record_at;

SiteNames site_names;

u32 site_of(const JavaThread* thread) {
  if (site_names.instruction == nullptr) [[unlikely]]
    return 0;
  const Frame* frame = thread->top_frame;
  const void* instruction = frame != nullptr && frame->runs_bytecode() ? frame->pc : site_names.instruction(thread);
  return instruction == nullptr ? 0 : recorder::site(instruction, site_names.describe, thread);
}

u32 caller_site_of(const JavaThread* thread) {
  if (site_names.caller_instruction == nullptr) [[unlikely]]
    return 0;
  const void* instruction = site_names.caller_instruction(thread);
  return instruction == nullptr ? 0 : recorder::site(instruction, site_names.describe_caller, thread);
}

namespace {

const Algorithm* wrapped = nullptr;
const FastPathRow* snippet = &fast_path_rows::none;  // the wrapped row's own

// Records an event lock_step for each counter that the algorithm increments in this scope, except slow_enters and
// slow_exits. A hook in the counters themselves would be part of snippets, and so of all compiled code.
class Steps {
 public:
  explicit Steps(const JavaThread* thread) : thread_(thread) {
    for (u32 i = first; i < lock_counter_count; ++i) before_[i] = counted(i);
  }
  ~Steps() {
    for (u32 i = first; i < lock_counter_count; ++i) {
      if (u64 amount = counted(i) - before_[i]) record(Kind::lock_step, static_cast<u32>(amount), 0, i);
    }
  }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

 private:
  static constexpr u32 first = static_cast<u32>(LockCounter::slow_exits) + 1;
  static_assert(LockCounter::slow_enters < LockCounter::slow_exits);

  u64 counted(u32 counter) const { return thread_->lock_counters.get(static_cast<LockCounter>(counter)); }

  const JavaThread* thread_;
  std::array<u64, lock_counter_count> before_;
};

u32 word_of(Object* object) TOUCHES_OBJECTS { return static_cast<u32>(object->header_word() & layout::lock_mask); }
u32 change(u32 before, u32 after) { return before << 2 | after; }

}  // namespace

void record_mode(const Algorithm& row) {
  if (is_on()) record(Kind::lock_mode, recorder::text(row.name));
}

void wrap(const Algorithm& row) {
  wrapped = &row;
  snippet = row.fast_path_by_flags != nullptr ? row.fast_path_by_flags() : row.fast_path;
  record_mode(row);
}

void before_objects_move() { coalescing::end_all(); }
void thread_exits(JavaThread* thread) { coalescing::thread_exits(thread); }

namespace {

// Enters a one-shot lock without recording the enter, so that enter and exit can be counted as a pair. Returns false if
// the caller has to enter the lock and record the enter.
bool is_pending(JavaThread* thread, Object* object, LockRecord* lock_record, OneShotLocks* one_shot, u32 site)
    TOUCHES_OBJECTS {
  if (one_shot == nullptr || !one_shot->may_count(object, site)) return false;
  u32 before = word_of(object);
  if (!snippet->try_enter(thread, object, lock_record)) return false;
  one_shot->took(object, lock_record, site, recorder::now(), change(before, word_of(object)));
  return true;
}

Status enter(const Algorithm& row, JavaThread* thread, Handle object, LockRecord* lock_record) MAY_SAFEPOINT {
  u32 site = site_of(thread);
  OneShotLocks* one_shot = coalescing::one_shot_of(thread);
  if (is_pending(thread, object.get(), lock_record, one_shot, site)) return Status::Done;
  if (one_shot != nullptr) one_shot->record_pending(thread, true);
  auto [number, is_new] = recorder::number_for(object.get());
  SyncWorld::NotedObject noted(thread, number);
  coalescing::end(thread, object.get(), lock_record);
  coalescing::Operation operation(thread, number);
  operation.end_that_of_other();
  u32 before = word_of(object.get());
  Status status = Status::Done;
  if (!snippet->try_enter(thread, object.get(), lock_record)) {
    // The algorithm may also change other locks that the thread holds, so the thread stops coalescing events of these
    // locks.
    coalescing::end_held(thread);
    const JavaThread* owner = row.owner(object.get());
    if (owner != nullptr && owner != thread) {
      record(Kind::lock_contended, number, site);
      record(Kind::lock_owner, number, static_cast<u32>(owner->id));
    }
    Steps steps(thread);
    status = row.enter(thread, object, lock_record);
  }
  if (status == Status::Done) {
    record_at(now_after_loads(), Kind::lock_enter, number, site, change(before, word_of(object.get())));
    operation.took(object.get(), site);
    if (one_shot != nullptr) one_shot->recorded_enter(lock_record, site, is_new);
  }
  return status;
}

Status exit(const Algorithm& row, JavaThread* thread, Object* object, LockRecord* lock_record) TOUCHES_OBJECTS {
  if (coalescing::renew(thread, object)) {
    CoalescedPairs& counted = *coalesced_pairs_of(thread->coalesced_pairs, object);
    if (snippet->try_exit(thread, object, lock_record)) return --counted.left, Status::Done;
  }
  coalescing::end(thread, object);
  OneShotLocks* one_shot = coalescing::one_shot_of(thread);
  bool is_pending = one_shot != nullptr && one_shot->is_pending(lock_record), is_short = false;
  bool is_unknown = is_pending && recorder::known_number_of(object) == 0;
  u64 time = is_unknown ? one_shot->time_of_pending() : recorder::now();  // one_shot_locks.h W2
  u32 before = word_of(object);
  Status status = Status::Done;
  if (is_pending) {
    is_short = snippet->try_exit(thread, object, lock_record);
    if (is_short && one_shot->counts(thread, object)) return Status::Done;
    one_shot->record_pending(thread, true);
  }
  u32 number = recorder::number_of(object);
  u32 site = site_of(thread);
  SyncWorld::NotedObject noted(thread, number);
  if (!is_pending) is_short = snippet->try_exit(thread, object, lock_record);
  if (!is_short) {
    coalescing::Operation operation(thread, number);
    coalescing::end_held(thread);
    Steps steps(thread);
    status = row.exit(thread, object, lock_record);
  }
  if (status == Status::Done) record_at(time, Kind::lock_exit, number, site, change(before, word_of(object)));
  else record(Kind::lock_refused, number, site);
  if (one_shot != nullptr) one_shot->recorded_exit(thread, object, lock_record);
  if (is_short) coalescing::exited(thread, object, number, row);
  return status;
}

// Reaches no safepoint, because the algorithm does not have to wait for this lock: either the thread holds it already,
// or no other thread has seen the object.
Status enter_held(const Algorithm& row, JavaThread* thread, Handle object,
                  LockRecord* lock_record) NO_THREAD_SAFETY_ANALYSIS {
  u32 before = word_of(object.get());
  u32 number = recorder::number_of(object.get());
  SyncWorld::NotedObject noted(thread, number);
  coalescing::end_held(thread);
  Status status = row.enter(thread, object, lock_record);
  if (status == Status::Done) record(Kind::lock_enter, number, 0, change(before, word_of(object.get())));
  return status;
}

Status exit_held(const Algorithm& row, JavaThread* thread, Object* object, LockRecord* lock_record) TOUCHES_OBJECTS {
  u32 before = word_of(object);
  u32 number = recorder::number_of(object);
  SyncWorld::NotedObject noted(thread, number);
  coalescing::end_held(thread);
  u64 time = recorder::now();
  Status status = row.exit(thread, object, lock_record);
  if (status == Status::Done) record_at(time, Kind::lock_exit, number, 0, change(before, word_of(object)));
  return status;
}

Status wait(const Algorithm& row, JavaThread* thread, Handle object, i64 nanoseconds) MAY_SAFEPOINT {
  u32 number = recorder::number_of(object.get());
  u32 site = site_of(thread);
  SyncWorld::NotedObject noted(thread, number);
  coalescing::Operation operation(thread, number);
  coalescing::end_own(thread);
  operation.end_that_of_other();
  if (row.holds_lock(thread, object.get())) record(Kind::wait_begin, number, site, nanoseconds != forever);
  Status status;
  {
    Steps steps(thread);
    status = row.wait(thread, object, nanoseconds);
  }
  if (status == Status::NotOwner) record(Kind::lock_refused, number, site);
  else {
    record_at(now_after_loads(), Kind::wait_end, number, site, static_cast<u32>(status));
    operation.took(object.get(), site);
  }
  return status;
}

Status notify(const Algorithm& row, JavaThread* thread, Object* object, bool all) TOUCHES_OBJECTS {
  u32 number = recorder::number_of(object);
  u32 site = site_of(thread);
  SyncWorld::NotedObject noted(thread, number);
  coalescing::end_held(thread);
  Status status;
  {
    Steps steps(thread);
    status = row.notify(thread, object, all);
  }
  if (status == Status::NotOwner) record(Kind::lock_refused, number, site);
  else record(Kind::notify, number, site, all);
  return status;
}

u32 identity_hash(const Algorithm& row, JavaThread* thread, Handle object) MAY_SAFEPOINT {
  u32 number = recorder::number_of(object.get());
  SyncWorld::NotedObject noted(thread, number);
  coalescing::Operation operation(thread, number);
  if (OneShotLocks* one_shot = coalescing::one_shot_of(thread)) one_shot->record_pending(thread, true);
  coalescing::end(thread, object.get());
  operation.end_that_of_other();
  u32 before = word_of(object.get());
  record(Kind::hash_asked, number, site_of(thread));
  u32 hash = row.identity_hash(thread, object);
  record(Kind::hash, number, hash, change(before, word_of(object.get())));
  return hash;
}

}  // namespace
}  // namespace keyhole::sync::recorded

// --- the row ---------------------------------------------------------------------------------------------------------
namespace keyhole::sync {

constinit const Algorithm recorded_algorithm = {
    .name = "recorded",
    .number = -1,
    .idea = "the operations of another row, with events around them",
    .properties = {},
    .fast_path = &fast_path_rows::none,
    .initialize = nullptr,
    .enter = [](JavaThread* thread, Handle object, LockRecord* record)
                 MAY_SAFEPOINT { return recorded::enter(*recorded::wrapped, thread, object, record); },
    .exit = [](JavaThread* thread, Object* object, LockRecord* record)
                TOUCHES_OBJECTS { return recorded::exit(*recorded::wrapped, thread, object, record); },
    .wait = [](JavaThread* thread, Handle object, i64 nanoseconds)
                MAY_SAFEPOINT { return recorded::wait(*recorded::wrapped, thread, object, nanoseconds); },
    .notify = [](JavaThread* thread, Object* object, bool all)
                  TOUCHES_OBJECTS { return recorded::notify(*recorded::wrapped, thread, object, all); },
    .identity_hash = [](JavaThread* thread, Handle object)
                         MAY_SAFEPOINT { return recorded::identity_hash(*recorded::wrapped, thread, object); },
    .holds_lock = nullptr,
    .owner = nullptr,
    .update_references = nullptr,
    .displaced_header = nullptr,
    .in_use = nullptr,
    .enter_held = [](JavaThread* thread, Handle object, LockRecord* record)
                      TOUCHES_OBJECTS { return recorded::enter_held(*recorded::wrapped, thread, object, record); },
    .exit_held = [](JavaThread* thread, Object* object, LockRecord* record)
                     TOUCHES_OBJECTS { return recorded::exit_held(*recorded::wrapped, thread, object, record); },
};

}  // namespace keyhole::sync

// --- steps for pictures (runtime/sync/picture/notes.h) ---------------------------------------------------------------
namespace keyhole::sync {

void SyncWorld::record_step(const JavaThread* thread, picture::Change change, u64 subject, u64 moment) {
  // noted_object is 0 if the operation's object has no number, for example because the recording began during the
  // operation.
  if (thread->noted_object == 0) return;
  recorder::record_at(moment == 0 ? recorder::now_after_loads() : moment, recorder::Kind::lock_change,
                      thread->noted_object, static_cast<u32>(subject), pack(change));
}
void SyncWorld::record_step_of(const Object* object, picture::Change change, u64 subject) {
  if (u32 number = recorder::known_number_of(object))
    recorder::record(recorder::Kind::lock_change, number, static_cast<u32>(subject), pack(change));
}
void SyncWorld::note_object(JavaThread* thread, const Object* object) {
  thread->noted_object = recorder::known_number_of(object);
}

}  // namespace keyhole::sync
