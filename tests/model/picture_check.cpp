// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the recorded picture of a lock with the lock in memory.
#include "tests/model/picture_check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "runtime/base/print.h"
#include "runtime/sync/picture/reconstruction.h"

namespace keyhole::model {

namespace {

using sync::picture::Family;
using sync::picture::Reconstruction;

u64 compared = 0;
FILE* output = nullptr;

Family family_of_subject(std::string_view name) {
  for (;;) {
    Family family = sync::picture::family_of(name);
    usize dash = name.rfind('-');
    if (family != Family::none || dash == std::string_view::npos) return family;
    name = name.substr(0, dash);
  }
}

// The events that a recording would have of one lock. The time of an exit is taken before the exit; the time of any
// other event is taken after it (recorded.cpp).
class Recorded {
 public:
  explicit Recorded(Family family) : reconstruction_(family) {}

  void changed(u32 thread, u32 subject, sync::picture::Change change) {
    const auto& row = row_of(change.step);
    if (row.owner != sync::picture::OwnerEffect::same) says_more_[thread] = true;
    add({.time = ++now_, .is_change = true, .thread = subject, .change = change});
  }
  void begins(u32 thread) {
    began_[thread] = ++now_;
    says_more_[thread] = false;
  }
  void operated(Listener::Operation operation, u32 thread) {
    bool is_exit = operation == Listener::Operation::exited;
    add({.time = is_exit ? began_[thread] : ++now_,
         .operation = operation,
         .thread = thread,
         .says_more = says_more_[thread]});
  }
  // Called while no thread is in the middle of an operation, so no event with an earlier time can follow.
  const sync::picture::Picture& picture() {
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
    for (const Entry& entry : entries_) replay(entry);
    entries_.clear();
    return reconstruction_.picture();
  }

 private:
  struct Entry {
    u64 time;
    bool is_change = false;
    Listener::Operation operation{};
    u32 thread;
    sync::picture::Change change{};
    bool says_more = false;
  };
  void add(const Entry& entry) { entries_.push_back(entry); }
  void replay(const Entry& entry) {
    if (entry.is_change) return reconstruction_.change(entry.thread, entry.change);
    switch (entry.operation) {
      case Listener::Operation::entered: return reconstruction_.entered(entry.thread);
      case Listener::Operation::exited: return reconstruction_.exited(entry.thread, entry.says_more);
      case Listener::Operation::waits: return reconstruction_.waits(entry.thread);
      case Listener::Operation::waited: return reconstruction_.waited(entry.thread);
      case Listener::Operation::hashed: return reconstruction_.hashed();
    }
  }

  Reconstruction reconstruction_;
  std::vector<Entry> entries_;
  u64 now_ = 0;
  std::map<u32, u64> began_;
  std::map<u32, bool> says_more_;
};

class PictureProgram : public ScenarioProgram, public Listener {
 public:
  PictureProgram(Family family, const Scenario& scenario, LockUnderTest& lock)
      : ScenarioProgram(scenario, lock), family_(family), lock_(lock), objects_(scenario.objects) {}
  ~PictureProgram() override { CheckedMachine::listener = nullptr; }

  void set_up() override {
    told_.assign(objects_, Reconstruction(family_));
    recorded_.assign(objects_, Recorded(family_));
    steps_.clear();
    CheckedMachine::listener = this;
    ScenarioProgram::set_up();
  }
  void finish() override {
    if (std::string wrong = look_between_steps(false); !wrong.empty()) return CheckedMachine::fail(wrong);
    if (output != nullptr) {
      std::string table;
      for (const auto& row : sync::picture::step_rows)
        table += fmt::format("{}[\"{}\",\"{}\",\"{}\",\"{}\",\"{}\",\"{}\"]", table.empty() ? "" : ",", row.name,
                             name_of(row.owner), name_of(row.queue), name_of(row.waiters), name_of(row.successor),
                             row.sentence);
      print_text(output, "{{\"family\":\"{}\",\"objects\":{},\"table\":[{}],\"steps\":[{}]}}\n",
                 sync::picture::name_of(family_), objects_, table, steps_);
    }
    ScenarioProgram::finish();
  }
  void tear_down() override {
    CheckedMachine::listener = nullptr;
    ScenarioProgram::tear_down();
  }

  std::string look_between_steps(bool stores_are_held) override {
    if (stores_are_held) return {};
    for (u32 i = 0; i < objects_; ++i) {
      sync::picture::Sight seen = lock_.sight(i);
      ++compared;
      if (std::string wrong = difference(family_, seen, told_[i].picture()); !wrong.empty())
        return fmt::format("object {}: {}", static_cast<char>('x' + i), wrong);
      if (lock_.is_in_use(i)) continue;
      if (std::string wrong = difference(family_, seen, recorded_[i].picture()); !wrong.empty())
        return fmt::format("object {}, from a recording: {}", static_cast<char>('x' + i), wrong);
    }
    return {};
  }

  // --- Listener ------------------------------------------------------------------------------------------------------
  void begins(u32 object, u32 thread) override { recorded_[object].begins(thread); }
  void changed(u32 object, u32 thread, sync::picture::Change change, u32 subject, bool in_snippet) override {
    told_[object].change(subject, change);
    tell(object, "change", subject, pack(change));
    if (!in_snippet) recorded_[object].changed(thread, subject, change);
  }
  void operated(u32 object, Operation operation, u32 thread) override {
    Reconstruction& told = told_[object];
    if (operation == Operation::waits && told.picture().owner != thread) return;  // the wait will throw
    recorded_[object].operated(operation, thread);
    constexpr std::string_view names[] = {"entered", "exited", "waits", "waited", "hashed"};
    switch (operation) {
      case Operation::entered: told.entered(thread); break;
      case Operation::exited: told.exited(thread); break;
      case Operation::waits: told.waits(thread); break;
      case Operation::waited: told.waited(thread); break;
      case Operation::hashed: told.hashed(); break;
    }
    tell(object, names[static_cast<u32>(operation)], thread, 0);
  }
  void died(u32 object) override {
    told_[object].died();
    recorded_[object] = Recorded(family_);
    tell(object, "died", 0, 0);
  }

 private:
  void tell(u32 object, std::string_view what, u32 thread, u32 packed) {
    if (output == nullptr) return;
    const sync::picture::Picture& now = told_[object].picture();
    steps_ += fmt::format(
        "{}{{\"object\":{},\"what\":\"{}\",\"thread\":{},\"packed\":{},\"picture\":{{\"header\":{},\"owner\":{},"
        "\"levels\":{},\"queue\":[{}],\"waiters\":[{}],\"successor\":{},\"isHashed\":{},\"isTabled\":{}}}}}",
        steps_.empty() ? "" : ",", object, what, thread, packed, now.header.bits, now.owner, now.levels,
        fmt::join(now.queue, ","), fmt::join(now.waiters, ","), now.successor, now.is_hashed, now.is_tabled);
  }

  Family family_;
  LockUnderTest& lock_;
  u32 objects_;
  std::vector<Reconstruction> told_;
  std::vector<Recorded> recorded_;
  std::string steps_;  // the steps so far, as JSON
};

}  // namespace

std::unique_ptr<checked::Program> make_picture_program(std::string_view subject, const Scenario& scenario,
                                                       LockUnderTest& lock) {
  Family family = family_of_subject(subject);
  if (family == Family::none) return nullptr;
  return std::make_unique<PictureProgram>(family, scenario, lock);
}

u64 pictures_compared() { return compared; }
void tell_executions(FILE* out) { output = out; }

}  // namespace keyhole::model
