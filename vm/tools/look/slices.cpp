// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the slices in one pass over the events. Tracks the state of each thread, and the holder of each lock.
#include "vm/tools/look/slices.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/threads/java_thread.h"
#include "vm/tools/recording/own_threads.h"

namespace keyhole::look {

namespace {

using recorder::Entry;
using recorder::Kind;

Doing doing_in(JavaThreadStatus state) {
  switch (state) {
    case JavaThreadStatus::Sleeping: return Doing::sleeping;
    case JavaThreadStatus::InObjectWait:
    case JavaThreadStatus::InObjectWaitTimed: return Doing::waiting;
    case JavaThreadStatus::Parked:
    case JavaThreadStatus::ParkedTimed: return Doing::parked;
    case JavaThreadStatus::BlockedOnMonitorEnter: return Doing::blocked;
    case JavaThreadStatus::New:
    case JavaThreadStatus::Runnable:
    case JavaThreadStatus::Terminated: break;
  }
  return Doing::running;
}

struct Hold {
  u32 thread, levels, site;
};

struct Lane {
  Life life;
  Slice now;                     // the current slice, whose end is not known yet
  Doing state = Doing::running;  // what the thread does according to its recorded state (S2)
  bool contends = false;         // S1
  bool has_ended = false;
  u32 waits_for = 0, wait_site = 0;  // set between wait_begin and wait_end
  Hold given_up{};                   // meanwhile
  Doing idle = Doing::running;       // the state shown while the thread is runnable: running, or sleeping (S5)
  Slice parks{};                     // object, site and owner of the thread's last event `park` (S6)
  u32 sleep_site = 0;                // of the thread's last event `sleep`
};

class Reader {
 public:
  explicit Reader(const recorder::Recording& recording) : recording_(recording), own_threads_(recording) {}

  Slices read() {
    for (; event_ < recording_.entries.size(); ++event_) take(recording_.entries[event_]);
    i64 end = recording_.entries.empty() ? 0 : recording_.entries.back().nanoseconds;
    for (auto& [id, lane] : lanes_) {
      if (!lane.has_ended) finish(lane, end);
      result_.threads.push_back(lane.life);
    }
    std::ranges::sort(result_.all, {}, [](const Slice& each) { return std::pair(each.begin, each.event); });
    std::ranges::sort(result_.threads, {}, [](const Life& life) { return std::pair(life.begin, life.id); });
    return std::move(result_);
  }

 private:
  Lane& lane_of(u32 id, i64 now) {
    auto [found, is_new] = lanes_.try_emplace(id);
    Lane& lane = found->second;
    if (is_new) {
      lane.life = {id, now, now};
      if (!own_threads_.has(id)) lane.idle = lane.state = Doing::sleeping;
      lane.now = {.begin = now, .end = now, .thread = id, .doing = lane.idle};
    }
    return lane;
  }

  void change(Lane& lane, i64 now, Doing doing, u32 object = 0, u32 site = 0) {
    lane.now.end = now;
    if (lane.now.doing != Doing::running && lane.now.length() > 0) result_.all.push_back(lane.now);
    lane.now = {.begin = now,
                .end = now,
                .thread = lane.life.id,
                .doing = doing,
                .object = object,
                .site = site,
                .event = static_cast<u32>(event_)};
    if (doing == Doing::blocked) set_owner(lane, holder_of(object));
  }
  void finish(Lane& lane, i64 now) {
    change(lane, now, Doing::running);
    lane.life.end = now;
    lane.has_ended = true;
  }

  Hold holder_of(u32 object) const {
    auto found = holds_.find(object);
    return found == holds_.end() ? Hold{} : found->second;
  }
  static void set_owner(Lane& lane, Hold hold) {
    // Clock skew can make a thread appear to own the lock that it waits for. No owner is shown then.
    if (hold.thread == lane.life.id) return;
    lane.now.owner = hold.thread;
    lane.now.owner_site = hold.site;
  }

