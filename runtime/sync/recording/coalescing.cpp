// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Coalesced lock events of threads. Rules: coalescing.h, coalescer_table.h.
#include "runtime/sync/recording/coalescing.h"

#include <algorithm>
#include <array>

#include "runtime/recorder/recorder.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/threads.h"

namespace keyhole {

namespace sync::coalescing {

using recorder::Kind;

namespace {

// The number of enter/exit pairs that a thread records one by one before it begins to coalesce pairs.
constexpr u32 first_threshold = 64, last_threshold = 4096;
// A thread records its count of pairs when the count reaches a limit. The limit grows from first_limit to last_limit.
constexpr u32 first_limit = 256, last_limit = 1u << 20;
// Intervals, in ticks of 2 to 4 GHz. Coalescing begins after a streak whose pairs took less than `often` for each 64
// pairs. The limit of a count then grows until the thread records one count per interval `often`. Coalescing ends when
// the pairs of one count take longer than `rarely`.
constexpr u64 often = 2'000'000, rarely = 16'000'000;

struct Details {
  u32 limit = 0;
  u32 site = 0;   // the site of the last enter that was recorded
  u64 since = 0;  // the time when coalescing began, or the time of the last recorded count
};

// Streak: successive pairs of enter and exit that the thread recorded one by one, while no other thread took the
// object's lock.
struct Streak {
  u32 key = 0;
  u32 pairs = 0;
  u32 site = 0;
  // The number of pairs to record before coalescing begins. This number grows each time another thread ends the
  // coalescing, so a contended object causes fewer handshakes.
  u32 threshold = first_threshold;
  u64 since = 0;
  void restart() {
    pairs = 0;
    since = recorder::now();
  }
};

// The coalescing state of a recorded thread. JavaThread::coalesced_pairs points at `pairs`.
struct Own {
  std::array<CoalescedPairs, coalesced_pairs_count> pairs;
  std::array<Details, coalesced_pairs_count> details;
  std::array<Streak, coalesced_pairs_count> streaks;
  OneShotLocks one_shot;
};
static_assert(offsetof(Own, pairs) == 0);

Own* own(const JavaThread* thread) {
  return thread->coalesced_pairs == no_coalesced_pairs ? nullptr : reinterpret_cast<Own*>(thread->coalesced_pairs);
}
u32 index_of(const Object* object) {
  return static_cast<u32>((reinterpret_cast<uptr>(object) & coalesced_pairs_mask) / sizeof(CoalescedPairs));
}

std::atomic<bool> are_allowed{false};

constinit Coalescers coalescers;

// Records events of a thread: into the thread's own ring if the thread is the caller, through the recorder if another
// thread calls on behalf of a stopped one.
struct Reporter {
  JavaThread* thread;
  bool is_caller;
  u64 time;
  void report(Kind kind, u32 a, u32 b, u32 detail = 0) const {
    if (is_caller) recorder::record_at(time, kind, a, b, detail);
    else recorder::record_for(static_cast<u32>(thread->id), time, kind, a, b, detail);
  }
};

void report_pairs(const Reporter& reporter, const CoalescedPairs& counted, const Details& details) {
  if (u32 pairs = details.limit - counted.left) reporter.report(Kind::lock_pairs, counted.number, pairs);
}

// Clang's thread safety analysis is off here. The caller is the thread itself, which reaches no safepoint here, or has
// stopped the thread (R10). So no object moves during this function.
void end_one(const Reporter& reporter, CoalescedPairs& counted, const Details& details,
             const LockRecord* beginning = nullptr) NO_THREAD_SAFETY_ANALYSIS {
  report_pairs(reporter, counted, details);
  const JavaThread* thread = reporter.thread;
  u32 word = static_cast<u32>(counted.object->header_word() & layout::lock_mask);
  u32 before = word == layout::locked ? static_cast<u32>(layout::unlocked) : word;
  for (u32 i = 0; i < thread->lock_record_top; ++i) {  // R7
    const LockRecord& record = thread->lock_records[i];
    if (record.object != counted.object || &record == beginning) continue;
    reporter.report(Kind::lock_enter, counted.number, details.site, before << 2 | word);
    before = word;
  }
  coalescers.end(counted.number);
  counted = {};
}
void end_at(const Reporter& reporter, Own& all, u32 i, const LockRecord* beginning = nullptr) {
  end_one(reporter, all.pairs[i], all.details[i], beginning);
}

void end_pairs(const Reporter& reporter) {
  Own* all = own(reporter.thread);
  if (all == nullptr) return;
  for (u32 i = 0; i < coalesced_pairs_count; ++i) {
    if (all->pairs[i].object != nullptr) end_at(reporter, *all, i);
  }
}

// Clang's thread safety analysis is off here: no object moves during this function (R10).
void end_all_of(const Reporter& reporter) NO_THREAD_SAFETY_ANALYSIS {
  end_pairs(reporter);
  if (Own* all = own(reporter.thread)) all->one_shot.end(reporter.thread, reporter.is_caller);
}

Reporter by_itself(JavaThread* thread) { return {thread, true, recorder::now()}; }

void begin(JavaThread* thread, Own& all, Object* object, u32 number) {
  u32 i = index_of(object);
  if (all.pairs[i].object != nullptr) end_at(by_itself(thread), all, i);
  if (!coalescers.begin(thread->id, number)) return;
  if (!are_allowed.load()) return coalescers.end(number);
  all.details[i] = {.limit = first_limit, .site = all.streaks[i].site, .since = recorder::now()};
  all.pairs[i] = {.object = object, .left = first_limit, .number = number};
}

}  // namespace

OneShotLocks* one_shot_of(const JavaThread* thread) {
  Own* all = own(thread);
  return all == nullptr || !are_allowed.load(std::memory_order_relaxed) ? nullptr : &all->one_shot;
}

void allow(bool allowed) { are_allowed.store(allowed); }

Operation::Operation(JavaThread* thread, u32 number)
    : thread_(thread), number_(number), operation_(coalescers, thread->id, number) {}

void Operation::took(const Object* object, u32 site) {
  bool in_a_row = operation_.took();
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
  auto end_of = [](JavaThread* target, void* context) {
    auto [number, time] = *static_cast<Wanted*>(context);
    JavaThread* holder = target->carrier->thread;
    Own* all = own(holder);
    if (all == nullptr) return;
    for (u32 i = 0; i < coalesced_pairs_count; ++i) {
      if (all->pairs[i].object == nullptr || all->pairs[i].number != number) continue;
      Streak& streak = all->streaks[i];
      if (streak.key == number) streak.threshold = std::min(2 * streak.threshold, last_threshold);
      end_at({holder, holder == threads::current_or_null(), std::min(time, recorder::now())}, *all, i);  // R8
    }
  };
  handshake::run_all(thread_, "HandshakeForCoalescedLock", end_of, &wanted);
}

void exited(JavaThread* thread, Object* object, u32 number, const Algorithm& row) {
  Own* all = own(thread);
  if (all == nullptr) {
    if (thread->continuation != nullptr) return;  // R11
    all = new Own;
    thread->coalesced_pairs = all->pairs.data();
  }
  Streak& streak = all->streaks[index_of(object)];
  if (streak.key != number) streak = {.key = number, .since = recorder::now()};
  if (++streak.pairs < streak.threshold || row.holds_lock(thread, object)) return;
  bool is_fast = recorder::now() - streak.since < often * (streak.pairs / first_threshold);
  streak.restart();
  if (is_fast) begin(thread, *all, object, number);
}

void end(JavaThread* thread, const Object* object, const LockRecord* beginning) {
  if (coalesced_pairs_of(thread->coalesced_pairs, object)->object == object) [[unlikely]]
    end_at(by_itself(thread), *own(thread), index_of(object), beginning);
}

void end_held(JavaThread* thread) {
  Own* all = own(thread);
  if (all == nullptr) return;
  all->one_shot.record_pending(thread, true);
  for (u32 i = 0; i < thread->lock_record_top; ++i) {
    const Object* object = thread->lock_records[i].object;
    if (object != nullptr) end(thread, object);  // null: released out of order
  }
}

void end_own(JavaThread* thread) {
  if (Own* all = own(thread)) all->one_shot.record_pending(thread, true);
  end_pairs(by_itself(thread));
}

bool renew(JavaThread* thread, const Object* object) {
  CoalescedPairs& counted = *coalesced_pairs_of(thread->coalesced_pairs, object);
  if (counted.object != object || counted.left != 0) return false;
  Details& details = own(thread)->details[index_of(object)];
  Reporter reporter = by_itself(thread);
  u64 took = reporter.time - details.since;
  if (took > rarely) return false;
  report_pairs(reporter, counted, details);
  if (took < often) details.limit = std::min(2 * details.limit, last_limit);
  counted.left = details.limit;
  details.since = reporter.time;
  return true;
}

void end_all() {
  threads::for_each_platform_thread([](JavaThread* each) { end_all_of({each, false, recorder::now()}); });
}

void thread_exits(JavaThread* thread) {
  if (thread->coalesced_pairs == no_coalesced_pairs) return;
  end_all_of(by_itself(thread));
  delete own(thread);
  thread->coalesced_pairs = no_coalesced_pairs;
}

}  // namespace sync::coalescing
}  // namespace keyhole
