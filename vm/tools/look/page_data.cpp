// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the page's head (JSON) and its tables.
#include "vm/tools/look/page_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "gc/heap/region.h"
#include "runtime/base/shown_text.h"
#include "runtime/sync/picture/picture.h"
#include "vm/tools/look/collections.h"
#include "vm/tools/look/columns.h"
#include "vm/tools/look/levels.h"
#include "vm/tools/look/lock_figures.h"
#include "vm/tools/recording/findings.h"
#include "vm/tools/recording/rules.h"
#include "vm/tools/recording/show.h"

namespace keyhole::look {

namespace {

using recorder::Entry;
using recorder::Field;
using recorder::FieldType;
using recorder::Kind;
using recorder::Recording;

constexpr usize rows_of_block = 1 << 16, slices_of_block = 1 << 14;

constexpr std::string_view type_names[] = {"nothing", "object",  "site",   "thread", "text",   "number",
                                           "bytes",   "address", "word",   "cause",  "status", "state",
                                           "step",    "yes_no",  "region", "change", "exit",   "stack"};
static_assert(std::size(type_names) == static_cast<usize>(FieldType::stack) + 1);

std::string json_list(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ",")); }
std::string json_of(Instance instance) { return fmt::format("[{},{}]", instance.amount, instance.event); }

class Builder {
 public:
  Builder(const Recording& recording, const About& about) : recording_(recording), about_(about) {
    if (recording_.entries.empty()) return;
    begin_ = recording_.entries.front().nanoseconds;
    end_ = recording_.entries.back().nanoseconds;
  }

  PageData build() {
    data_.blocks.emplace_back();  // reserves block 0 for the head, which is complete only at the end
    add("texts", fmt::format("{}", add_block(pack(texts()))));
    Slices slices = slices_of(recording_);
    add_findings();
    add_threads(slices.threads);
    add_levels(levels_of(std::move(slices.all), end_ - begin_));
    add_collections();
    add_regions();
    LockFigures figures = lock_figures_of(recording_);
    add_numbers(figures);
    add_code();
    add_samples();
    add_listings();
    add_objects(figures);
    add_events();
    add_kinds();
    add_pictures();
    add("program", json_text(about_.program));
    add("mode", json_text(about_.mode.empty() ? recorded_mode() : about_.mode));
    add("source", fmt::format("[{},{}]", json_text(about_.source_name), json_text(about_.source)));
    add("complete", recording_.complete ? "true" : "false");
    add("problem", json_text(recording_.problem));
    add("begin", fmt::format("{}", begin_));
    add("end", fmt::format("{}", end_));
    add("count", fmt::format("{}", recording_.entries.size()));
    data_.blocks.front() = pack(fmt::format("{{{}}}", fmt::join(head_, ",\n")));
    return std::move(data_);
  }

 private:
  void add(std::string_view name, std::string_view json) { head_.push_back(fmt::format("\"{}\":{}", name, json)); }
  usize add_block(std::string packed) {
    data_.blocks.push_back(std::move(packed));
    return data_.blocks.size() - 1;
  }

  // Removes zero characters from a text, because the page splits the list of texts at zero characters.
  static std::string text_without_ends(std::string_view text) {
    std::string valid = valid_utf8(text);
    std::erase(valid, '\0');
    return valid;
  }
  std::string texts() const {
    u32 last = 0;
    for (const auto& [number, text] : recording_.texts) last = std::max(last, number);
    std::string all;
    for (u32 i = 0; i <= last; ++i) all += i == 0 ? "" : text_without_ends(recording_.text(i)), all += '\0';
    return all;
  }

  void add_kinds() {
    // For each kind of event: the values of the field `detail` that occur in the recording, with their words.
    std::vector<std::map<u32, std::string>> words(recorder::kind_count);
    for (const Entry& entry : recording_.entries) {
      const Field& detail = row_of(entry.kind).detail;
      if (detail.type == FieldType::nothing || detail.type == FieldType::number) continue;
      std::map<u32, std::string>& known = words[static_cast<usize>(entry.kind)];
      if (!known.contains(entry.detail)) known[entry.detail] = recording::fields_of(recording_, entry).back().text;
    }
    std::vector<std::string> kinds;
    for (usize i = 0; i < recorder::kind_count; ++i) {
      const recorder::Row& row = recorder::rows[i];
      auto field = [](const Field& each) {
        return fmt::format("[\"{}\",\"{}\"]", type_names[static_cast<usize>(each.type)], each.name);
      };
      std::vector<std::string> details;
      for (const auto& [value, word] : words[i]) details.push_back(fmt::format("\"{}\":{}", value, json_text(word)));
      kinds.push_back(
          fmt::format("{{\"name\":\"{}\",\"family\":\"{}\",\"sentence\":{},\"rule\":\"{}\","
                      "\"fields\":[{},{},{}],\"words\":{{{}}}}}",
                      row.name, recorder::family_rows[static_cast<u32>(row.family)].name, json_text(row.sentence),
                      recording::rule_of(static_cast<Kind>(i)), field(row.a), field(row.b), field(row.detail),
                      fmt::join(details, ",")));
    }
    add("kinds", json_list(kinds));
  }

