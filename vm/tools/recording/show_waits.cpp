// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --show FILE --waits: which thread waited for which owner of a lock, how often, and for how long in total.
//
//   thread             waited for           times   in all ms  longest ms      at ms
//   main               slow                     1      49.236      49.236     13.888
//       object 43 (Bridge)
//       at Bridge.cross(Bridge.java:5) bci 5
//
// The waits counted are those for monitors, and those for locks of java.util.concurrent that have an owner
// (wait_facts.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "runtime/base/print.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

using recorder::Recording;

namespace {

struct Waits {  // all waits of one thread for one owner of one object's lock
  u32 thread, owner, object;
  u64 count = 0;
  i64 total_ns = 0;
  i64 longest_ns = -1, begin_of_longest_ns = 0;
  u32 site_of_longest = 0;
  u32 most_queued = 0;
  bool at_the_end = false;  // one of these waits lasts to the end of the recording
  bool is_monitor = true;   // else a lock of java.util.concurrent
};

std::vector<Waits> sums_of(const std::vector<Wait>& each_wait) {
  std::map<std::tuple<u32, u32, u32>, Waits> waits;
  for (const Wait& wait : each_wait) {
    auto& all =
        waits.try_emplace({wait.thread, wait.owner, wait.object}, wait.thread, wait.owner, wait.object).first->second;
    ++all.count;
    all.total_ns += wait.length();
    all.most_queued = std::max(all.most_queued, wait.queued);
    all.at_the_end |= !wait.has_ended;
    all.is_monitor = wait.kind == Wait::Kind::monitor;
    if (wait.length() > all.longest_ns)
      all.longest_ns = wait.length(), all.begin_of_longest_ns = wait.begin, all.site_of_longest = wait.site;
  }
  std::vector<Waits> sorted;
  for (auto& [key, each] : waits) sorted.push_back(each);
  std::ranges::stable_sort(sorted, std::greater(), &Waits::total_ns);
  return sorted;
}

f64 milliseconds(i64 nanoseconds) { return static_cast<f64>(nanoseconds) / 1e6; }

std::string owner_of(const Recording& recording, const Waits& each) {
  return each.owner == 0 ? "" : recording.thread_name(each.owner);
}

std::string class_of(const Recording& recording, u32 object) {
  auto found = recording.class_of.find(object);
  return found == recording.class_of.end() ? "" : recording.text(found->second);
}

}  // namespace

static void show_as_lines(const Recording& recording, const std::vector<Waits>& waits, FILE* out) {
  if (waits.empty()) {
    print_text(out, "no thread had to wait for a lock\n");
    return;
  }
  print_text(out, "{:<18} {:<18} {:>7} {:>11} {:>11} {:>10}\n", "thread", "waited for", "times", "in all ms",
             "longest ms", "at ms");
  std::map<u32, std::pair<u64, i64>> sums;
  for (const Waits& each : waits) {
    std::string owner = owner_of(recording, each);
    print_text(out, "{:<18} {:<18} {:>7} {:>11.3f} {:>11.3f} {:>10.3f}\n",
               for_terminal(recording.thread_name(each.thread)), owner.empty() ? "?" : for_terminal(owner), each.count,
               milliseconds(each.total_ns), milliseconds(each.longest_ns), milliseconds(each.begin_of_longest_ns));
    std::string queue = each.most_queued == 0 ? "" : fmt::format(", {} in the queue before it", each.most_queued);
    print_text(out, "    object {} ({}){}{}\n    at {}\n", each.object, for_terminal(class_of(recording, each.object)),
               queue, each.at_the_end ? ", and waits at the end" : "",
               for_terminal(recording.text(each.site_of_longest)));
    sums[each.thread].first += each.count;
    sums[each.thread].second += each.total_ns;
  }
  for (const auto& [thread, sum] : sums)
    print_text(out, "{} has waited {} time{}, for {:.3f} ms in all\n", for_terminal(recording.thread_name(thread)),
               sum.first, sum.first == 1 ? "" : "s", milliseconds(sum.second));
}

void show_waits(const Recording& recording, const std::vector<Wait>& each_wait, bool as_json, FILE* out) {
  std::vector<Waits> waits = sums_of(each_wait);
  if (!as_json) {
    show_as_lines(recording, waits, out);
    return;
  }
  for (const Waits& each : waits) {
    print_text(out,
               "{{\"thread\":{},\"thread_id\":{},\"owner\":{},\"owner_id\":{},\"object\":{},\"class\":{},\"times\":{},"
               "\"total_ns\":{},\"longest_ns\":{},\"longest_at_ns\":{},\"at\":{},\"at_the_end\":{},\"kind\":\"{}\","
               "\"most_queued\":{}}}\n",
               json_text(recording.thread_name(each.thread)), each.thread, json_text(owner_of(recording, each)),
               each.owner, each.object, json_text(class_of(recording, each.object)), each.count, each.total_ns,
               each.longest_ns, each.begin_of_longest_ns, json_text(recording.text(each.site_of_longest)),
               each.at_the_end, each.is_monitor ? "monitor" : "park", each.most_queued);
  }
}

}  // namespace keyhole::recording
