// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds lock-order inversions: two locks that two threads acquired in opposite orders. A lock is a monitor, or an
// exclusive lock of java.util.concurrent.
//
//   thread 1    enter A ... enter B        an edge A -> B, with the lines of both
//   thread 2    enter B ... enter A        an edge B -> A: an inversion
//
// I1: an edge stores the locks that were held whenever its two locks were acquired in this order. If opposite edges
//     have such a lock in common, that lock excludes the threads from each other, so they cannot deadlock there.
// I2: opposite edges of a single thread are no inversion, nor are those of threads whose lifetimes do not overlap.
// I3: a recording that lacks operations of the fast path shows no inversions, because a thread may have released a lock
//     without an event (wait_facts.h).
// I4: pairs of opposite edges with the same four source lines are reported as one inversion.
// I5: a lock acquired by tryLock ends no edge, because the thread would not have waited for ever. It may begin one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "vm/tools/recording/finding_words.h"

namespace keyhole::recording {

namespace {

using recorder::Entry;
using Event = recorder::Kind;

constexpr usize most_edges = 1 << 20;
constexpr usize most_inversions = 3;

struct Held {
  u32 object, site, event, levels;
};
// One thread acquired one lock, and then another one while it held the first (I1).
struct Edge {
  u32 thread, first_site, second_site, first_event, second_event;
  std::vector<u32> guards;  // other locks that were held whenever these two locks were acquired in this order
};

class Edges {
 public:
  explicit Edges(const WordsOf& words) : words_(words) {
    const auto& entries = words.recording().entries;
    for (usize i = 0; i < entries.size(); ++i) take(entries[i], static_cast<u32>(i));
  }

  // The observed orders of acquisition, by the first and the second object. Each pair of objects has at most two edges,
  // which belong to different threads.
  std::map<std::pair<u32, u32>, std::vector<Edge>> all;

 private:
  void take(const Entry& entry, u32 event) {
    switch (entry.kind) {
      case Event::lock_enter:
      case Event::synchronizer_acquired:
      case Event::wait_end: {
        std::vector<Held>& held = held_[entry.thread];
        auto same = std::ranges::find(held, entry.a, &Held::object);
        if (same != held.end()) {
          ++same->levels;
          return;
        }
        bool is_tried = entry.kind == Event::synchronizer_acquired && entry.detail != 0;
        if (!is_tried && !words_.is_in_library(entry.b))
          for (const Held& each : held) add(each, entry, event, held);
        held.push_back({entry.a, entry.b, event, 1});
        return;
      }
      case Event::lock_exit:
      case Event::synchronizer_released:
      case Event::wait_begin: {
        std::vector<Held>& held = held_[entry.thread];
        auto same = std::ranges::find(held, entry.a, &Held::object);
        if (same != held.end() && (entry.kind == Event::wait_begin || --same->levels == 0)) held.erase(same);
        return;
      }
      default: return;
    }
  }

  void add(const Held& first, const Entry& second, u32 event, const std::vector<Held>& held) {
    if (words_.is_in_library(first.site) || all.size() >= most_edges) return;
    std::vector<Edge>& edges = all[{first.object, second.a}];
    auto is_guard = [&](u32 object) { return std::ranges::find(held, object, &Held::object) != held.end(); };
    auto known = std::ranges::find(edges, second.thread, &Edge::thread);
    if (known != edges.end()) {
      std::erase_if(known->guards, [&](u32 object) { return !is_guard(object); });
      return;
    }
    if (edges.size() == 2) {
      for (Edge& each : edges) std::erase_if(each.guards, [&](u32 object) { return !is_guard(object); });
      return;
    }
    Edge edge{second.thread, first.site, second.b, first.event, event, {}};
    for (const Held& each : held)
      if (each.object != first.object) edge.guards.push_back(each.object);
    edges.push_back(std::move(edge));
  }

  const WordsOf& words_;
  std::map<u32, std::vector<Held>> held_;  // by thread, the outermost first
};

bool lived_together(const WaitFacts& facts, u32 left, u32 right) {
  auto one = facts.lives.find(left), other = facts.lives.find(right);
  if (one == facts.lives.end() || other == facts.lives.end()) return false;
  return one->second.first < other->second.second && other->second.first < one->second.second;
}

bool share_a_guard(const Edge& left, const Edge& right) {
  return std::ranges::any_of(left.guards,
                             [&](u32 object) { return std::ranges::find(right.guards, object) != right.guards.end(); });
}

Sentence order(const WordsOf& words, const Edge& edge, u32 first, u32 second) {
  auto line = [&](u32 site, u32 object, u32 event) {
    return Words{words.line(site), {.view = "events", .thread = edge.thread, .object = object, .event = event}};
  };
  return {words.thread(edge.thread),
          {" acquired "},
          words.object(first, edge.first_event),
          {" at "},
          line(edge.first_site, first, edge.first_event),
          {", and then "},
          words.object(second, edge.second_event),
          {" at "},
          line(edge.second_site, second, edge.second_event),
          {"."}};
}

}  // namespace

void find_inversions(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  if (facts.lacks_fast_paths) return;  // I3
  if (std::ranges::any_of(findings, [](const Finding& each) { return each.topic == Topic::deadlock; })) return;
  Edges edges(words);
  std::set<std::tuple<u32, u32, u32, u32>> seen;
  for (const auto& [objects, there] : edges.all) {
    auto [first, second] = objects;
    if (first >= second) continue;
    auto back = edges.all.find({second, first});
    if (back == edges.all.end()) continue;
    for (const Edge& one : there) {
      for (const Edge& other : back->second) {
        if (one.thread == other.thread || share_a_guard(one, other) || !lived_together(facts, one.thread, other.thread))
          continue;
        auto lines =
            std::minmax(std::pair(one.first_site, one.second_site), std::pair(other.first_site, other.second_site));
        if (!seen.emplace(lines.first.first, lines.first.second, lines.second.first, lines.second.second).second)
          continue;
        Finding finding{Topic::lock_order, true, {{"Lock-order inversion: "}}, {}};
        add_list(finding.headline, {words.thread(one.thread), words.thread(other.thread)});
        finding.headline.push_back({" acquire "});
        add_list(finding.headline, {words.object(first, one.first_event), words.object(second, one.second_event)});
        finding.headline.push_back({" in opposite orders."});
        finding.reasons = {order(words, one, first, second),
                           order(words, other, second, first),
                           {{"This time they did not meet. Next time it can be a deadlock: `./keyhole --explore` shows "
                             "how."}},
                           {{"If all threads acquire these locks in the same order, this cannot happen."}}};
        findings.push_back(std::move(finding));
        if (seen.size() == most_inversions) return;
      }
    }
  }
}

}  // namespace keyhole::recording