  // Returns the locking mode that the recording names; empty, if it has no events of locks.
  std::string recorded_mode() const {
    auto named = std::ranges::find(recording_.entries, Kind::lock_mode, &Entry::kind);
    return named == recording_.entries.end() ? "" : std::string(recording_.text(named->a));
  }

  // Writes the table of lock steps, from which the page draws a lock, and the rules that allow the steps.
  void add_pictures() {
    add("moves", fmt::format("{{\"{}\":\"{}\",\"\":\"{}\"}}", recording::sliding_phase,
                             recording::rule_of_move(recording::sliding_phase), recording::rule_of_move("")));
    std::map<u32, std::string> changes;
    for (const Entry& entry : recording_.entries) {
      if (entry.kind == Kind::lock_change) changes[entry.detail];
    }
    sync::picture::Family family = sync::picture::family_of(recorded_mode());
    if (family == sync::picture::Family::none) return;
    std::vector<std::string> steps, rules, takes, lets_go, level;
    for (const sync::picture::StepRow& row : sync::picture::step_rows)
      steps.push_back(fmt::format("[\"{}\",\"{}\",\"{}\",\"{}\",\"{}\",{}]", row.name, name_of(row.owner),
                                  name_of(row.queue), name_of(row.waiters), name_of(row.successor),
                                  json_text(row.sentence)));
    for (const auto& [detail, none] : changes)
      rules.push_back(
          fmt::format("\"{}\":\"{}\"", detail, recording::rule_of(family, sync::picture::unpack(detail), false)));
    for (u8 header = 0; header < 32; ++header) {  // HeaderState::bits
      takes.push_back(json_text(recording::snippet_rule(family, {header}, true)));
      lets_go.push_back(json_text(recording::snippet_rule(family, {header}, false)));
      level.push_back(json_text(recording::level_rule(family, {header})));
    }
    add("pictures", fmt::format("{{\"family\":\"{}\",\"steps\":{},\"rules\":{{{}}},\"takes\":{},\"lets_go\":{},"
                                "\"level\":{}}}",
                                sync::picture::name_of(family), json_list(steps), fmt::join(rules, ","),
                                json_list(takes), json_list(lets_go), json_list(level)));
  }

  void add_findings() {
    std::vector<std::string> rows;
    for (const recording::Finding& each : recording::findings_of(recording_)) rows.push_back(recording::json_of(each));
    add("findings", json_list(rows));
  }

  // Lists the threads: the program's platform threads, its virtual threads, and the others.
  void add_threads(const std::vector<Life>& threads) {
    recording::OwnThreads own_threads(recording_);
    std::vector<std::string> own, in_carriers, others;
    for (const Life& life : threads) {
      const bool is_virtual = own_threads.has_virtual(life.id), is_own = own_threads.has(life.id);
      (is_virtual ? in_carriers
       : is_own   ? own
                  : others)
          .push_back(fmt::format("[{},{},{},{},{},{},{}]", life.id, json_text(recording_.thread_name(life.id)),
                                 life.begin, life.end, life.events, is_own ? 1 : 0, is_virtual ? 1 : 0));
    }
    own.insert(own.end(), in_carriers.begin(), in_carriers.end());
    own.insert(own.end(), others.begin(), others.end());
    add("threads", json_list(own));
  }

