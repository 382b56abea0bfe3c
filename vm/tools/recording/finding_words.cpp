// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats threads, objects and source lines for the sentences of findings.
#include "vm/tools/recording/finding_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/recorder/placeholders.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

Words WordsOf::thread(u32 id) const {
  return {id == 0 ? "an unknown thread" : recording_.thread_name(id), {.view = "threads", .thread = id}};
}
Words WordsOf::thread(const Wait& wait) const {
  return {recording_.thread_name(wait.thread),
          {.view = "threads",
           .thread = wait.thread,
           .object = wait.object,
           .event = wait.event,
           .begin = wait.begin,
           .end = wait.end}};
}

std::string WordsOf::class_of(u32 object) const {
  auto found = recording_.class_of.find(object);
  return found == recording_.class_of.end() ? std::string() : recording_.text(found->second);
}

Words WordsOf::object(u32 number, u32 event) const {
  std::string name = class_of(number);
  Place place{.view = "lock", .object = number, .event = event};
  bool is_one_shot = name.ends_with(recorder::one_shot_suffix);
  if (is_one_shot) name.resize(name.size() - recorder::one_shot_suffix.size());
  if (name.starts_with("java.util.concurrent.")) {
    name = shown_class(name);
    if (!name.ends_with("Lock")) place.view = "events";
  }
  name = name.substr(name.rfind('.') + 1);
  if (usize nested = name.rfind('$'); nested + 1 < name.size() && name[nested + 1] > '9')
    name = name.substr(nested + 1);
  if (is_one_shot) return {"new objects of " + name, place};
  return {name.empty() ? fmt::format("object {}", number) : fmt::format("{} {}", name, number), place};
}

std::string WordsOf::line(u32 site) const {
  if (site == 0) return "an unknown line";
  std::string words = recording_.text(site);
  return words.substr(0, words.rfind(" bci "));
}
Words WordsOf::line(u32 site, const Wait& wait) const { return {line(site), thread(wait).place}; }

bool WordsOf::is_in_library(u32 site) const {
  if (site == 0) return true;
  constexpr std::string_view packages[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
  const std::string& words = recording_.text(site);
  return std::ranges::any_of(packages, [&](std::string_view each) { return words.starts_with(each); });
}

std::string duration(i64 nanoseconds) {
  f64 value = static_cast<f64>(nanoseconds);
  for (auto [unit, name] : {std::pair(1e9, "s"), {1e6, "ms"}, {1e3, "us"}}) {
    if (value < unit * 0.9995) continue;
    f64 shown = value / unit;
    return fmt::format("{:.{}f} {}", shown, shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2, name);
  }
  return fmt::format("{} ns", nanoseconds);
}

std::string times(u64 count, std::string_view one) { return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"); }

void add_list(Sentence& sentence, std::vector<Words> words) {
  for (usize i = 0; i < words.size(); ++i) {
    if (i != 0) sentence.push_back({i + 1 == words.size() ? " and " : ", "});
    sentence.push_back(std::move(words[i]));
  }
}

}  // namespace keyhole::recording
