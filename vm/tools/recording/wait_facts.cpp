// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes one pass over the events. Tracks the current wait of each thread, and the holder of each monitor.
#include "vm/tools/recording/wait_facts.h"

#include <algorithm>

#include "runtime/threads/java_thread.h"

namespace keyhole::recording {

namespace {

using recorder::Entry;
using Event = recorder::Kind;

bool is_parked(JavaThreadStatus state) {
  return state == JavaThreadStatus::Parked || state == JavaThreadStatus::ParkedTimed;
}

struct Blocker {
  u32 object = 0, site = 0, owner = 0;
};

// The acquisitions of one lock, in the order of the recording.
struct Acquisitions {
  u64 total = 0;
  std::unordered_map<u32, u64> last;  // by thread: the value of `total` after the thread's last acquisition

  void add(u32 thread, u64 count) { last[thread] = total += count; }
  // Returns the number of repeated acquisitions since the time at which `total` had the value `begin`. The first
  // acquisition of each thread after that time is not a repeated one.
  u64 again_since(u64 begin) const {
    auto first_ones = std::ranges::count_if(last, [=](const auto& each) { return each.second > begin; });
    return total - begin - static_cast<u64>(first_ones);
  }
};

class Reader {
 public:
  Reader(const recorder::Recording& recording, i64 end) : recording_(recording) {
    facts_.end = end;
    if (!recording.entries.empty()) facts_.begin = recording.entries.front().nanoseconds;
  }

  WaitFacts read() {
    for (; event_ < recording_.entries.size(); ++event_) {
      const Entry& entry = recording_.entries[event_];
      if (entry.nanoseconds > facts_.end) break;
      live(entry.thread, entry.nanoseconds);
      take(entry);
    }
    std::vector<Wait> unfinished;
    for (auto& [thread, wait] : current_) unfinished.push_back(wait);
    for (auto& [thread, wait] : in_wait_) {
      if (current_.contains(thread)) continue;
      wait.kind = Wait::Kind::monitor;  // the thread was woken in Object.wait and now waits to reacquire the monitor
      wait.overtaken = acquired_[wait.object].total;
      unfinished.push_back(wait);
    }
    std::ranges::sort(unfinished, {}, [](const Wait& each) { return std::pair(each.begin, each.thread); });
    for (Wait& wait : unfinished) {
      wait.end = facts_.end;
      if (counts_overtakers(wait)) wait.overtaken = acquired_[wait.object].again_since(wait.overtaken);
      facts_.waits.push_back(wait);
    }
    return std::move(facts_);
  }

 private:
  void live(u32 thread, i64 now) {
    auto [found, is_new] = facts_.lives.try_emplace(thread, now, now);
    found->second.second = now;
  }

  static bool counts_overtakers(const Wait& wait) {
    return wait.kind == Wait::Kind::monitor || wait.kind == Wait::Kind::park;
  }
  Wait& begin(u32 thread, Wait::Kind kind, i64 now, u32 object, u32 site) {
    Wait wait{.begin = now,
              .thread = thread,
              .kind = kind,
              .object = object,
              .site = site,
              .event = static_cast<u32>(event_)};
    if (object != 0) wait.queued = waiters_[object]++;
    return current_[thread] = wait;
  }
  // Ends the thread's current wait if the wait is of this kind.
  void end(u32 thread, Wait::Kind kind, i64 now, u32 woken_by = 0) {
    auto found = current_.find(thread);
    if (found == current_.end() || found->second.kind != kind) return;
    Wait& wait = found->second;
    wait.end = now;
    wait.has_ended = true;
    wait.woken_by = woken_by;
    if (counts_overtakers(wait)) wait.overtaken = acquired_[wait.object].again_since(wait.overtaken);
    if (wait.object != 0) --waiters_[wait.object];
    facts_.waits.push_back(wait);
    current_.erase(found);
  }