  void add_levels(const std::vector<Level>& levels) {
    std::vector<std::string> rows;
    for (const Level& level : levels) {
      rows.push_back(fmt::format("{{\"width\":{},\"blocks\":{}}}", level.width, blocks_of(level.all)));
      if (&level == &levels.front()) data_.drawn_at_once = data_.blocks.size();
    }
    add("levels", json_list(rows));
  }
  // Lists the blocks of slices as [block, from, until, rows]. A block has all slices that overlap its time, so a slice
  // may be in several blocks.
  std::string blocks_of(const std::vector<Slice>& all) {
    std::vector<std::string> blocks;
    std::vector<Slice> rows;
    i64 from = begin_;
    for (usize next = 0; next < all.size();) {
      usize until = std::min(next + slices_of_block, all.size());
      rows.insert(rows.end(), all.begin() + static_cast<i64>(next), all.begin() + static_cast<i64>(until));
      i64 time = until == all.size() ? end_ : all[until].begin;
      blocks.push_back(fmt::format("[{},{},{},{}]", add_block(packed(rows)), from, time, rows.size()));
      std::erase_if(rows, [time](const Slice& each) { return each.end <= time; });
      from = time;
      next = until;
    }
    return json_list(blocks);
  }
  static std::string packed(const std::vector<Slice>& rows) {
    Columns columns(rows.size());
    columns.add_differences(6, [&](usize i) { return rows[i].begin; })
        .add(6, [&](usize i) { return rows[i].length(); })
        .add(4, [&](usize i) { return rows[i].thread; })
        .add(1, [&](usize i) { return static_cast<u32>(rows[i].doing); })
        .add(4, [&](usize i) { return rows[i].object; })
        .add(4, [&](usize i) { return rows[i].owner; })
        .add(4, [&](usize i) { return rows[i].site; })
        .add(4, [&](usize i) { return rows[i].owner_site; })
        .add_differences(4, [&](usize i) { return rows[i].event; });
    for (usize share = 0; share < 4; ++share) columns.add(1, [&](usize i) { return rows[i].shares[share]; });
    return columns.packed();
  }

  void add_events() {
    const std::vector<Entry>& entries = recording_.entries;
    std::vector<std::string> blocks;
    for (usize from = 0; from < entries.size(); from += rows_of_block) {
      usize count = std::min(rows_of_block, entries.size() - from);
      auto entry = [&](usize i) -> const Entry& { return entries[from + i]; };
      Columns columns(count);
      columns.add_differences(6, [&](usize i) { return entry(i).nanoseconds; })
          .add(4, [&](usize i) { return entry(i).thread; })
          .add(1, [&](usize i) { return static_cast<u32>(entry(i).kind); })
          .add(2, [&](usize i) { return entry(i).detail; })
          .add_differences(4, [&](usize i) { return entry(i).a; })
          .add_differences(4, [&](usize i) { return entry(i).b; });
      blocks.push_back(fmt::format("[{},{},{},{}]", add_block(columns.packed()), entry(0).nanoseconds,
                                   entry(count - 1).nanoseconds, count));
    }
    add("events", json_list(blocks));
  }

  void add_objects(const LockFigures& figures) {
    const std::vector<ObjectFigures>& all = figures.objects;
    std::vector<std::string> blocks;
    for (usize from = 0; from < all.size(); from += rows_of_block) {
      usize count = std::min(rows_of_block, all.size() - from);
      auto object = [&](usize i) -> const ObjectFigures& { return all[from + i]; };
      Columns columns(count);
      columns.add_differences(4, [&](usize i) { return class_of(from + i); })
          .add(4, [&](usize i) { return object(i).events; })
          .add_differences(4, [&](usize i) { return object(i).first_event; })
          .add_differences(4, [&](usize i) { return object(i).last_event; })
          .add(4, [&](usize i) { return object(i).enters; })
          .add(4, [&](usize i) { return object(i).contended; })
          .add(4, [&](usize i) { return object(i).waits; })
          .add(4, [&](usize i) { return object(i).inflations; })
          .add(6, [&](usize i) { return object(i).waited; });
      blocks.push_back(fmt::format("[{},{}]", add_block(columns.packed()), count));
    }
    add("objects", json_list(blocks));
  }
  u32 class_of(usize object) const {
    auto found = recording_.class_of.find(static_cast<u32>(object));
    return found == recording_.class_of.end() ? 0 : found->second;
  }

