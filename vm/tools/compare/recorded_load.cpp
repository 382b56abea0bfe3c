// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes several passes over the recording. They count the acquisitions of each thread, in total and since there were
// two threads; collect the operations of each thread with their times; and find the notify that ended each wait. Then
// the load's steps are built.
#include "vm/tools/compare/recorded_load.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/recorder/recording_file.h"
#include "runtime/threads/java_thread.h"
#include "vm/tools/recording/events_by_thread.h"

namespace keyhole::compare {

using recorder::Event;
using recorder::Kind;
using recorder::RecordingFile;

namespace {

constexpr u64 most_locks = 100'000;
constexpr usize most_levels = 48;   // most locks that a thread may hold at once; the simulator supports 64
constexpr i64 recording_cost = 25;  // nanoseconds of work between two events
constexpr i64 suspicious_ns = 500'000;

struct Operation {
  enum Kind : u8 { lock, unlock, wait, notify, notify_all };
  Kind kind;
  u32 object = 0;
  i64 begin = 0, end = 0;  // work goes on from `end`
  i64 slept = 0;           // nanoseconds of sleep between the previous operation and this one
  // nanoseconds that a virtual thread had no carrier; they count neither as work nor as sleep
  i64 unmounted = 0;
  // for a wait: its number, if a notify of the load ended it; for a notify: the waits that it ended
  std::vector<i64> waits{};
};

struct Recorded {
  u64 enters = 0, left = 0;         // number of recorded enters; number of enters that the load may still get
  i64 begin = INT64_MAX, last = 0;  // time of the thread's start, or of its first enter; time of its last enter
  std::vector<Operation> operations;
};

bool is_of_load(Kind kind) {
  switch (kind) {
    case Kind::thread_start:
    case Kind::thread_state:
    case Kind::mounted:
    case Kind::unmounted:
    case Kind::lock_contended:
    case Kind::lock_enter:
    case Kind::lock_exit:
    case Kind::wait_begin:
    case Kind::wait_end:
    case Kind::notify: return true;
    default: return false;
  }
}

class LoadMaker {
 public:
  LoadMaker(RecordingFile& file, u32 processors) : events_(file, is_of_load), processors_(processors) {}

  LockLoad run() {
    count_enters();
    choose_threads();
    if (threads_.size() > 1) {
      std::vector<i64> begins;
      for (const auto& [id, recorded] : threads_) begins.push_back(recorded.begin);
      std::ranges::nth_element(begins, begins.begin() + 1);
      from_ = begins[1];
      threads_.clear();
      count_enters();
      choose_threads();
    }
    share_locks();
    events_.for_each([this](u32 thread, const Event& event, i64 now) {
      if (thread != reading_id_) begin_reading(thread);
      if (reading_ != nullptr) take(thread, event, now);
    });
    match_waits();
    LockLoad load;
    std::vector<Recorded*> in_order;
    for (auto& [id, recorded] : threads_) {
      if (!recorded.operations.empty()) in_order.push_back(&recorded);
    }
    std::ranges::sort(in_order, {}, &Recorded::begin);
    for (const Recorded* recorded : in_order) {
      load.threads.push_back({.after = predecessor(in_order, load.threads.size()), .steps = steps_of(*recorded)});
      // + 1: the recorder's thread also needs a processor while the program runs (L6)
      if (in_order.size() + 1 > processors_) trim(load.threads.back());
    }
    load.objects = static_cast<u32>(objects_.size());
    load.waits = waits_;
    return load;
  }

 private:
  void count_enters() {
    events_.for_each([&](u32 thread, const Event& event, i64 now) {
      bool begins = static_cast<Kind>(event.kind) == Kind::thread_start;
      if (!begins && static_cast<Kind>(event.kind) != Kind::lock_enter) return;
      if (now < from_) return;
      Recorded& recorded = threads_[thread];
      recorded.begin = std::min(recorded.begin, now);
      if (begins) return;
      ++recorded.enters;
      recorded.last = std::max(recorded.last, now);
    });
    std::erase_if(threads_, [](const auto& entry) { return entry.second.enters == 0; });
  }
  void choose_threads() {
    u64 all = 0, count = threads_.size();
    for (const auto& [id, recorded] : threads_) all += recorded.enters;
    std::erase_if(threads_, [&](const auto& entry) { return entry.second.enters * 10 * count < all; });
  }
  void share_locks() {
    u64 all = 0;
    for (const auto& [id, recorded] : threads_) all += recorded.enters;
    for (auto& [id, recorded] : threads_)
      recorded.left = all <= most_locks ? recorded.enters : std::max<u64>(recorded.enters * most_locks / all, 1);
  }

