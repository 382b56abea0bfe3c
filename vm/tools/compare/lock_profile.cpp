// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes three passes over a recording. The first counts acquisitions and waits of all objects. The second collects
// threads, source lines and times of the hottest objects. The third counts acquisitions while threads compete.
#include "vm/tools/compare/lock_profile.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/recorder/recording_file.h"
#include "vm/tools/recording/competition.h"
#include "vm/tools/recording/events_by_thread.h"
#include "vm/tools/recording/hottest.h"
#include "vm/tools/recording/show.h"

namespace keyhole::compare {

using recorder::Event;
using recorder::Kind;
using recorder::RecordingFile;

namespace {

constexpr usize hot_count = 3;

struct Totals {  // the totals of an object
  u64 enters = 0, contended = 0;
  i64 waited_ns = 0;
  u32 class_name = 0;  // the number of a text
  bool is_monitor = true;
};

struct Hot {
  recording::Competition competition;
  std::unordered_map<u32, u64> sites;
};

bool is_of_profile(Kind kind) {
  switch (kind) {
    case Kind::object:
    case Kind::inflate:
    case Kind::lock_step:
    case Kind::lock_contended:
    case Kind::lock_enter:
    case Kind::lock_exit:
    case Kind::lock_refused:
    case Kind::wait_end:
    case Kind::synchronizer_acquired:
    case Kind::park:
    case Kind::notify: return true;
    default: return false;
  }
}

class Profiler {
 public:
  explicit Profiler(RecordingFile& file) : file_(file), events_(file, is_of_profile) {}

  LockProfile run() {
    events_.for_each([this](u32 thread, const Event& event, i64 now) { total(thread, event, now); });
    std::ranges::sort(profile_.waited_ns);
    choose_hot();
    events_.for_each([this](u32 thread, const Event& event, i64 now) {
      if (Hot* hot = hot_of(event)) note_taker(*hot, thread, event, now);
    });
    for (auto& [number, hot] : hot_) hot.competition.find();
    events_.for_each([this](u32 thread, const Event& event, i64 now) {
      if (Hot* hot = hot_of(event)) hot->competition.count(thread, now);
    });
    for (HotObject& object : profile_.hot) describe(object);
    return std::move(profile_);
  }

 private:
  Totals& totals_of(u32 object) {
    if (object > file_.largest_table()) object = 0;  // the file is damaged
    if (object >= objects_.size()) objects_.resize(std::max<usize>(usize{object} + 1, objects_.size() * 2));
    return objects_[object];
  }

  void total(u32 thread, const Event& event, i64 now) {
    if (thread != thread_) thread_ = thread, parks_ = 0, waits_for_ = 0;
    switch (static_cast<Kind>(event.kind)) {
      case Kind::object: totals_of(event.a).class_name = event.b; break;
      case Kind::inflate: ++profile_.inflations[std::string(recording::cause_name(event.detail))]; break;
      case Kind::lock_step:
        if (event.detail == static_cast<u32>(LockCounter::parks)) parks_ += event.a;
        break;
      case Kind::lock_contended:
        ++profile_.contended;
        ++totals_of(event.a).contended;
        waits_for_ = event.a;
        waits_since_ = now;
        break;
      case Kind::lock_enter:
        ++profile_.enters;
        if (acquired(event.a, now)) profile_.waited_ns.push_back(now - waits_since_);
        woke_up();
        break;
      case Kind::park:
        if (waits_for_ == event.a) break;  // parks again
        waits_for_ = event.a;
        waits_since_ = now;
        break;
      case Kind::synchronizer_acquired:
        totals_of(event.a).is_monitor = false;
        if (acquired(event.a, now)) ++totals_of(event.a).contended;
        break;
      case Kind::wait_end:
        ++profile_.waits;
        woke_up();
        break;
      case Kind::lock_exit:
      case Kind::lock_refused:
      case Kind::notify: parks_ = 0; break;
      default: break;
    }
  }
  // Counts an acquisition, and returns whether the thread has waited for it.
  bool acquired(u32 object, i64 now) {
    Totals& totals = totals_of(object);
    ++totals.enters;
    const bool has_waited = waits_for_ == object && object != 0;
    if (has_waited) totals.waited_ns += now - waits_since_;
    waits_for_ = 0;
    return has_waited;
  }
  // Ends an operation that may have slept. Every wake-up of the operation except the last one was futile.
  void woke_up() {
    if (parks_ > 1) profile_.futile_wake_ups += parks_ - 1;
    parks_ = 0;
  }

  void choose_hot() {
    std::vector<u32> numbers;
    std::unordered_map<u32, HotClass> classes;
    for (u32 i = 0; i < objects_.size(); ++i) {
      if (objects_[i].enters == 0) continue;
      numbers.push_back(i);
      if (!objects_[i].is_monitor) continue;
      HotClass& hot = classes[objects_[i].class_name];
      hot.enters += objects_[i].enters;
      ++hot.objects;
    }
    for (const auto& [name, hot] : classes) {
      if (hot.enters > profile_.hot_class.enters) profile_.hot_class = {file_.texts[name], hot.enters, hot.objects};
    }
    recording::keep_hottest(
        numbers, hot_count, [this](u32 number) { return objects_[number].waited_ns; },
        [this](u32 number) { return objects_[number].enters; });
    for (u32 number : numbers) {
      const Totals& totals = objects_[number];
      hot_[number];
      profile_.hot.push_back({.number = number,
                              .class_name = recording::shown_class(file_.texts[totals.class_name]),
                              .site = {},
                              .enters = totals.enters,
                              .contended = totals.contended,
                              .waited_ns = totals.waited_ns,
                              .threads = 0,
                              .jain = {}});
    }
  }
  // Returns the hot object whose lock the event acquires, or null if the event is not an enter of a hot object.
  Hot* hot_of(const Event& event) {
    const Kind kind = static_cast<Kind>(event.kind);
    if (kind != Kind::lock_enter && kind != Kind::synchronizer_acquired) return nullptr;
    auto found = hot_.find(event.a);
    return found == hot_.end() ? nullptr : &found->second;
  }
  static void note_taker(Hot& hot, u32 thread, const Event& event, i64 now) {
    hot.competition.note(thread, now);
    ++hot.sites[event.b];
  }
  void describe(HotObject& object) {
    const Hot& hot = hot_[object.number];
    object.threads = static_cast<u32>(hot.competition.takers().size());
    auto most = std::ranges::max_element(hot.sites, {}, [](const auto& site) { return site.second; });
    if (most != hot.sites.end()) object.site = file_.texts[most->first];
    object.jain = hot.competition.jain();
  }

  RecordingFile& file_;
  recording::EventsByThread events_;
  LockProfile profile_;
  std::vector<Totals> objects_;  // by number
  std::unordered_map<u32, Hot> hot_;
  // The thread whose events the pass is reading, and its data.
  u32 thread_ = 0;
  u64 parks_ = 0;
  u32 waits_for_ = 0;
  i64 waits_since_ = 0;
};

}  // namespace

LockProfile profile_of(const std::string& recording, std::string& problem) {
  RecordingFile file(recording);
  problem = file.problem;
  if (!problem.empty()) return {};
  LockProfile profile = Profiler(file).run();
  problem = file.problem;
  return profile;
}

}  // namespace keyhole::compare