  void add_code() {
    std::vector<usize> rows;
    for (usize i = 0; i < recording_.entries.size(); ++i) {
      Kind kind = recording_.entries[i].kind;
      if (kind == Kind::compiled || kind == Kind::retired) rows.push_back(i);
    }
    Columns columns(rows.size());
    auto entry = [&](usize i) -> const Entry& { return recording_.entries[rows[i]]; };
    columns.add_differences(6, [&](usize i) { return entry(i).nanoseconds; })
        .add(1, [&](usize i) { return entry(i).kind == Kind::retired ? 1 : 0; })
        .add(4, [&](usize i) { return entry(i).a; })
        .add(4, [&](usize i) { return entry(i).b; })
        .add(1, [&](usize i) { return entry(i).detail; })
        .add(4, [&](usize i) { return entry(i).thread; })
        .add_differences(4, [&](usize i) { return rows[i]; });
    add("code", fmt::format("{}", add_block(columns.packed())));
    add_changes_of_tier();
  }

  // Adds the places where frames changed between compiled code and the interpreter, other than by calls and returns.
  void add_changes_of_tier() {
    std::vector<usize> rows;
    for (usize i = 0; i < recording_.entries.size(); ++i) {
      Kind kind = recording_.entries[i].kind;
      if (kind == Kind::deoptimized || kind == Kind::loop_entered) rows.push_back(i);
    }
    Columns columns(rows.size());
    auto entry = [&](usize i) -> const Entry& { return recording_.entries[rows[i]]; };
    columns.add_differences(6, [&](usize i) { return entry(i).nanoseconds; })
        .add(1, [&](usize i) { return entry(i).kind == Kind::deoptimized ? 1 : 0; })
        .add(4, [&](usize i) { return entry(i).b; })
        .add(4, [&](usize i) { return entry(i).a; })
        .add(2, [&](usize i) { return entry(i).detail; })
        .add(4, [&](usize i) { return entry(i).thread; })
        .add_differences(4, [&](usize i) { return rows[i]; });
    add("tierChanges", fmt::format("{}", add_block(columns.packed())));
  }

  void add_samples() {
    std::vector<usize> rows;
    for (usize i = 0; i < recording_.entries.size(); ++i) {
      if (recording_.entries[i].kind == Kind::execution_sample) rows.push_back(i);
    }
    Columns columns(rows.size());
    auto entry = [&](usize i) -> const Entry& { return recording_.entries[rows[i]]; };
    columns.add_differences(6, [&](usize i) { return entry(i).nanoseconds; })
        .add(4, [&](usize i) { return entry(i).thread; })
        .add(4, [&](usize i) { return entry(i).a; })
        .add_differences(4, [&](usize i) { return rows[i]; });
    add("samples", fmt::format("{}", add_block(columns.packed())));
  }

  // Adds a JSON block for each method, with its listings by event.
  void add_listings() {
    if (about_.listings.all.empty()) return;
    std::vector<std::string> methods;
    for (const auto& [method, listings] : by_event(recording_, about_.listings)) {
      std::vector<std::string> codes;
      for (const auto& [event, listing] : listings)
        codes.push_back(
            fmt::format("{{\"event\":{},\"level\":{},\"source\":{},\"bytecode\":{},\"assembly\":{},"
                        "\"graph\":{}}}",
                        event, listing->level, json_text(listing->source), json_text(listing->bytecode),
                        json_text(listing->assembly), json_text(listing->graph)));
      methods.push_back(fmt::format("[{},{}]", method, add_block(pack(json_list(codes)))));
    }
    add("listings", fmt::format("{{\"full\":{},\"methods\":{}}}", about_.listings.is_full, json_list(methods)));
  }

  // Adds each change of a region, and the largest number of regions that the heap may have.
  void add_regions() {
    std::vector<usize> rows;
    u32 count = 0, bytes = 0;
    for (usize i = 0; i < recording_.entries.size(); ++i) {
      const Entry& entry = recording_.entries[i];
      if (entry.kind == Kind::region) rows.push_back(i);
      constexpr u32 most_regions = 1 << 22;  // limits the number of regions for which the page allocates memory
      if (entry.kind == Kind::heap_layout) count = std::min(entry.a, most_regions), bytes = entry.b;
    }
    Columns columns(rows.size());
    auto entry = [&](usize i) -> const Entry& { return recording_.entries[rows[i]]; };
    columns.add_differences(6, [&](usize i) { return entry(i).nanoseconds; })
        .add(4, [&](usize i) { return entry(i).a; })
        .add(4, [&](usize i) { return entry(i).b; })
        .add(2, [&](usize i) { return entry(i).detail; })
        .add(1, [&](usize i) { return static_cast<u32>(gc::unpack_region_change(entry(i).detail).to); })
        .add(1, [&](usize i) { return static_cast<u32>(gc::unpack_region_change(entry(i).detail).generation); })
        .add_differences(4, [&](usize i) { return rows[i]; });
    add("regions", fmt::format("[{},{},{}]", add_block(columns.packed()), count, bytes));
  }