  void begin_reading(u32 thread) {
    auto found = threads_.find(thread);
    reading_id_ = thread;
    reading_ = found == threads_.end() ? nullptr : &found->second;
    next_.reset();
    slept_ = unmounted_ = 0;
    asleep_since_.reset();
    unmounted_since_.reset();
  }

  // Takes an event of a thread. Events of one thread come in the order of time.
  void take(u32 thread, const Event& event, i64 now) {
    if (now < from_ || reading_->left == 0) return;
    switch (static_cast<Kind>(event.kind)) {
      case Kind::thread_state:
        if (event.a == thread) change_state(static_cast<JavaThreadStatus>(event.detail), now);
        break;
      case Kind::unmounted: leave_carrier(static_cast<JavaThreadStatus>(event.detail), now); break;
      case Kind::mounted: take_carrier(now); break;
      case Kind::lock_contended: next_ = Operation{.kind = Operation::lock, .object = event.a, .begin = now}; break;
      case Kind::lock_enter:
        if (!next_ || next_->kind != Operation::lock || next_->object != event.a)
          next_ = Operation{.kind = Operation::lock, .object = event.a, .begin = now};
        add(now);
        break;
      case Kind::lock_exit:
        next_ = Operation{.kind = Operation::unlock, .object = event.a, .begin = now};
        add(now);
        break;
      case Kind::wait_begin: next_ = Operation{.kind = Operation::wait, .object = event.a, .begin = now}; break;
      case Kind::wait_end:
        if (next_ && next_->kind == Operation::wait && next_->object == event.a) add(now);
        break;
      case Kind::notify:
        next_ = Operation{
            .kind = event.detail != 0 ? Operation::notify_all : Operation::notify, .object = event.a, .begin = now};
        add(now);
        break;
      default: break;
    }
  }
  // Counts only sleeps between two operations, because the time of an enter or a wait already includes its sleep.
  void change_state(JavaThreadStatus status, i64 now) {
    bool sleeps = !next_ && (status == JavaThreadStatus::Sleeping || status == JavaThreadStatus::Parked ||
                             status == JavaThreadStatus::ParkedTimed);
    if (sleeps && !asleep_since_) asleep_since_ = now;
    if (!sleeps && asleep_since_) slept_ += now - *asleep_since_, asleep_since_.reset();
  }
  // Rule L7: the virtual thread is unmounted from its carrier.
  void leave_carrier(JavaThreadStatus status, i64 now) {
    change_state(status, now);
    if (!next_ && !asleep_since_) unmounted_since_ = now;
  }
  void take_carrier(i64 now) {
    change_state(JavaThreadStatus::Runnable, now);
    if (unmounted_since_) unmounted_ += now - *unmounted_since_;
    unmounted_since_.reset();
  }
  void add(i64 end) {
    Operation operation = *next_;
    next_.reset();
    operation.end = end;
    operation.slept = std::exchange(slept_, 0);
    operation.unmounted = std::exchange(unmounted_, 0);
    if (operation.kind == Operation::lock) --reading_->left;
    reading_->operations.push_back(operation);
  }

  void match_waits() {
    std::unordered_map<u32, std::pair<std::vector<Operation*>, std::vector<Operation*>>> by_object;
    for (auto& [id, recorded] : threads_) {
      for (Operation& operation : recorded.operations) {
        if (operation.kind == Operation::wait) by_object[operation.object].first.push_back(&operation);
        if (operation.kind >= Operation::notify) by_object[operation.object].second.push_back(&operation);
      }
    }
    for (auto& [object, both] : by_object) {
      auto& [waits, notifies] = both;
      std::ranges::sort(waits, {}, &Operation::end);
      std::ranges::sort(notifies, {}, &Operation::begin);
      for (Operation* wait : waits) {
        auto each = std::ranges::upper_bound(notifies, wait->begin, {}, &Operation::begin);
        for (; each != notifies.end() && (*each)->begin < wait->end; ++each) {
          if ((*each)->kind == Operation::notify && !(*each)->waits.empty()) continue;
          (*each)->waits.push_back(waits_);
          wait->waits.push_back(waits_++);
          break;
        }
      }
    }
  }

