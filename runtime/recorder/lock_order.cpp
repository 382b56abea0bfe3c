// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the holder of each object, event by event.
#include "runtime/recorder/lock_order.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace keyhole::recorder {

namespace {

struct Hold {
  u32 thread = 0;
  u32 levels = 0;  // 0 if no thread holds the object, as far as the recording knows
};

bool acquires(const Entry& entry) { return entry.kind == Kind::lock_enter || entry.kind == Kind::wait_end; }

// The number of levels that the holder has after its event `entry`.
u32 levels_after(const Entry& entry, u32 levels) {
  if (entry.kind == Kind::lock_enter) return levels + 1;
  if (entry.kind == Kind::lock_exit) return levels - 1;
  return entry.kind == Kind::wait_begin ? 0 : levels;
}

// Finds the entry by which the holder of the object gives up its last level. Returns end() if it does not come soon
// enough after `first`.
using Iterator = std::vector<Entry>::iterator;
Iterator last_exit(Iterator first, Iterator end, Hold hold) {
  for (Iterator each = first; each != end; ++each) {
    if (each->nanoseconds - first->nanoseconds > clock_difference_nanoseconds || each - first > most_entries_between)
      return end;
    if (each->thread != hold.thread || each->a != first->a) continue;
    hold.levels = levels_after(*each, hold.levels);
    if (hold.levels == 0) return each;
  }
  return end;
}

}  // namespace

void put_enters_after_exits(std::vector<Entry>& entries) {
  std::unordered_map<u32, Hold> holds;                   // by object
  std::map<std::pair<u32, u32>, u32> levels_of_waiters;  // by object and thread
  std::vector<u32> moved_on;                             // threads whose entries were moved from place i
  for (usize i = 0; i < entries.size();) {
    const Entry entry = entries[i];
    bool releases = entry.kind == Kind::lock_exit || entry.kind == Kind::wait_begin;
    if (!acquires(entry) && !releases) {
      ++i;
      moved_on.clear();
      continue;
    }
    Hold& hold = holds[entry.a];
    if (acquires(entry) && hold.levels != 0 && hold.thread != entry.thread) {
      Iterator begin = entries.begin() + static_cast<i64>(i);
      bool is_back = std::ranges::find(moved_on, entry.thread) != moved_on.end();
      Iterator exit = is_back ? entries.end() : last_exit(begin, entries.end(), hold);
      if (exit != entries.end()) {
        moved_on.push_back(entry.thread);
        i64 time = exit->nanoseconds;
        Iterator moved =
            std::stable_partition(begin, exit + 1, [&entry](const Entry& each) { return each.thread != entry.thread; });
        for (; moved != exit + 1; ++moved) moved->nanoseconds = time;
        continue;  // place i has another entry now
      }
      hold.levels = 0;  // O3
    }
    if (entry.kind == Kind::lock_enter) {
      hold = {entry.thread, hold.levels + 1};
    } else if (entry.kind == Kind::wait_end) {
      auto waited = levels_of_waiters.find({entry.a, entry.thread});
      hold = {entry.thread, waited == levels_of_waiters.end() ? 1 : waited->second};
    } else if (hold.levels != 0 && hold.thread == entry.thread) {
      if (entry.kind == Kind::wait_begin) levels_of_waiters[{entry.a, entry.thread}] = hold.levels;
      hold.levels = levels_after(entry, hold.levels);
    }
    ++i;
    moved_on.clear();
  }
}

}  // namespace keyhole::recorder