  void add_collections() {
    Collections found = collections_of(recording_);
    std::vector<std::string> pauses, safepoints;
    for (const Pause& pause : found.pauses) {
      std::vector<std::string> phases;
      for (const Phase& phase : pause.phases) phases.push_back(fmt::format("[{},{}]", phase.name, phase.begin));
      std::vector<std::string> works;
      for (const Work& work : pause.works)
        works.push_back(fmt::format("[{},{},{},{}]", work.thread, work.worker, work.begin, work.end));
      pauses.push_back(fmt::format("[{},{},{},{},{},{},{},{}]", pause.begin, pause.end, pause.kind, pause.number,
                                   pause.thread, pause.event, json_list(phases), json_list(works)));
    }
    for (const Safepoint& each : found.safepoints)
      safepoints.push_back(fmt::format("[{},{},{},{},{},{}]", each.request, each.reached, each.resume, each.operation,
                                       each.thread, each.event));
    add("pauses", json_list(pauses));
    add("safepoints", json_list(safepoints));
  }

  void add_numbers(const LockFigures& figures) {
    std::vector<std::string> hot, histogram;
    for (const HotObject& each : figures.hot) {
      std::vector<std::string> takers;
      for (const auto& [thread, taker] : each.competition.takers())
        takers.push_back(fmt::format("[{},{},{}]", thread, taker.enters, taker.while_competing));
      std::optional<f64> jain = each.competition.jain();
      const ObjectFigures& object = figures.objects[each.number];
      hot.push_back(
          fmt::format("{{\"object\":{},\"class\":{},\"enters\":{},\"contended\":{},\"waited\":{},\"longest\":{},"
                      "\"jain\":{},\"takers\":{}}}",
                      each.number, class_of(each.number), object.enters, object.contended, object.waited,
                      json_of(object.longest), jain ? fmt::format("{:.4f}", *jain) : "null", json_list(takers)));
    }
    // Writes the histogram of wait times. It has two buckets for each power of two, and the longest wait of each
    // bucket.
    std::map<i64, std::pair<u64, Instance>> buckets;
    for (Instance wait : figures.waits) {
      f64 nanoseconds = static_cast<f64>(std::max<i64>(wait.amount, 1));
      auto& [count, longest] = buckets[std::lround(std::floor(2 * std::log2(nanoseconds)))];
      ++count;
      longest = wait;
    }
    for (const auto& [bucket, content] : buckets)
      histogram.push_back(fmt::format("[{:.0f},{},{}]", std::exp2(static_cast<f64>(bucket) / 2), content.first,
                                      json_of(content.second)));
    auto last = [](const std::vector<Instance>& all) { return all.empty() ? Instance{} : all.back(); };
    std::string waits =
        fmt::format(R"({{"p50":{},"p90":{},"p99":{},"p999":{},"longest":{}}})", json_of(figures.wait_at(0.5)),
                    json_of(figures.wait_at(0.9)), json_of(figures.wait_at(0.99)), json_of(figures.wait_at(0.999)),
                    json_of(last(figures.waits)));
    add("numbers", fmt::format(R"({{"enters":{},"contended":{},"futile":{},"most_futile":{},"unfinished":[{},{}],)"
                               R"("waits":{},"histogram":{},"hot":{}}})",
                               figures.enters, figures.contended, figures.futile_wake_ups, json_of(figures.most_futile),
                               figures.unfinished.size(), json_of(last(figures.unfinished)), waits,
                               json_list(histogram), json_list(hot)));
  }

  const Recording& recording_;
  const About& about_;
  i64 begin_ = 0, end_ = 0;
  PageData data_;
  std::vector<std::string> head_;  // members of the head
};

}  // namespace

bool largest_object_fits(const Recording& recording) {
  return std::ranges::all_of(
      recording.entries, [&](const Entry& entry) { return recording::object_of(entry) <= recording.largest_table; });
}

PageData page_data_of(const Recording& recording, const About& about) { return Builder(recording, about).build(); }

PageData page_data_of_comparison(std::string_view json) {
  return {.blocks = {pack(fmt::format("{{\"comparison\":{}}}", json))}, .drawn_at_once = 1};
}

}  // namespace keyhole::look