  static u32 predecessor(const std::vector<Recorded*>& in_order, usize index) {
    u32 latest = LockLoad::nobody;
    i64 latest_end = INT64_MIN;
    for (u32 i = 0; i < index; ++i) {
      i64 end = in_order[i]->last;
      if (end <= in_order[index]->begin && end > latest_end) latest = i, latest_end = end;
    }
    return latest;
  }

  u32 object_of(u32 number) { return objects_.try_emplace(number, static_cast<u32>(objects_.size())).first->second; }

  std::vector<LoadStep> steps_of(const Recorded& recorded) {
    std::vector<LoadStep> steps;
    std::vector<u32> held;
    usize too_deep = 0;  // number of held nesting levels that are not part of the load
    i64 last = recorded.operations.front().begin;
    auto lock = [&](u32 object) { held.push_back(object), steps.push_back({LoadStep::lock, object}); };
    auto unlock = [&] { steps.push_back({LoadStep::unlock, held.back()}), held.pop_back(); };
    for (const Operation& operation : recorded.operations) {
      i64 between = std::max<i64>(operation.begin - last - operation.unmounted - recording_cost, 0);
      last = operation.end;
      if (operation.slept > 0) steps.push_back({LoadStep::sleep, 0, operation.slept});
      if (between > operation.slept) steps.push_back({LoadStep::work, 0, between - operation.slept});
      u32 object = object_of(operation.object);
      bool holds = std::ranges::find(held, object) != held.end();
      switch (operation.kind) {
        case Operation::lock:
          if (held.size() < most_levels && too_deep == 0) lock(object);
          else ++too_deep;
          break;
        case Operation::unlock:
          if (too_deep > 0) --too_deep;
          else if (holds) {
            while (held.back() != object) unlock();
            unlock();
          }
          break;
        case Operation::wait:
          if (holds && !operation.waits.empty()) {
            steps.push_back({LoadStep::wait, object, operation.waits.front()});
          } else {
            usize levels = 0;
            for (; !held.empty() && held.back() == object; ++levels) unlock();
            steps.push_back({LoadStep::sleep, 0, operation.end - operation.begin});
            for (; levels > 0; --levels) lock(object);
          }
          break;
        case Operation::notify:
        case Operation::notify_all:
          if (!holds) lock(object);
          for (i64 wait : operation.waits) steps.push_back({LoadStep::notify, object, wait});
          if (!holds) unlock();
          break;
      }
    }
    while (!held.empty()) unlock();
    return steps;
  }

  // Rule L6: shortens suspiciously long periods of work.
  static void trim(LockLoad::Thread& thread) {
    std::vector<i64> periods[2];  // lengths of the periods of work, first those without a held lock
    auto for_each_period = [&](auto body) {
      u32 levels = 0;
      for (LoadStep& step : thread.steps) {
        if (step.kind == LoadStep::lock) ++levels;
        else if (step.kind == LoadStep::unlock) --levels;
        else if (step.kind == LoadStep::work) body(levels != 0, step.amount);
      }
    };
    for_each_period([&](bool inside, i64 amount) { periods[inside].push_back(amount); });
    i64 median[2] = {0, 0};
    for (bool inside : {false, true}) {
      std::vector<i64>& all = periods[inside];
      if (all.empty()) continue;
      std::ranges::nth_element(all, all.begin() + static_cast<i64>(all.size() / 2));
      median[inside] = all[all.size() / 2];
    }
    for_each_period([&](bool inside, i64& amount) {
      if (amount > suspicious_ns && amount > 10 * median[inside]) amount = median[inside];
    });
  }

  recording::EventsByThread events_;
  u32 processors_;
  i64 from_ = INT64_MIN, waits_ = 0;
  std::map<u32, Recorded> threads_;
  std::unordered_map<u32, u32> objects_;  // maps the recording's object numbers to those of the load
  // The thread whose events the pass is reading; empty before the first event.
  std::optional<u32> reading_id_;
  Recorded* reading_ = nullptr;  // the thread in the load; null: the thread is not part of the load
  std::optional<Operation> next_;
  i64 slept_ = 0, unmounted_ = 0;
  std::optional<i64> asleep_since_, unmounted_since_;
};

}  // namespace

LockLoad load_of(const std::string& recording, u32 processors, std::string& problem) {
  RecordingFile file(recording);
  problem = file.problem;
  if (!problem.empty()) return {};
  LockLoad load = LoadMaker(file, processors).run();
  problem = file.problem;
  return load;
}

}  // namespace keyhole::compare
