// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line.
#include "vm/tools/look/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/recorder/recorder.h"
#include "vm/tools/lab/modes.h"

namespace keyhole::look {

const std::string_view usage =
    "Usage: keyhole --look [options] PROGRAM [args]\n"
    "       keyhole --look [options] --recording FILE [--recording FILE ...]\n"
    "PROGRAM is what java takes: options, then a class, a source file or -jar FILE.\n"
    "Runs it with a recording, and makes one page of HTML of that, for a browser.\n"
    "  --recording FILE  no program: a recording that is there (-XX:StartRecording);\n"
    "                    up to four of them are shown side by side\n"
    "  --modes A,B       run the program once in each of these locking modes (see\n"
    "                    -XX:+PrintLockingModes), and show the runs side by side\n"
    "  --output FILE     the page; otherwise NAME.look.html in the current folder\n"
    "  --keep FILE       keep the recording, too; with --modes, FILE.A and FILE.B\n"
    "  --code[=WORDS]    code of the methods whose names have WORDS in them, or of\n"
    "                    all, with their bytecode; of a recording that is there: if\n"
    "                    it was made with --code and --keep\n"
    "  --events A,B      record only these families (see docs/recording.md)\n"
    "  --from MS --until MS\n"
    "                    only events of this time, in milliseconds since the start\n";

namespace {

bool parse_milliseconds(std::string_view text, std::optional<f64>& number) {
  f64 value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return false;
  number = value;
  return true;
}

std::string check(const Options& options) {
  if (options.help) return {};
  if (std::max(options.recordings.size(), options.modes.size()) > most_sides)
    return fmt::format("a page shows at most {} recordings side by side", most_sides);
  if (options.recordings.empty()) {
    if (options.program.empty()) return "--look needs a program to run, or --recording FILE";
    u32 families;
    std::string problem = options.events.empty() ? "" : recorder::parse_families(options.events, families);
    return problem.empty() ? problem : "--events: " + problem;
  }
  if (!options.program.empty())
    return fmt::format("--look takes a program or a recording, not both: {}", options.program.front());
  if (!options.keep.empty()) return "--keep is for the recording of a program; --recording FILE is there already";
  if (!options.modes.empty()) return "--modes says how a program runs; --recording FILE is there already";
  if (!options.events.empty()) return "--events says what is recorded; --recording FILE is there already";
  return {};
}

}  // namespace

std::string parse_options(std::span<char*> words, Options& options) {
  usize next = 0;
  while (next < words.size()) {
    std::string_view word = words[next];
    std::string_view name = word.substr(0, word.find('='));
    std::string* text = name == "--output"   ? &options.output
                        : name == "--keep"   ? &options.keep
                        : name == "--events" ? &options.events
                                             : nullptr;
    const bool is_recording = name == "--recording", is_modes = name == "--modes";
    std::optional<f64>* number = name == "--from" ? &options.from : name == "--until" ? &options.until : nullptr;
    if (word == "--help") {
      options.help = true;
      ++next;
      continue;
    }
    if (name == "--code") {
      options.code = word.substr(std::min(word.size(), name.size() + 1));
      ++next;
      continue;
    }
    if (text == nullptr && number == nullptr && !is_recording && !is_modes) {
      options.program.assign(words.begin() + static_cast<i64>(next), words.end());
      break;
    }
    std::string_view value = word.substr(std::min(word.size(), name.size() + 1));
    ++next;
    if (word == name) value = next < words.size() ? words[next++] : "";
    if (value.empty()) return fmt::format("{} needs a value", name);
    if (text != nullptr) *text = value;
    else if (is_recording) options.recordings.emplace_back(value);
    else if (is_modes) {
      if (std::string problem = lab::parse_modes(value, options.modes); !problem.empty()) return problem;
    } else if (!parse_milliseconds(value, *number))
      return fmt::format("{} takes a number of milliseconds, not '{}'", name, value);
  }
  return check(options);
}

}  // namespace keyhole::look
