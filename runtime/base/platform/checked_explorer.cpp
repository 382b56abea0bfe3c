// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Explores depth first with a cache of states, replays schedules, and writes scripts of them.
#include "runtime/base/platform/checked_explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <utility>

namespace keyhole::checked {

namespace {

using StepSet = u16;
static_assert(step_count <= 16);
constexpr StepSet bit(Step step) { return static_cast<StepSet>(1u << step); }

// A map from the hash of a state to 16 bits about it. Open addressing; grows by doubling.
class StateCache {
 public:
  void clear() {
    keys_.assign(initial, 0);
    values_.assign(initial, 0);
    used_ = 0;
  }
  // Finds the value of the key. *is_new: the key was not there, and the caller has to write the value.
  u16& find(u64 key, bool* is_new) {
    if (key == 0) key = 1;
    if (used_ * 2 >= keys_.size()) grow();
    usize index = key & (keys_.size() - 1);
    while (keys_[index] != 0 && keys_[index] != key) index = (index + 1) & (keys_.size() - 1);
    *is_new = keys_[index] == 0;
    if (*is_new) {
      keys_[index] = key;
      ++used_;
    }
    return values_[index];
  }
  u64 used() const { return used_; }

 private:
  static constexpr usize initial = 1 << 12;
  void grow() {
    std::vector<u64> keys(keys_.size() * 2, 0);
    std::vector<u16> values(keys.size(), 0);
    for (usize i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == 0) continue;
      usize index = keys_[i] & (keys.size() - 1);
      while (keys[index] != 0) index = (index + 1) & (keys.size() - 1);
      keys[index] = keys_[i];
      values[index] = values_[i];
    }
    keys_.swap(keys);
    values_.swap(values);
  }
  std::vector<u64> keys_;
  std::vector<u16> values_;
  u64 used_ = 0;
};

class Search : public Oracle {
 public:
  explicit Search(u32 bound) : bound_(bound) { cache_.clear(); }

  void begin_execution() {
    depth_ = 0;
    preemptions_ = 0;
    sleep_ = 0;
  }
  // Moves to the next execution; false: there is none.
  bool next() {
    while (!path_.empty()) {
      Node& node = path_.back();
      node.done |= bit(node.steps[node.index]);
      ++node.index;
      while (node.index < node.count && (node.skipped & bit(node.steps[node.index])) != 0) ++node.index;
      if (node.index < node.count) return true;
      path_.pop_back();
    }
    return false;
  }
  bool was_cut() const { return was_cut_; }
  u64 states() const { return cache_.used(); }
  u32 preemptions() const { return preemptions_; }

  int choose(Engine& engine, const Choice& choice) override {
    if (choice.count == 1) {
      Step only = choice.steps[0];
      if ((sleep_ & bit(only)) != 0) return prune;
      // The thread that ran could continue, but for its own stores, which have not reached memory.
      if (is_preemption(choice, only)) {
        if (preemptions_ == bound_) return cut();
        ++preemptions_;
      }
      wake_dependents(engine, choice, only);
      return 0;
    }
    if (depth_ == path_.size()) {
      int pruned = arrive(choice);
      if (pruned == prune) return prune;
    }
    Node& node = path_[depth_++];
    Step chosen = node.steps[node.index];
    for (u32 i = 0; i < choice.count; ++i) {
      if (choice.steps[i] != chosen) continue;
      if (is_preemption(choice, chosen)) ++preemptions_;
      sleep_ |= node.done;  // E3
      wake_dependents(engine, choice, chosen);
      return static_cast<int>(i);
    }
    engine.fail("the program under check is not deterministic: the same choices led elsewhere");
    return prune;
  }

 private:
  struct Node {
    Step steps[step_count];
    u8 count = 0, index = 0;
    StepSet done = 0;     // steps explored from here
    StepSet skipped = 0;  // steps that are asleep, or were explored from this state before
  };

