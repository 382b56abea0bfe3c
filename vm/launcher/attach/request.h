// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A request of the attach protocol, version 1: five strings, each ended by a zero byte.
//
//   "1" | command | argument | argument | argument         command: at most 16 bytes, arguments: at most 1024 each
//
// Newer tools send "getversion" first and get an error, as from HotSpot 17; then they use this version.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::attach {

struct Request {
  static constexpr usize argument_count = 3;
  std::string command;
  std::array<std::string, argument_count> arguments;
};

class RequestParser {
 public:
  enum class State : u8 { incomplete, complete, other_version, malformed };
  // No request is longer.
  static constexpr usize most_bytes = 8 + 1 + 16 + 1 + Request::argument_count * (1024 + 1);

  // Takes received bytes; ignores those after a complete request. Returns the new state, which is final unless
  // incomplete.
  State take(std::string_view bytes);
  const Request& request() const { return request_; }

 private:
  State end_string();

  State state_ = State::incomplete;
  usize strings_ = 0;        // complete ones
  std::string current_;
  Request request_;
};

}  // namespace keyhole::attach