  void acquire(const Entry& entry) {
    Hold& hold = facts_.held[entry.a];
    if (hold.levels != 0 && hold.thread == entry.thread) {
      ++hold.levels;
      return;
    }
    hold = {entry.thread, 1, entry.b, static_cast<u32>(event_), entry.nanoseconds};
    acquired_[entry.a].add(entry.thread, 1);
    ++facts_.holds[entry.a].enters;
  }
  void note_hold(u32 object, const Hold& hold, i64 now) {
    if (facts_.lacks_fast_paths) return;  // W4
    HoldFacts& facts = facts_.holds[object];
    ++facts.timed;
    facts.total += now - hold.since;
    if (now - hold.since <= facts.longest) return;
    facts.longest = now - hold.since;
    facts.longest_begin = hold.since;
    facts.longest_thread = hold.thread, facts.longest_site = hold.site, facts.longest_event = hold.event;
  }
  void release(u32 object, u32 thread, i64 now, bool all_levels) {
    auto found = facts_.held.find(object);
    if (found == facts_.held.end() || found->second.thread != thread) return;
    if (!all_levels && --found->second.levels != 0) return;
    note_hold(object, found->second, now);
    facts_.held.erase(found);
  }

  // Corrects the holder of a lock whose last operations may not be recorded (W4).
  void holder_is(u32 object, u32 thread, i64 now) {
    Hold& hold = facts_.held[object];
    if (thread == 0) facts_.held.erase(object);
    else if (hold.thread != thread) hold = {thread, 1, 0, static_cast<u32>(event_), now};
  }

  void take(const Entry& entry) {
    i64 now = entry.nanoseconds;
    switch (entry.kind) {
      case Event::lock_contended: {
        end(entry.thread, Wait::Kind::monitor, now);
        Wait& wait = begin(entry.thread, Wait::Kind::monitor, now, entry.a, entry.b);
        wait.overtaken = acquired_[entry.a].total;
        if (auto held = facts_.held.find(entry.a); held != facts_.held.end()) wait.owner_site = held->second.site;
        break;
      }
      case Event::lock_owner:
        if (auto found = current_.find(entry.thread); found != current_.end() && found->second.object == entry.a) {
          found->second.owner = entry.b;
          auto held = facts_.held.find(entry.a);
          found->second.owner_site =
              held != facts_.held.end() && held->second.thread == entry.b ? held->second.site : 0;
        }
        if (facts_.lacks_fast_paths) holder_is(entry.a, entry.b, now);
        break;
      case Event::recording_joins: facts_.lacks_fast_paths = true; break;
      case Event::lock_held:
        facts_.held[entry.a] = {entry.thread, entry.detail, 0, static_cast<u32>(event_), now};
        break;
      case Event::lock_enter:
        if (auto found = current_.find(entry.thread); found != current_.end() && found->second.object == entry.a)
          end(entry.thread, Wait::Kind::monitor, now);
        acquire(entry);
        break;
      case Event::lock_exit: release(entry.a, entry.thread, now, false); break;
      case Event::lock_pairs:
        acquired_[entry.a].add(entry.thread, entry.b);
        facts_.holds[entry.a].enters += entry.b;
        break;
      case Event::wait_begin: {
        auto held = facts_.held.find(entry.a);
        levels_[entry.thread] = held != facts_.held.end() ? held->second.levels : 1;
        release(entry.a, entry.thread, now, true);
        Wait& wait = begin(entry.thread, Wait::Kind::object, now, entry.a, entry.b);
        wait.timed = entry.detail != 0;
        in_wait_[entry.thread] = wait;
        ++in_wait_of_[entry.a];
        break;
      }
      case Event::wait_end:
        end(entry.thread, Wait::Kind::object, now);
        if (in_wait_.erase(entry.thread) != 0) --in_wait_of_[entry.a];
        acquire(entry);
        facts_.held[entry.a].levels = std::max(levels_[entry.thread], 1u);
        break;
      case Event::notify:
        facts_.notified[entry.a] = {entry.thread, entry.b, static_cast<u32>(event_), in_wait_of_[entry.a] != 0};
        break;
      case Event::sleep: sleeps_[entry.thread] = entry.a; break;
      case Event::park: blockers_[entry.thread] = {entry.a, entry.b, 0}; break;
      case Event::park_owner:
        blockers_[entry.thread].owner = entry.b;
        if (!has_synchronizer_events_) facts_.synchronizer_owners[entry.a] = entry.b;
        if (auto found = current_.find(entry.thread); found != current_.end() && found->second.object == entry.a)
          found->second.owner = entry.b;
        break;
      case Event::synchronizer_acquired:
        acquire(entry);
        name_owner(entry.a, entry.thread, entry.b);
        facts_.synchronizer_owners[entry.a] = entry.thread;
        has_synchronizer_events_ = true;
        break;
      case Event::synchronizer_released:
        release(entry.a, entry.thread, now, true);
        if (u32& owner = facts_.synchronizer_owners[entry.a]; owner == entry.thread) owner = 0;
        break;
      case Event::unpark: unparked_by_[entry.a] = entry.thread; break;
      case Event::thread_state:
        live(entry.a, now);
        change_state(entry.a, static_cast<JavaThreadStatus>(entry.detail), now, entry.thread);
        break;
      case Event::mounted:
        live(entry.a, now);
        resume(entry.a, now);
        break;
      case Event::unmounted:
        live(entry.a, now);
        if (auto state = static_cast<JavaThreadStatus>(entry.detail); is_parked(state))
          change_state(entry.a, state, now, entry.a);
        break;
      default: break;
    }
  }

