// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes one pass over all events, and two more over the events of the hottest objects.
#include "vm/tools/look/lock_figures.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/sync/lock_statistics.h"
#include "vm/tools/recording/hottest.h"
#include "vm/tools/recording/show.h"

namespace keyhole::look {

namespace {

using recorder::Entry;
using recorder::Kind;
using recording::Competition;

constexpr usize hot_count = 12;

struct Waiting {   // the wait of a thread
  u32 object = 0;  // the object whose lock the thread found held, 0 = none
  Instance since;  // its amount is the time
  u64 parks = 0;   // parks in the current operation
};

class Counter {
 public:
  explicit Counter(const recorder::Recording& recording) : recording_(recording) {}

  LockFigures count() {
    for (usize i = 0; i < recording_.entries.size(); ++i) take(recording_.entries[i], static_cast<u32>(i));
    i64 end = recording_.entries.empty() ? 0 : recording_.entries.back().nanoseconds;
    for (const auto& [thread, waiting] : waiting_) {
      if (waiting.object != 0) figures_.unfinished.push_back({end - waiting.since.amount, waiting.since.event});
    }
    for (auto* instances : {&figures_.waits, &figures_.unfinished})
      std::ranges::sort(*instances, {}, [](const Instance& each) { return std::pair(each.amount, each.event); });
    choose_hot();
    for_each_enter_of_hot([](Competition& competition, u32 thread, i64 now) { competition.note(thread, now); });
    for (HotObject& hot : figures_.hot) hot.competition.find();
    for_each_enter_of_hot([](Competition& competition, u32 thread, i64 now) { competition.count(thread, now); });
    return std::move(figures_);
  }

 private:
  ObjectFigures& figures_of(u32 object) {
    auto& objects = figures_.objects;
    if (object >= objects.size()) objects.resize(std::max<usize>(usize{object} + 1, objects.capacity()));
    return objects[object];
  }

  void take(const Entry& entry, u32 event) {
    if (u32 object = recording::object_of(entry); object != 0) {
      ObjectFigures& figures = figures_of(object);
      if (figures.events++ == 0) figures.first_event = event;
      figures.last_event = event;
    }
    switch (entry.kind) {
      case Kind::inflate: ++figures_of(entry.a).inflations; break;
      case Kind::lock_step:
        if (entry.detail == static_cast<u32>(LockCounter::parks)) waiting_[entry.thread].parks += entry.a;
        break;
      case Kind::lock_contended: {
        ++figures_.contended;
        ++figures_of(entry.a).contended;
        Waiting& waiting = waiting_[entry.thread];
        waiting.object = entry.a;
        waiting.since = {entry.nanoseconds, event};
        break;
      }
      case Kind::lock_enter: entered(entry, event); break;
      case Kind::lock_pairs:
        figures_.enters += entry.b;
        figures_of(entry.a).enters += entry.b;
        break;
      case Kind::wait_end:
        ++figures_of(entry.a).waits;
        end_operation(waiting_[entry.thread], event);
        break;
      case Kind::lock_exit:
      case Kind::lock_refused:
      case Kind::notify:
        if (auto found = waiting_.find(entry.thread); found != waiting_.end()) found->second.parks = 0;
        break;
      default: break;
    }
  }

  void entered(const Entry& entry, u32 event) {
    ++figures_.enters;
    ObjectFigures& figures = figures_of(entry.a);
    ++figures.enters;
    auto found = waiting_.find(entry.thread);
    if (found == waiting_.end()) return;
    Waiting& waiting = found->second;
    if (waiting.object == entry.a && entry.a != 0) {
      Instance wait{entry.nanoseconds - waiting.since.amount, waiting.since.event};
      figures.waited += wait.amount;
      if (wait.amount >= figures.longest.amount) figures.longest = wait;
      figures_.waits.push_back(wait);
    }
    waiting.object = 0;
    end_operation(waiting, event);
  }
  // Every wake-up of the operation except the last one was futile.
  void end_operation(Waiting& waiting, u32 event) {
    if (waiting.parks > 1) {
      i64 futile = static_cast<i64>(waiting.parks) - 1;
      figures_.futile_wake_ups += waiting.parks - 1;
      if (futile > figures_.most_futile.amount) figures_.most_futile = {futile, event};
    }
    waiting.parks = 0;
  }

  void choose_hot() {
    std::vector<u32> numbers;
    const auto& objects = figures_.objects;
    for (u32 i = 0; i < objects.size(); ++i)
      if (objects[i].enters != 0) numbers.push_back(i);
    recording::keep_hottest(
        numbers, hot_count, [&](u32 number) { return objects[number].waited; },
        [&](u32 number) { return objects[number].enters; });
    for (usize i = 0; i < numbers.size(); ++i) {
      hot_places_[numbers[i]] = i;
      figures_.hot.push_back({numbers[i], {}});
    }
  }
  template <typename Handle> void for_each_enter_of_hot(Handle handle) {
    for (const Entry& entry : recording_.entries) {
      if (entry.kind != Kind::lock_enter) continue;
      if (auto found = hot_places_.find(entry.a); found != hot_places_.end())
        handle(figures_.hot[found->second].competition, entry.thread, entry.nanoseconds);
    }
  }

  const recorder::Recording& recording_;
  LockFigures figures_;
  std::unordered_map<u32, Waiting> waiting_;   // by thread
  std::unordered_map<u32, usize> hot_places_;  // by object: its index among the hottest objects
};

}  // namespace

LockFigures lock_figures_of(const recorder::Recording& recording) { return Counter(recording).count(); }

}  // namespace keyhole::look
