// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the options of -agentlib:jdwp= and -Xrunjdwp:. Error messages are those of java.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::jdwp {

struct Options {
  std::string transport, address;  // address: "port", "host:port", "*:port"
  bool is_server = false;          // listens for the debugger; otherwise connects to it
  bool suspend = true;             // suspends all threads when the VM has started
  bool quiet = false;              // does not print the address at which it listens
  i64 timeout_milliseconds = 0;    // 0: none
  bool wants_help = false;
  std::string problem;  // the complete error message for stderr; empty: the options are valid
};

Options parse_options(std::string_view text);
std::string help_text();

}  // namespace keyhole::jdwp
