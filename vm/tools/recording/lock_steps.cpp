// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays the lock events of one object, and draws the lock after each.
#include "vm/tools/recording/lock_steps.h"

#include <fmt/format.h>

#include "runtime/sync/picture/reconstruction.h"
#include "vm/tools/recording/rules.h"

namespace keyhole::recording {

using recorder::Entry;
using recorder::Kind;
using recorder::Recording;
using sync::picture::Change;
using sync::picture::Family;
using sync::picture::Picture;
using sync::picture::Reconstruction;

namespace {

bool is_operation(Kind kind) { return row_of(kind).b.type == recorder::FieldType::site && kind != Kind::hash_asked; }
bool begins_with_its_event(Kind kind) { return kind == Kind::lock_exit || kind == Kind::wait_begin; }

class Replay {
 public:
  Replay(const Recording& recording, u32 object, LockSteps& result)
      : recording_(recording), result_(result), lock_(result.family) {
    for (usize i = 0; i < recording.entries.size(); ++i) {
      const Entry& entry = recording.entries[i];
      if (row_of(entry.kind).a.type == recorder::FieldType::object && entry.a == object) about_.push_back(i);
    }
  }

  void run() {
    for (usize place = 0; place < about_.size(); ++place) take(place);
  }

 private:
  const Entry& at(usize place) const { return recording_.entries[about_[place]]; }

  void take(usize place) {
    const Entry& entry = at(place);
    const std::string who = recording_.thread_name(entry.thread);
    switch (entry.kind) {
      case Kind::lock_change: {
        Change change = sync::picture::unpack(entry.detail);
        lock_.change(entry.b, change);
        add(place, sentence_of(entry, change), rule_of(result_.family, change, is_asked_for(place)),
            site_near(place, entry, change));
        return;
      }
      case Kind::lock_enter: {
        const Picture before = lock_.picture();
        lock_.entered(entry.thread);
        u32 levels = lock_.picture().levels;
        bool takes = before.owner != entry.thread;  // by the snippet alone
        add(place,
            levels > 1 ? fmt::format("{} enters again, level {}", who, levels)
            : takes    ? fmt::format("{} takes the lock, which is free", who)
                       : fmt::format("{} has the lock", who),
            takes        ? snippet_rule(result_.family, before.header, true)
            : levels > 1 ? std::string(level_rule(result_.family, before.header))
                         : std::string(),
            entry.b);
        return;
      }
      case Kind::lock_exit: {
        const Picture before = lock_.picture();
        bool more = says_more(place);
        lock_.exited(entry.thread, more);
        bool lets_go = before.owner == entry.thread && lock_.picture().owner == 0;  // by the snippet alone
        add(place,
            lets_go ? fmt::format("{} lets the lock go", who)
            : more  ? fmt::format("{} exits", who)
                    : fmt::format("{} exits one level", who),
            lets_go ? snippet_rule(result_.family, before.header, false)
            : more  ? std::string()
                    : std::string(level_rule(result_.family, before.header)),
            entry.b);
        return;
      }
      case Kind::lock_pairs:
        return add(place, fmt::format("{} has taken it and let it go {} times more", who, entry.b), {}, 0);
      case Kind::wait_begin:
        lock_.waits(entry.thread);
        return add(place, fmt::format("{} begins to wait", who), {}, entry.b);
      case Kind::wait_end:
        lock_.waited(entry.thread);
        return add(place, fmt::format("{} has the lock again, after its wait", who), {}, entry.b);
      case Kind::hash:
        lock_.hashed();
        return add(place, fmt::format("{} asks for the identity hash", who), rule(entry), asked_at(place));
      case Kind::moved:
        return add(place, "a collection moves the object", std::string(rule_of_move(phase_of(about_[place]))), 0);
      case Kind::died: lock_.died(); return add(place, "a collection finds the object dead", rule(entry), 0);
      default: return;
    }
  }
  static std::string rule(const Entry& entry) { return std::string(rule_of(entry.kind)); }
  // Returns the name of the collection phase that was running when the event was recorded.
  std::string phase_of(usize entry) const {
    while (entry-- != 0) {
      if (recording_.entries[entry].kind == Kind::phase) return recording_.text(recording_.entries[entry].a);
    }
    return {};
  }
  void add(usize place, std::string sentence, std::string rule, u32 site) {
    result_.steps.push_back({about_[place], std::move(sentence), std::move(rule), site, lock_.picture()});
  }

