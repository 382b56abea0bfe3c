// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --show FILE --stacks: the stacks of the execution samples, collapsed.
//
//   Main.main;Bank.run;Bank.pay 31
//   Main.main;Bank.run 2
//
// A line has the methods of a stack, outermost first, and the number of samples with this stack. flamegraph.pl and
// speedscope read this format. Recursive calls are as many frames. Lines are in the order of their texts, so that two
// profiles can be compared.
#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "runtime/base/print.h"
#include "runtime/base/shown_text.h"
#include "runtime/recorder/stacks.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

using recorder::Recording;

std::string collapsed_stack(const Recording& recording, u32 stack) {
  std::string line;
  for (u32 site : recorder::sites_of_stack(recording, stack)) {
    if (!line.empty()) line += ';';
    line += recorder::method_of_site(recording.text(site));
  }
  return line;
}

void show_stacks(const Recording& recording, bool as_json, FILE* out) {
  std::unordered_map<u32, u64> samples;  // by stack
  for (const recorder::Entry& entry : recording.entries) ++samples[entry.a];
  std::map<std::string, u64> lines;  // stacks that differ only in lines of their methods are one line here
  for (const auto& [stack, count] : samples) lines[collapsed_stack(recording, stack)] += count;
  for (const auto& [line, count] : lines) {
    if (as_json) print_text(out, "{{\"stack\":{},\"samples\":{}}}\n", json_text(line), count);
    else print_text(out, "{} {}\n", for_terminal(line), count);
  }
}

}  // namespace keyhole::recording
