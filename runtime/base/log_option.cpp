// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses -Xlog field by field, and applies it.
#include "runtime/base/log_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

#include "runtime/base/log_output.h"
#include "runtime/base/log_tag_sets.h"
#include "runtime/base/log_tags.h"
#include "runtime/base/similarity.h"

namespace keyhole::log {
namespace {

constexpr usize most_tags = 5;

// Splits the text at the separators that are not in quotes.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  bool in_quotes = false;
  usize begin = 0;
  for (usize i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') in_quotes = !in_quotes;
    if (i < text.size() && (text[i] != separator || in_quotes)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

bool contains(const std::vector<std::string_view>& list, std::string_view tag) {
  return std::ranges::find(list, tag) != list.end();
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) return text.substr(1, text.size() - 2);
  return text;
}

template <usize count> std::vector<std::string_view> words_of(const HotSpotTags (&groups)[count], HotSpot hotspot) {
  std::vector<std::string_view> words;
  for (const HotSpotTags& group : groups) {
    if (hotspot < group.first || hotspot > group.last) continue;
    for (std::string_view word : split(group.tags, ' ')) words.push_back(word);
  }
  return words;
}
std::vector<std::string_view> tags_of(HotSpot hotspot) { return words_of(hotspot_tags, hotspot); }

// The tags of a tag set of Keyhole. The text must outlive the result.
std::vector<std::string_view> tags_of(const std::string& set_text) { return split(set_text, '+'); }

bool is_own_tag(std::string_view tag) {
  for (usize i = 0; i < tag_set_count; ++i) {
    std::string text = tag_text(static_cast<TagSet>(i), '+');
    if (contains(tags_of(text), tag)) return true;
  }
  return false;
}

struct Selection {
  bool is_all = false;
  bool has_wildcard = false;
  std::vector<std::string_view> tags;
  Level level = Level::info;

  bool selects(TagSet set) const {
    if (is_all) return true;
    std::string text = tag_text(set, '+');
    return selects(tags_of(text));
  }
  bool selects(const std::vector<std::string_view>& set) const {
    if (!has_wildcard && set.size() != tags.size()) return false;
    return std::ranges::all_of(tags, [&](std::string_view tag) { return contains(set, tag); });
  }
  std::string text() const { return fmt::format("{}{}", fmt::join(tags, "+"), has_wildcard ? "*" : ""); }

  // The Sørensen-Dice coefficient of two selections.
  double similarity(const Selection& other) const {
    auto common = std::ranges::count_if(tags, [&](std::string_view tag) { return contains(other.tags, tag); });
    return 2.0 * static_cast<double>(common) / static_cast<double>(tags.size() + other.tags.size());
  }
};

// HotSpot's suggestions for a selection that matches no tag set: up to five similar ones, the best first.
class Suggestions {
 public:
  Suggestions(const Selection& wrong, const std::vector<std::string_view>& sets) : wrong_(wrong) {
    for (std::string_view set : sets) sets_.push_back(split(set, '+'));
    Selection wider = wrong;
    wider.has_wildcard = true;
    if (!wrong.has_wildcard && selected_by(wider) > 0) found_.push_back(wider);
    for (const auto& set : sets_) consider(set);
    std::ranges::sort(found_, [this](const Selection& a, const Selection& b) { return is_better(a, b); });
  }

  std::string text() const {
    if (found_.empty()) return "";
    std::string list = " Did you mean any of the following?";
    for (const Selection& each : found_) list += " " + each.text();
    return list;
  }

 private:
  usize selected_by(const Selection& selection) const {
    return static_cast<usize>(std::ranges::count_if(sets_, [&](const auto& set) { return selection.selects(set); }));
  }

  void consider(const std::vector<std::string_view>& set) {
    constexpr double least_similarity = 0.3;
    constexpr usize most_suggestions = 5;
    Selection selection;
    selection.tags = set;
    selection.has_wildcard = true;
    selection.has_wildcard = selected_by(selection) > 1;
    double similarity = wrong_.similarity(selection);
    if (similarity < least_similarity) return;
    if (found_.size() < most_suggestions) return found_.push_back(std::move(selection));
    auto similarity_of = [this](const Selection& each) { return wrong_.similarity(each); };
    auto worst = std::ranges::min_element(found_, {}, similarity_of);
    if (similarity > wrong_.similarity(*worst)) *worst = std::move(selection);
  }

  bool is_better(const Selection& a, const Selection& b) const {
    double similarity_a = wrong_.similarity(a), similarity_b = wrong_.similarity(b);
    if (similarity_a != similarity_b) return similarity_a > similarity_b;
    if (a.tags.size() != b.tags.size()) return a.tags.size() < b.tags.size();
    return selected_by(a) > selected_by(b);
  }

  const Selection& wrong_;
  std::vector<std::vector<std::string_view>> sets_;
  std::vector<Selection> found_;
};

// One -Xlog option: parsed, then applied.
class Option {
 public:
  explicit Option(HotSpot hotspot) : hotspot_(hotspot) {}

  Outcome take(std::string_view specification) REQUIRES(mutex) {
    if (specification.starts_with(':')) specification.remove_prefix(1);
    if (specification == "disable") return disable();
    if (specification.starts_with("async") && is_async(specification)) return std::move(outcome_);
    if (!outcome_.is_valid) return std::move(outcome_);
    std::vector<std::string_view> fields = split(specification, ':');
    fields.resize(std::max<usize>(fields.size(), 4));
    if (fields.size() > 4) {
      std::string_view excess = specification.substr(static_cast<usize>(fields[4].data() - specification.data()));
      say("warning", fmt::format("Ignoring excess -Xlog options: \"{}\"", excess));
    }
    if (!take_selections(fields[0]) || !take_decorators(fields[2])) return std::move(outcome_);
    Output* output = take_output(fields[1], fields[3]);
    if (output == nullptr) return std::move(outcome_);
    if (output != outputs()[0] || shows_warnings())
      for (const Selection& selection : selections_) warn_if_nothing_matches(selection);
    apply(*output);
    return std::move(outcome_);
  }

 private:
  // Adds a message in the form of a log line, unless warnings and errors of the log are off.
  void say(std::string_view level, const std::string& message) REQUIRES(mutex) {
    if (outputs()[0]->levels[0] == Level::off) return;
    outcome_.messages += fmt::format("[0.000s][{}][logging] {}\n", level, message);
  }

  bool fail(const std::string& message) REQUIRES(mutex) {
    if (!message.empty()) say("error", message);
    outcome_.is_valid = false;
    return false;
  }

  Outcome disable() REQUIRES(mutex) {
    for (Output* output : outputs()) output->levels.fill(Level::off);
    publish_levels();
    return {};
  }

  // Whether the option asks for asynchronous logging. Keyhole writes lines at once, so it changes nothing.
  bool is_async(std::string_view specification) REQUIRES(mutex) {
    if (specification == "async") return true;
    if (hotspot_ < HotSpot::v25) return false;
    if (specification == "async:stall" || specification == "async:drop") return true;
    fail("");
    return false;
  }

  bool take_selections(std::string_view text) REQUIRES(mutex) {
    if (text.empty()) text = "all";
    for (std::string_view item : split(text, ',')) {
      Selection selection;
      usize equals = item.find('=');
      if (equals != std::string_view::npos && !take_level(item.substr(equals + 1), selection.level)) return false;
      std::string_view tags = item.substr(0, equals);
      selection.is_all = tags == "all" || (tags.empty() && equals != std::string_view::npos);
      if (!selection.is_all && !take_tags(tags, selection)) return false;
      selections_.push_back(std::move(selection));
    }
    return true;
  }

  // Whether standard output shows lines of [warning][logging] once the selections are applied to it.
  bool shows_warnings() const REQUIRES(mutex) {
    Level level = Level::warning;
    for (const Selection& selection : selections_)
      if (selection.is_all || selection.selects({"logging"})) level = selection.level;
    return level >= Level::warning;
  }

  void warn_if_nothing_matches(const Selection& selection) REQUIRES(mutex) {
    if (selection.is_all) return;
    for (usize i = 0; i < tag_set_count; ++i)
      if (selection.selects(static_cast<TagSet>(i))) return;
    std::vector<std::string_view> sets = words_of(hotspot_tag_sets, hotspot_);
    if (std::ranges::any_of(sets, [&](std::string_view set) { return selection.selects(split(set, '+')); })) return;
    say("warning",
        fmt::format("No tag set matches selection: {}.{}", selection.text(), Suggestions(selection, sets).text()));
  }

  bool take_level(std::string_view text, Level& level) REQUIRES(mutex) {
    auto found = std::ranges::find(level_names, text);
    if (found != std::end(level_names)) {
      level = static_cast<Level>(found - std::begin(level_names));
      return true;
    }
    std::string_view nearest = most_similar(text, level_names, 0.5);
    return fail(fmt::format("Invalid level '{}' in log selection.{}", text, suggestion(nearest)));
  }

  static std::string suggestion(std::string_view nearest) {
    return nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest);
  }

  bool take_tags(std::string_view text, Selection& selection) REQUIRES(mutex) {
    if (text.ends_with('*')) selection.has_wildcard = true, text.remove_suffix(1);
    std::vector<std::string_view> known = tags_of(hotspot_);
    for (std::string_view tag : split(text, '+')) {
      if (selection.tags.size() == most_tags) {
        return fail(fmt::format("Too many tags in log selection '{}' (can only have up to {} tags).",
                                selection.tags.front(), most_tags));
      }
      if (!contains(known, tag) && !is_own_tag(tag)) {
        std::string_view nearest = most_similar(tag, known, 0.5);
        return fail(fmt::format("Invalid tag '{}' in log selection.{}", tag, suggestion(nearest)));
      }
      if (contains(selection.tags, tag)) return fail(fmt::format("Log selection contains duplicates of tag {}.", tag));
      selection.tags.push_back(tag);
    }
    return true;
  }

  bool take_decorators(std::string_view text) REQUIRES(mutex) {
    if (text.empty()) return true;
    decorators_ = 0;
    if (text == "none") return true;
    for (std::string_view name : split(text, ',')) {
      auto found = std::ranges::find_if(
          decorator_names, [&](const DecoratorName& row) { return row.name == name || row.abbreviation == name; });
      if (found == std::end(decorator_names)) return fail(fmt::format("Invalid decorator '{}'.", name));
      decorators_ |= bit_of(static_cast<Decorator>(found - std::begin(decorator_names)));
    }
    return true;
  }

  // The output that the text names. Null after a mistake.
  Output* take_output(std::string_view text, std::string_view options_text) REQUIRES(mutex) {
    std::string name(text.empty() ? "stdout" : text);
    if (name != "stdout" && name != "stderr") {
      std::string_view value = text;
      if (usize equals = text.find('='); equals != std::string_view::npos && !text.starts_with('"')) {
        if (text.substr(0, equals) != "file")
          return fail(fmt::format("Unsupported log output type: {}", text)), nullptr;
        value = text.substr(equals + 1);
      }
      name = fmt::format("file={}", without_quotes(value));
    }
    Output* output = find_output(name);
    bool is_file = name.starts_with("file=");
    if (output != nullptr) {
      if (options_text.empty()) return output;
      if (hotspot_ < HotSpot::v21 || is_file)
        return say("warning", "Output options for existing outputs are ignored."), output;
      return take_options(options_text, name, output->options) ? output : nullptr;
    }
    FileOptions options;
    std::string failure;
    if (!options_text.empty() && !take_options(options_text, name, options)) {
      failure = options_text;
    } else {
      std::string path = file_name(name.substr(sizeof "file=" - 1), hotspot_ >= HotSpot::v25);
      output = add_file(name, path, options);
      if (output != nullptr) return output;
      say("error", fmt::format("Error opening log file '{}': {}", path, strerror(errno)));
      failure = options_text.empty() ? "(null)" : options_text;
    }
    fail(fmt::format("Initialization of output '{}' using options '{}' failed.", name, failure));
    return nullptr;
  }

  bool take_options(std::string_view text, const std::string& output, FileOptions& options) REQUIRES(mutex) {
    bool is_file = output.starts_with("file=");
    for (std::string_view option : split(text, ',')) {
      usize equals = std::min(option.find('='), option.size());
      bool has_value = equals < option.size();
      std::string_view name = option.substr(0, equals), value = has_value ? option.substr(equals + 1) : "";
      if (is_file && name == "filecount" && has_value) {
        auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.file_count);
        if (error != std::errc() || end != value.data() + value.size() || options.file_count > 1000)
          return fail("Invalid option: filecount must be in range [0, 1000]");
      } else if (is_file && name == "filesize" && has_value) {
        std::optional<u64> bytes = size_of(value);
        if (!bytes) return fail(fmt::format("Invalid option: filesize must be in range [0, {}]", UINT64_MAX));
        options.file_size_bytes = *bytes;
      } else if (name == "foldmultilines" && has_value && hotspot_ >= HotSpot::v21) {
        if (value != "true" && value != "false")
          return fail("Invalid option: foldmultilines must be 'true' or 'false'.");
        options.folds_lines = value == "true";
      } else if (hotspot_ >= HotSpot::v21) {
        return fail(fmt::format("Invalid option '{}' for log output ({}).", name, output));
      } else {
        return fail(fmt::format("Invalid option '{}' for log file output.", name));
      }
    }
    return true;
  }

  static std::optional<u64> size_of(std::string_view text) {
    u64 bytes = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error != std::errc()) return {};
    std::string_view unit(end, static_cast<usize>(text.data() + text.size() - end));
    if (unit.empty()) return bytes;
    usize place = std::string_view("kmg").find(static_cast<char>(unit.front() | 0x20));
    if (unit.size() != 1 || place == std::string_view::npos) return {};
    u32 shift = 10 * static_cast<u32>(place + 1);
    return bytes > UINT64_MAX >> shift ? std::optional<u64>() : bytes << shift;
  }

  void apply(Output& output) REQUIRES(mutex) {
    output.decorators = decorators_;
    for (const Selection& selection : selections_) {
      for (usize i = 0; i < tag_set_count; ++i) {
        if (selection.selects(static_cast<TagSet>(i))) output.levels[i] = selection.level;
      }
    }
    publish_levels();
  }

  HotSpot hotspot_;
  Outcome outcome_;
  std::vector<Selection> selections_;
  u32 decorators_ = default_decorators;
};

}  // namespace

Outcome configure_option(std::string_view specification, HotSpot hotspot) {
  MutexLock guard(mutex);
  return Option(hotspot).take(specification);
}

}  // namespace keyhole::log