  static bool is_preemption(const Choice& choice, Step step) {
    return choice.current_can_go_on && kind_of(step) != StepKind::flush && thread_of(step) != choice.current;
  }
  int cut() {
    was_cut_ = true;
    return prune;
  }

  // Adds a new state to this path, unless it was explored before.
  int arrive(const Choice& choice) {
    u64 key = choice.state;
    StepSet skipped = 0;
    bool is_new;
    if (bound_ == Report::unbounded) {
      u16& asleep = cache_.find(key, &is_new);
      if (is_new) {
        asleep = sleep_;
        skipped = sleep_;
      } else {
        // The state was explored before, except for the steps that were asleep then.
        StepSet again = static_cast<StepSet>(asleep & ~sleep_);
        if (again == 0) return prune;
        skipped = static_cast<StepSet>(~again);
        asleep &= sleep_;
      }
    } else {
      key ^= (u64{choice.current} * 2 + choice.current_can_go_on + 1) * 0x9E3779B97F4A7C15;
      u16& fewest = cache_.find(key, &is_new);
      if (!is_new && fewest <= preemptions_) return prune;  // E2
      fewest = static_cast<u16>(preemptions_);
    }
    Node node;
    node.skipped = skipped;
    for (u32 i = 0; i < choice.count; ++i) {
      if (is_preemption(choice, choice.steps[i]) && preemptions_ == bound_) {
        was_cut_ = true;
        continue;
      }
      node.steps[node.count++] = choice.steps[i];
    }
    while (node.index < node.count && (skipped & bit(node.steps[node.index])) != 0) ++node.index;
    if (node.index == node.count) return prune;
    path_.push_back(node);
    return 0;
  }

  // E3: wakes each sleeping step that does not commute with the chosen step, because it may matter again.
  void wake_dependents(Engine& engine, const Choice& choice, Step taken) {
    if (bound_ != Report::unbounded || sleep_ == 0) {
      if (bound_ != Report::unbounded) sleep_ = 0;
      return;
    }
    Footprint footprint = engine.footprint(taken);
    StepSet kept = 0;
    for (u32 i = 0; i < choice.count; ++i) {
      Step other = choice.steps[i];
      if ((sleep_ & bit(other)) == 0 || thread_of(other) == thread_of(taken)) continue;
      if (commute(footprint, engine.footprint(other))) kept |= bit(other);
    }
    sleep_ = kept;
  }

  u32 bound_;
  std::vector<Node> path_;
  usize depth_ = 0;
  u32 preemptions_ = 0;
  StepSet sleep_ = 0;
  bool was_cut_ = false;
  StateCache cache_;
};

// An Oracle that follows the text of a schedule.
class Replayer : public Oracle {
 public:
  explicit Replayer(const std::string& text) {
    for (usize i = 0; i < text.size();) {
      char c = text[i++];
      if (c >= 'a' && c < 'a' + static_cast<char>(maximum_threads)) {
        steps_.push_back(step_of(StepKind::flush, static_cast<u32>(c - 'a')));
        continue;
      }
      if (c < 'A' || c >= 'A' + static_cast<char>(maximum_threads)) continue;
      u32 thread = static_cast<u32>(c - 'A');
      if (i < text.size() && (text[i] == '!' || text[i] == '?')) {
        steps_.push_back(step_of(text[i++] == '!' ? StepKind::timeout : StepKind::spurious, thread));
        continue;
      }
      usize count = 0;
      while (i < text.size() && text[i] >= '0' && text[i] <= '9')
        count = count * 10 + static_cast<usize>(text[i++] - '0');
      steps_.insert(steps_.end(), count, step_of(StepKind::program, thread));
    }
  }
  int choose(Engine& engine, const Choice& choice) override {
    if (position_ == steps_.size()) {
      // The schedule ends at the finding, so any step may follow.
      return 0;
    }
    Step wanted = steps_[position_++];
    for (u32 i = 0; i < choice.count; ++i) {
      if (choice.steps[i] == wanted) return static_cast<int>(i);
    }
    engine.fail(fmt::format("the schedule does not fit the program: step {} cannot be taken", position_));
    return prune;
  }