  void take(const Entry& entry) {
    i64 now = entry.nanoseconds;
    Lane& lane = lane_of(entry.thread, now);
    ++lane.life.events;
    switch (entry.kind) {
      case Kind::lock_contended:
        change(lane, now, Doing::blocked, entry.a, entry.b);
        lane.contends = true;
        break;
      case Kind::lock_owner:
        if (Hold hold = holder_of(entry.a); lane.contends && lane.now.object == entry.a)
          set_owner(lane, hold.thread == entry.b ? hold : Hold{entry.b, 1, 0});
        break;
      case Kind::lock_enter: {
        if (lane.contends && lane.now.object == entry.a) resume(lane, now);
        Hold& hold = holds_[entry.a];
        if (hold.thread == entry.thread) ++hold.levels;
        else hold = {entry.thread, 1, entry.b};
        break;
      }
      case Kind::lock_held: holds_[entry.a] = {entry.thread, entry.detail, 0}; break;
      case Kind::lock_exit:
        if (auto held = holds_.find(entry.a);
            held != holds_.end() && held->second.thread == entry.thread && --held->second.levels == 0)
          holds_.erase(held);
        break;
      case Kind::wait_begin: {
        lane.waits_for = entry.a;
        lane.wait_site = entry.b;
        auto held = holds_.find(entry.a);
        lane.given_up = held != holds_.end() && held->second.thread == entry.thread ? held->second : Hold{};
        if (lane.given_up.levels != 0) holds_.erase(held);
        break;
      }
      case Kind::wait_end:
        if (lane.now.doing != lane.idle) resume(lane, now);
        holds_[entry.a] = lane.given_up.levels != 0 ? lane.given_up : Hold{entry.thread, 1, entry.b};
        lane.waits_for = lane.wait_site = 0;
        break;
      case Kind::thread_state:
        change_state(lane_of(entry.a, now), static_cast<JavaThreadStatus>(entry.detail), now);
        break;
      case Kind::mounted:
        if (Lane& its = lane_of(entry.a, now); its.state == Doing::parked)
          change_state(its, JavaThreadStatus::Runnable, now);
        break;
      case Kind::unmounted:
        if (Lane& its = lane_of(entry.a, now); says_more(static_cast<JavaThreadStatus>(entry.detail)))
          change_state(its, static_cast<JavaThreadStatus>(entry.detail), now);
        break;
      case Kind::work_begin:
      case Kind::work_end:
        if (recorder::is_os_thread(entry.thread))  // S4
          change(lane, now, entry.kind == Kind::work_begin ? Doing::running : Doing::sleeping);
        break;
      case Kind::thread_end: finish(lane, now); break;
      case Kind::compile_begin: change(lane, now, Doing::running); break;
      case Kind::compile_end: change(lane, now, lane.idle); break;
      case Kind::sleep: lane.sleep_site = entry.a; break;
      case Kind::park:
        lane.parks = {};
        lane.parks.object = entry.a, lane.parks.site = entry.b;
        break;
      case Kind::park_owner: lane.parks.owner = entry.b; break;
      case Kind::synchronizer_acquired: name_owner(entry.a, entry.thread, entry.b); break;
      default: break;
    }
    if (Lane& same = lanes_[entry.thread]; same.has_ended) same.life.end = std::max(same.life.end, now);
  }

  // The lock was free when some threads parked for it, and has an owner now (S6).
  void name_owner(u32 object, u32 owner, u32 site) {
    auto free = free_when_parked_.find(object);
    if (free == free_when_parked_.end()) return;
    for (u32 thread : free->second) {
      Slice& now = lanes_[thread].now;
      if (thread != owner && now.doing == Doing::parked && now.object == object && now.owner == 0)
        now.owner = owner, now.owner_site = site;
    }
    free_when_parked_.erase(free);
  }

  // Returns whether an event `unmounted` with this state tells a fact about the virtual thread that no other event
  // tells.
  static bool says_more(JavaThreadStatus status) {
    return status == JavaThreadStatus::Parked || status == JavaThreadStatus::ParkedTimed ||
           status == JavaThreadStatus::Terminated;
  }

  // Ends the thread's slice, because the thread has acquired the lock. The thread's recorded state does not matter.
  void resume(Lane& lane, i64 now) {
    lane.contends = false;
    lane.state = lane.idle;
    change(lane, now, lane.idle);
  }

  void change_state(Lane& lane, JavaThreadStatus status, i64 now) {
    if (status == JavaThreadStatus::Terminated) {
      finish(lane, now);
      return;
    }
    lane.state = doing_in(status);
    if (lane.state == Doing::running) lane.state = lane.idle;
    if (lane.contends || lane.state == lane.now.doing) return;
    bool in_wait = lane.state == Doing::waiting || lane.state == Doing::blocked;
    change(lane, now, lane.state, in_wait ? lane.waits_for : 0, in_wait ? lane.wait_site : 0);
    if (lane.state == Doing::sleeping) lane.now.site = lane.sleep_site;
    if (lane.state == Doing::parked) {
      lane.now.object = lane.parks.object, lane.now.site = lane.parks.site, lane.now.owner = lane.parks.owner;
      lane.parks = {};
      if (lane.now.owner == 0 && lane.now.object != 0) free_when_parked_[lane.now.object].push_back(lane.life.id);
    }
  }

  const recorder::Recording& recording_;
  usize event_ = 0;
  std::unordered_map<u32, Lane> lanes_;                         // by thread
  std::unordered_map<u32, Hold> holds_;                         // by object
  std::unordered_map<u32, std::vector<u32>> free_when_parked_;  // by object: threads
  recording::OwnThreads own_threads_;
  Slices result_;
};

}  // namespace

Slices slices_of(const recorder::Recording& recording) { return Reader(recording).read(); }

}  // namespace keyhole::look