  void change_state(u32 thread, JavaThreadStatus state, i64 now, u32 by) {
    if (is_parked(state)) {
      if (auto found = current_.find(thread); found != current_.end()) return;  // `unmounted` repeats the state
      Blocker blocker = blockers_[thread];
      unparked_by_.erase(thread);
      Wait& wait = begin(thread, Wait::Kind::park, now, blocker.object, blocker.site);
      wait.owner = blocker.owner;
      if (auto held = facts_.held.find(blocker.object); held != facts_.held.end() && held->second.thread == wait.owner)
        wait.owner_site = held->second.site;
      wait.overtaken = acquired_[blocker.object].total;
      wait.timed = state == JavaThreadStatus::ParkedTimed;
      if (wait.owner == 0 && wait.object != 0) free_when_parked_[wait.object].push_back(thread);
      return;
    }
    if (state == JavaThreadStatus::Sleeping) {
      if (!current_.contains(thread)) begin(thread, Wait::Kind::sleep, now, 0, sleeps_[thread]).timed = true;
      return;
    }
    if (state == JavaThreadStatus::InObjectWait || state == JavaThreadStatus::InObjectWaitTimed) return;
    end(thread, Wait::Kind::object, now, by == thread ? 0 : by);
    end(thread, Wait::Kind::sleep, now);
    resume(thread, now);
  }

  // The waits for this lock that began while it was free now wait for this owner (W3).
  void name_owner(u32 object, u32 owner, u32 site) {
    auto free = free_when_parked_.find(object);
    if (free == free_when_parked_.end()) return;
    for (u32 thread : free->second) {
      auto found = current_.find(thread);
      bool waits = found != current_.end() && found->second.kind == Wait::Kind::park && found->second.object == object;
      if (waits && thread != owner && found->second.owner == 0)
        found->second.owner = owner, found->second.owner_site = site;
    }
    free_when_parked_.erase(free);
  }

  // Ends a park.
  void resume(u32 thread, i64 now) {
    auto found = current_.find(thread);
    if (found == current_.end() || found->second.kind != Wait::Kind::park) return;
    if (found->second.owner != 0 && !has_synchronizer_events_)
      facts_.synchronizer_owners[found->second.object] = thread;  // W3
    auto unparked = unparked_by_.find(thread);
    end(thread, Wait::Kind::park, now, unparked == unparked_by_.end() ? 0 : unparked->second);
    blockers_.erase(thread);
  }

  const recorder::Recording& recording_;
  usize event_ = 0;
  bool has_synchronizer_events_ = false;  // W3
  WaitFacts facts_;
  std::unordered_map<u32, Wait> current_;      // by thread
  std::unordered_map<u32, Wait> in_wait_;      // by thread: its Object.wait that has begun and not ended
  std::unordered_map<u32, u32> levels_;        // by thread: the number of nesting levels that its Object.wait released
  std::unordered_map<u32, Blocker> blockers_;  // by thread
  std::unordered_map<u32, std::vector<u32>> free_when_parked_;  // by object: threads
  std::unordered_map<u32, u32> sleeps_;                         // by thread: the site of its last event `sleep`
  std::unordered_map<u32, u32> unparked_by_;                    // by thread
  std::unordered_map<u32, u32> waiters_;                        // by object
  std::unordered_map<u32, u32> in_wait_of_;                     // by object: the number of threads inside Object.wait
  std::unordered_map<u32, Acquisitions> acquired_;              // by object
};

}  // namespace

WaitFacts wait_facts_of(const recorder::Recording& recording, i64 end) { return Reader(recording, end).read(); }

}  // namespace keyhole::recording