 private:
  std::vector<Step> steps_;
  usize position_ = 0;
};

// --- scripts ---------------------------------------------------------------------------------------------------------

std::string_view base_name(std::string_view path) {
  usize slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Opens a source file. Its name is relative to the build folder or to the top of the tree, a folder above the program.
std::ifstream open_source(std::string name) {
  std::ifstream file(name);
  while (!file && name.starts_with("../")) name.erase(0, 3);
  std::error_code error;
  for (std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
       !file && folder.has_relative_path(); folder = folder.parent_path()) {
    file = std::ifstream(folder / name);
  }
  return file;
}

// The text of a source line, trimmed; empty if there is no source.
std::string source_line(const Where& where) {
  static std::map<std::string, std::vector<std::string>> files;
  auto [found, is_new] = files.try_emplace(where.file_name());
  if (is_new) {
    std::ifstream file = open_source(where.file_name());
    for (std::string line; std::getline(file, line);) found->second.push_back(line);
  }
  if (where.line() == 0 || where.line() > found->second.size()) return {};
  std::string line = found->second[where.line() - 1];
  usize comment = line.find("//");
  if (comment != std::string::npos) line.resize(comment);
  usize begin = line.find_first_not_of(' '), end = line.find_last_not_of(' ');
  return begin == std::string::npos ? std::string() : line.substr(begin, end - begin + 1);
}

std::string value_of(const Engine& engine, u64 value, u32 bytes) {
  if (bytes == 8 && Engine::is_arena_address(reinterpret_cast<void*>(value)))
    return engine.name_of(reinterpret_cast<void*>(value));
  if (bytes == 4 && static_cast<i32>(value) < 0 && static_cast<i32>(value) > -1000)
    return fmt::format("{}", static_cast<i32>(value));
  return value < 10'000 ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

void tell(const Engine& engine, const Event& event, std::vector<std::string>& lines) {
  auto values = [&] {
    return fmt::format("{} -> {}", value_of(engine, event.before, event.bytes),
                       value_of(engine, event.after, event.bytes));
  };
  std::string name = event.cell == nullptr ? "" : engine.name_of(event.cell);
  std::string place = fmt::format("{}:{} ", base_name(event.where.file_name()), event.where.line());
  std::string source = source_line(event.where);
  switch (event.action) {
    case Action::note:
    case Action::end: lines.push_back(fmt::format("-- {}", event.text)); return;
    case Action::flush: lines.push_back(fmt::format("~~ reaches memory: {} {}", name, values())); return;
    case Action::load:
      lines.push_back(place + source);
      lines.push_back(fmt::format("   reads {} = {}", name, value_of(engine, event.before, event.bytes)));
      return;
    case Action::spin:
      lines.push_back(place + source);
      lines.push_back(fmt::format("   sees {} = {}{}", name, value_of(engine, event.before, event.bytes),
                                  event.text != nullptr ? ", and spins in vain" : ""));
      return;
    case Action::store:
      lines.push_back(place + source);
      lines.push_back(fmt::format("   writes {} = {} (buffered)", name, value_of(engine, event.after, event.bytes)));
      return;
    case Action::rmw:
      lines.push_back(place + source);
      lines.push_back(event.text != nullptr
                          ? fmt::format("   fails: {} = {}", name, value_of(engine, event.before, event.bytes))
                          : fmt::format("   {} {}", name, values()));
      return;
    default:
      lines.push_back(place + source);
      if (event.text != nullptr) lines.push_back(fmt::format("   {}{}{}", name, name.empty() ? "" : ": ", event.text));
      return;
  }
}

std::string make_script(const Engine& engine, u32 threads, const std::vector<Event>& trace, const std::string& what) {
  usize width = threads <= 2 ? 76 : 56;
  std::string script;
  for (u32 id = 0; id < threads; ++id) script += fmt::format("{:<{}}", static_cast<char>('A' + id), width);
  script += '\n';
  u32 last = ~0u;
  for (const Event& event : trace) {
    if (event.thread >= threads) continue;
    std::vector<std::string> lines;
    tell(engine, event, lines);
    if (event.thread != last && last != ~0u) script += '\n';
    last = event.thread;
    for (std::string& line : lines) {
      if (line.size() > width - 2 && event.thread + 1 < threads) line.resize(width - 2);
      script += fmt::format("{:{}}{}\n", "", event.thread * width, line);
    }
  }
  script += fmt::format("\n=> {}\n", what);
  return script;
}

}  // namespace

Finding replay(Program& program, const std::string& schedule) {
  Engine& engine = Engine::instance();
  Replayer replayer(schedule);
  std::vector<Event> trace;
  const bool before = std::exchange(engine.stores_at_once, false);  // the schedule has the flushes of stores
  engine.execute(program, replayer, true, &trace);
  engine.stores_at_once = before;
  Finding finding{.what = engine.failure(), .schedule = schedule, .script = {}, .preemptions = 0};
  finding.script =
      make_script(engine, program.thread_count(), trace, finding.what.empty() ? "nothing wrong" : finding.what);
  return finding;
}

Report explore(Program& program, const Limits& limits) {
  Engine& engine = Engine::instance();
  engine.forget_shared_cells();
  engine.stores_at_once = limits.stores_at_once;
  Report report;
  u64 operations_before = engine.operations();
  // Explores with this bound. True: it was explored completely. A finding ends the exploration.
  auto explore_bound = [&](u32 bound, bool* was_cut) {
    const u64 most =
        bound <= 1 || engine.stores_at_once ? std::max(limits.states, limits.states_to_one_preemption) : limits.states;
    for (;;) {
      Search search(bound);
      bool restarts = false;
      do {
        search.begin_execution();
        Outcome outcome = engine.execute(program, search);
        ++report.executions;
        if (outcome == Outcome::failed) {
          std::string what = engine.failure();
          Finding finding = replay(program, engine.schedule());
          finding.preemptions = search.preemptions();
          if (finding.what != what) {
            // At least the choices of the search lead to the failure again.
            std::vector<Event> trace;
            search.begin_execution();
            engine.execute(program, search, false, &trace);
            finding.script = make_script(engine, program.thread_count(), trace, engine.failure());
            finding.what = fmt::format(
                "{}; but not when its schedule is replayed: the program under check is not deterministic", what);
          }
          report.finding = std::move(finding);
          return false;
        }
        restarts = engine.take_news();  // checked_engine.h M2
        if (!restarts && search.states() > most) {
          report.states += search.states();
          return false;
        }
      } while (!restarts && search.next());
      if (restarts) continue;
      report.states += search.states();
      *was_cut = search.was_cut();
      return true;
    }
  };
  bool was_cut = true;
  for (u32 bound = 0; bound <= limits.preemptions && was_cut; ++bound) {
    // Bounds are tried from below. Where few preemptions give few states, all interleavings may be feasible as well
    // (below), for which sleep sets make the exploration cheaper.
    if (!explore_bound(bound, &was_cut)) {
      report.ran_out = !report.finding.has_value();
      break;
    }
    report.bound = was_cut ? bound : Report::unbounded;
  }
  if (was_cut && !report.ran_out && !report.finding) {
    bool cut = false;
    if (explore_bound(Report::unbounded, &cut)) report.bound = Report::unbounded;
    else report.ran_out = !report.finding.has_value();
  }
  if (report.ran_out && report.bound < limits.wanted_preemptions) {  // E5
    engine.stores_at_once = true;
    engine.forget_shared_cells();
    for (u32 bound = report.bound + 1; bound <= limits.wanted_preemptions && explore_bound(bound, &was_cut); ++bound)
      report.bound_at_once = bound;
    engine.stores_at_once = false;
    if (report.finding) report.ran_out = false;
  }
  engine.stores_at_once = false;
  report.operations = engine.operations() - operations_before;
  return report;
}

}  // namespace keyhole::checked
