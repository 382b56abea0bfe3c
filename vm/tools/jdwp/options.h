// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of -agentlib:jdwp= and -Xrunjdwp:, with java's error messages.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::jdwp {

struct Options {
  std::string transport, address;  // address: "port", "host:port", "*:port"
  bool is_server = false;          // waits for the debugger, else connects to it
  bool suspend = true;             // stop all threads when the VM has started
  bool quiet = false;              // does not print where it listens
  i64 timeout_milliseconds = 0;    // 0: none
  bool wants_help = false;
  std::string problem;  // complete text for stderr; empty: the options are valid
};

Options parse_options(std::string_view text);
std::string help_text();

}  // namespace keyhole::jdwp
