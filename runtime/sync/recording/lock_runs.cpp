// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of threads. Rules: lock_runs.h, lock_run_claims.h.
#include "runtime/sync/recording/lock_runs.h"

#include <algorithm>
#include <array>

#include "runtime/recorder/recorder.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/threads.h"

namespace keyhole {

namespace sync::lock_runs {

using recorder::Kind;

namespace {

constexpr u32 first_threshold = 64, last_threshold = 4096;   // pairs told one by one before a run
constexpr u32 first_limit = 256, last_limit = 1u << 20;      // pairs until a run is told
// In ticks of 2 to 4 GHz: a run begins with 64 pairs in so many ticks, is told about as often, and ends when it takes
// many times as long.
constexpr u64 often = 2'000'000, rarely = 16'000'000;

struct Details {
  u32 limit = 0;
  u32 site = 0;      // of the last enter that was told
  u64 since = 0;     // when the run began, or was told last
};

// Pairs of an object that have been told one by one, in a row: no other thread took its lock in between.
struct Streak {
  u32 key = 0;
  u32 pairs = 0;
  u32 site = 0;
  u32 threshold = first_threshold;   // more, where other threads have ended runs: for fewer handshakes
  u64 since = 0;
  void restart() {
    pairs = 0;
    since = recorder::now();
  }
};

// A recorded thread's. The runs are what JavaThread::lock_runs points at.
struct Own {
  std::array<LockRun, lock_run_count> runs;
  std::array<Details, lock_run_count> details;
  std::array<Streak, lock_run_count> streaks;
  FreshLocks fresh;
};
static_assert(offsetof(Own, runs) == 0);

Own* own(const JavaThread* thread) {
  return thread->lock_runs == no_lock_runs ? nullptr : reinterpret_cast<Own*>(thread->lock_runs);
}
u32 index_of(const Object* object) {
  return static_cast<u32>((reinterpret_cast<uptr>(object) & lock_run_mask) / sizeof(LockRun));
}

std::atomic<bool> are_allowed{false};

constinit Claims claims;

// Who is told to have done it: the calling thread by its own ring, another one, which is stopped, by the recorder.
struct Teller {
  JavaThread* thread;
  bool is_caller;
  u64 time;
  void tell(Kind kind, u32 a, u32 b, u32 detail = 0) const {
    if (is_caller) recorder::record_at(time, kind, a, b, detail);
    else recorder::record_for(static_cast<u32>(thread->id), time, kind, a, b, detail);
  }
};

void tell_pairs(const Teller& teller, const LockRun& run, const Details& details) {
  if (u32 pairs = details.limit - run.left) teller.tell(Kind::lock_pairs, run.number, pairs);
}

// Not analysed: nobody moves the object meanwhile (R10).
void end_run(const Teller& teller, LockRun& run, const Details& details, const LockRecord* beginning = nullptr)
    NO_THREAD_SAFETY_ANALYSIS {
  tell_pairs(teller, run, details);
  const JavaThread* thread = teller.thread;
  u32 word = static_cast<u32>(run.object->header_word() & layout::lock_mask);
  u32 before = word == layout::locked ? static_cast<u32>(layout::unlocked) : word;
  for (u32 i = 0; i < thread->lock_record_top; ++i) {   // R7
    const LockRecord& record = thread->lock_records[i];
    if (record.object != run.object || &record == beginning) continue;
    teller.tell(Kind::lock_enter, run.number, details.site, before << 2 | word);
    before = word;
  }
  claims.end(run.number);
  run = {};
}
void end_run_at(const Teller& teller, Own& all, u32 i, const LockRecord* beginning = nullptr) {
  end_run(teller, all.runs[i], all.details[i], beginning);
}

void end_runs(const Teller& teller) {
  Own* all = own(teller.thread);
  if (all == nullptr) return;
  for (u32 i = 0; i < lock_run_count; ++i) {
    if (all->runs[i].object != nullptr) end_run_at(teller, *all, i);
  }
}

// Not analysed: nobody moves objects meanwhile (R10).
void end_all_of(const Teller& teller) NO_THREAD_SAFETY_ANALYSIS {
  end_runs(teller);
  if (Own* all = own(teller.thread)) all->fresh.end(teller.thread, teller.is_caller);
}

Teller by_itself(JavaThread* thread) { return {thread, true, recorder::now()}; }

void begin(JavaThread* thread, Own& all, Object* object, u32 number) {
  u32 i = index_of(object);
  if (all.runs[i].object != nullptr) end_run_at(by_itself(thread), all, i);
  if (!claims.begin(thread->id, number)) return;
  if (!are_allowed.load()) return claims.end(number);
  all.details[i] = {.limit = first_limit, .site = all.streaks[i].site, .since = recorder::now()};
  all.runs[i] = {.object = object, .left = first_limit, .number = number};
}

}  // namespace

FreshLocks* fresh_of(const JavaThread* thread) {
  Own* all = own(thread);
  return all == nullptr || !are_allowed.load(std::memory_order_relaxed) ? nullptr : &all->fresh;
}

void allow(bool allowed) { are_allowed.store(allowed); }

Operation::Operation(JavaThread* thread, u32 number)
    : thread_(thread), number_(number), claims_(claims, thread->id, number) {}

void Operation::took(const Object* object, u32 site) {
  bool in_a_row = claims_.took();
  Own* all = own(thread_);
  if (all == nullptr) return;
  Streak& streak = all->streaks[index_of(object)];
  if (streak.key != number_) streak = {.key = number_, .since = recorder::now()};
  else if (!in_a_row) streak.restart();
  streak.site = site;
}

void Operation::end_by_handshake() {
  struct Wanted {
    u32 number;
    u64 time;
  } wanted{number_, recorder::now()};
  auto end_run_of = [](JavaThread* target, void* context) {
    auto [number, time] = *static_cast<Wanted*>(context);
    JavaThread* holder = target->carrier->thread;
    Own* all = own(holder);
    if (all == nullptr) return;
    for (u32 i = 0; i < lock_run_count; ++i) {
      if (all->runs[i].object == nullptr || all->runs[i].number != number) continue;
      Streak& streak = all->streaks[i];
      if (streak.key == number) streak.threshold = std::min(2 * streak.threshold, last_threshold);
      end_run_at({holder, holder == threads::current_or_null(), std::min(time, recorder::now())}, *all, i);   // R8
    }
  };
  handshake::run_all(thread_, "HandshakeForLockRun", end_run_of, &wanted);
}

void exited(JavaThread* thread, Object* object, u32 number, const Algorithm& row) {
  Own* all = own(thread);
  if (all == nullptr) {
    if (thread->continuation != nullptr) return;   // R11
    all = new Own;
    thread->lock_runs = all->runs.data();
  }
  Streak& streak = all->streaks[index_of(object)];
  if (streak.key != number) streak = {.key = number, .since = recorder::now()};
  if (++streak.pairs < streak.threshold || row.holds_lock(thread, object)) return;
  bool is_fast = recorder::now() - streak.since < often * (streak.pairs / first_threshold);
  streak.restart();
  if (is_fast) begin(thread, *all, object, number);
}

void end(JavaThread* thread, const Object* object, const LockRecord* beginning) {
  if (lock_run_of(thread->lock_runs, object)->object == object) [[unlikely]]
    end_run_at(by_itself(thread), *own(thread), index_of(object), beginning);
}

void end_held(JavaThread* thread) {
  Own* all = own(thread);
  if (all == nullptr) return;
  all->fresh.tell_pending(thread, true);
  for (u32 i = 0; i < thread->lock_record_top; ++i) {
    const Object* object = thread->lock_records[i].object;
    if (object != nullptr) end(thread, object);   // null: released before what was entered behind it
  }
}

void end_own(JavaThread* thread) {
  if (Own* all = own(thread)) all->fresh.tell_pending(thread, true);
  end_runs(by_itself(thread));
}

bool renew(JavaThread* thread, const Object* object) {
  LockRun& run = *lock_run_of(thread->lock_runs, object);
  if (run.object != object || run.left != 0) return false;
  Details& details = own(thread)->details[index_of(object)];
  Teller teller = by_itself(thread);
  u64 took = teller.time - details.since;
  if (took > rarely) return false;
  tell_pairs(teller, run, details);
  if (took < often) details.limit = std::min(2 * details.limit, last_limit);
  run.left = details.limit;
  details.since = teller.time;
  return true;
}

void end_all() {
  threads::for_each_platform_thread([](JavaThread* each) { end_all_of({each, false, recorder::now()}); });
}

void thread_exits(JavaThread* thread) {
  if (thread->lock_runs == no_lock_runs) return;
  end_all_of(by_itself(thread));
  delete own(thread);
  thread->lock_runs = no_lock_runs;
}

}  // namespace sync::lock_runs
}  // namespace keyhole
