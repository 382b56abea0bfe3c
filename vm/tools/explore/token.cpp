// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes, reads and checks tokens.
#include "vm/tools/explore/token.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "vm/tools/explore/engine.h"

namespace keyhole::explore {

namespace {
using controlled::Memory;

u32 short_hash(const Execution& execution, u32 events) {
  return static_cast<u32>(hash_of(execution, events)) & 0xFFFF'FFFF;
}
// A process that replays the schedule must know which stores enter buffers (store_buffers.h B2), or which reads and
// writes have a history (write_histories.h M9).
std::set<u64> places_of_memory(const Execution& execution) {
  std::set<u64> places;
  for (u32 i = 0; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    bool has_history = execution.memory == Memory::jmm && is_access(event.kind) && has_place(execution, event.place);
    if (event.kind == controlled::Kind::store || has_history) places.insert(event.place);
  }
  return places;
}
bool is_before(const Step& step, const Step& next) {
  return step.event < next.event || (step.event == next.event && step.older == 0 && next.older != 0);
}
}  // namespace

std::string token_text(const Execution& execution) {
  std::string text = fmt::format("keyhole schedule 1\nstrict {}\n", execution.is_strict ? 1 : 0);
  for (Memory memory : {Memory::tso, Memory::jmm})
    if (execution.memory == memory) text += fmt::format("memory {}\n", name_of(memory));
  for (u64 place : places_of_memory(execution)) text += fmt::format("stores {:016x}\n", place);
  for (const Step& step : script_of(execution)) {
    text += step.older == 0 ? fmt::format("at {} {}", step.event, step.strand)
                            : fmt::format("older {} {} {}", step.event, step.older, step.strand);
    text += fmt::format(" {} {:08x}\n", execution.names[step.strand], short_hash(execution, step.event));
  }
  return text + fmt::format("end {} {:08x}\n", execution.event_count, short_hash(execution, execution.event_count));
}

std::string read_token(const std::string& text, Token& token) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != "keyhole schedule 1") return "its first line is not 'keyhole schedule 1'";
  bool has_end = false;
  for (u32 number = 2; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string verb, name;
    Step step{};
    u32 hash = 0;
    bool is_good = static_cast<bool>(words >> verb) && !has_end;
    if (is_good && verb == "strict") {
      is_good = static_cast<bool>(words >> token.is_strict);
    } else if (is_good && verb == "memory") {
      is_good = words >> name && (name == "tso" || name == "jmm");
      token.memory = name == "tso" ? Memory::tso : Memory::jmm;
    } else if (is_good && verb == "stores") {
      is_good = static_cast<bool>(words >> std::hex >> token.places.emplace_back());
    } else if (is_good && (verb == "at" || verb == "older")) {
      words >> step.event;
      if (verb == "older") is_good = words >> step.older && step.older != 0 && step.older < 255;
      is_good = is_good && words >> step.strand >> name >> std::hex >> hash && step.strand < controlled::max_strands &&
                (token.schedule.steps.empty() || is_before(token.schedule.steps.back(), step)) &&
                token.schedule.steps.size() < controlled::max_steps;
      token.schedule.steps.push_back(step);
      token.hashes.push_back(hash);
      token.names.push_back(name);
    } else if (is_good && verb == "end") {
      is_good = static_cast<bool>(words >> token.event_count >> std::hex >> hash);
      token.hashes.push_back(hash);
      has_end = true;
    } else {
      is_good = false;
    }
    if (!is_good) return fmt::format("its line {} is wrong: {}", number, line);
  }
  return has_end ? "" : "its last line does not begin with 'end'";
}

std::string compare_with(const Token& token, const Execution& execution) {
  u32 last_good = 0;
  for (usize i = 0; i < token.schedule.steps.size(); ++i) {
    u32 event = token.schedule.steps[i].event;
    if (event >= execution.event_count || short_hash(execution, event) != token.hashes[i])
      return fmt::format("the program differs between event {} and event {}, at which {} was to go on", last_good,
                         event, token.names[i]);
    if (execution.events[event].strand != token.schedule.steps[i].strand)
      return fmt::format("at event {} {} was to go on, and cannot", event, token.names[i]);
    if (token.schedule.steps[i].older != 0 && execution.events[event].older != token.schedule.steps[i].older)
      return fmt::format("at event {} {} was to see an older write, and cannot", event, token.names[i]);
    last_good = event;
  }
  if (execution.event_count != token.event_count || short_hash(execution, execution.event_count) != token.hashes.back())
    return fmt::format("the program differs after event {}", last_good);
  return {};
}

}  // namespace keyhole::explore