  std::string sentence_of(const Entry& entry, const Change& change) const {
    const auto& row = row_of(change.step);
    bool is_about_thread =
        row.owner != sync::picture::OwnerEffect::same || row.queue != sync::picture::ListEffect::same ||
        row.waiters != sync::picture::ListEffect::same || row.successor == sync::picture::SuccessorEffect::subject;
    if (!is_about_thread) return std::string(row.sentence);
    std::string subject = recording_.thread_name(entry.b);
    if (entry.b == entry.thread) return fmt::format("{} {}", subject, row.sentence);
    return fmt::format("{} {} (done by {})", subject, row.sentence, recording_.thread_name(entry.thread));
  }
  // Returns whether a lock_exit event is followed by a separate lock_change event for its effect on the owner, as after
  // an exit in the slow path.
  bool says_more(usize place) const {
    const Entry& exit = at(place);
    for (usize next = place + 1; next < about_.size(); ++next) {
      const Entry& entry = at(next);
      if (entry.thread != exit.thread) continue;
      if (entry.kind != Kind::lock_change) return false;
      auto owner = row_of(sync::picture::unpack(entry.detail).step).owner;
      if (owner == sync::picture::OwnerEffect::nobody) return true;
      if (owner == sync::picture::OwnerEffect::subject) return entry.b != exit.thread;
    }
    return false;
  }

  // Returns whether the program requested this hash. The locking algorithm may also compute one for its own use.
  bool is_asked_for(usize place) const {
    for (usize next = place + 1; next < about_.size(); ++next) {
      if (at(next).thread == at(place).thread) return at(next).kind == Kind::hash;
    }
    return false;
  }

  // Returns the site of the hash request that the thread has begun and not finished, or 0.
  u32 asked_at(usize place) const {
    for (usize other = place; other-- != 0;) {
      if (at(other).thread != at(place).thread) continue;
      if (at(other).kind == Kind::hash_asked) return at(other).b;
      if (at(other).kind == Kind::hash || is_operation(at(other).kind)) return 0;
    }
    return 0;
  }

  // Returns the site of the operation that a step is part of (S2).
  u32 site_near(usize place, const Entry& entry, const Change& change) const {
    using sync::picture::Step;
    // The deflater or a collection does this step, so it has no site in Java code.
    if (change.step == Step::deflated || change.step == Step::unhashed) return 0;
    if (u32 asked = asked_at(place)) return asked;
    auto site = [&](usize other) { return is_operation(at(other).kind) ? at(other).b : 0; };
    u32 before = 0, after = 0;
    bool lets_go = false;
    for (usize other = place; other-- != 0 && before == 0;) {
      if (at(other).thread != entry.thread) continue;
      before = site(other);
      lets_go = before != 0 && begins_with_its_event(at(other).kind);
    }
    for (usize other = place + 1; other < about_.size() && after == 0; ++other) {
      if (at(other).thread == entry.thread) after = site(other);
    }
    bool is_own_gain = entry.b == entry.thread && row_of(change.step).owner != sync::picture::OwnerEffect::nobody;
    if (lets_go && !is_own_gain) return before;
    return after != 0 ? after : before;
  }

  const Recording& recording_;
  LockSteps& result_;
  Reconstruction lock_;
  std::vector<usize> about_;
};

}  // namespace

LockSteps lock_steps_of(const Recording& recording, u32 object, std::string& problem) {
  LockSteps result;
  for (const Entry& entry : recording.entries) {
    if (entry.kind == Kind::lock_mode) result.mode = recording.text(entry.a);
  }
  result.family = sync::picture::family_of(result.mode);
  if (result.mode.empty()) {
    problem = "locks were not recorded from the start of the VM (-XX:StartRecording=)";
  } else if (result.family == Family::none) {
    problem = fmt::format("LockingMode={} has no pictures", result.mode);
  } else {
    Replay(recording, object, result).run();
    if (result.steps.empty()) problem = fmt::format("no event is about the lock of object {}", object);
  }
  return result;
}

}  // namespace keyhole::recording
