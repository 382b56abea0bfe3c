// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The replay token: a schedule as a text file, NAME.khs.
//
//   keyhole schedule 1
//   strict 0
//   at 214 2 main.1 9c1e     at event 214 the strand 2, main.1, goes on; the hash of the events before it
//   older 230 1 2 main.1 b3  the read of event 230 sees not the last write that it may see, but the one before
//   end 409 57aa             the number of events, and their hash
//
// A token fits a program if each of its hashes equals the hash of the replayed execution up to that event. Then the
// replay is the same execution.
#pragma once

#include <string>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

struct Token {
  Schedule schedule;
  bool is_strict = false;
  controlled::Memory memory = controlled::Memory::sc;
  std::vector<u64> places;  // places whose stores enter store buffers, or whose accesses have a history
  std::vector<u32> hashes;  // for each step, a hash of the events before it; then a hash of all events
  std::vector<std::string> names;
  u32 event_count = 0;
};

std::string token_text(const Execution& execution);
// Parses a token. Returns the empty string, or an error message.
std::string read_token(const std::string& text, Token& token);
// Compares an execution with a token. Returns the empty string, or the first event at which the execution differs.
std::string compare_with(const Token& token, const Execution& execution);

}  // namespace keyhole::explore
