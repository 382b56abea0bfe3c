// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The grammar of -Xlog, and java's messages for errors in it:
//
//   -Xlog[:[selections][:[output][:[decorators][:options]]]]
//   -Xlog:disable     -Xlog:async     -Xlog:help (the launcher's)
//
// A selection is tag+tag=level, with '*' for sets that have further tags, too. The order of tags does not matter. Tags
// of HotSpot that Keyhole does not use are accepted.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/hotspot_version.h"

namespace keyhole::log {

struct Outcome {
  bool is_valid = true;
  std::string messages;  // java's log lines about the option: errors and warnings, for stdout
};

// Applies the text after "-Xlog" as that HotSpot release does. An option with a mistake changes nothing.
Outcome configure_option(std::string_view specification, HotSpot hotspot);

}  // namespace keyhole::log
