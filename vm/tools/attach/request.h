// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A request of the attach protocol. It consists of strings, each terminated by a zero byte.
//
//   version 1: "1" | command | argument | argument | argument         command: at most 16 bytes, arguments: 1024 each
//   version 2: "2" | bytes | command and options | arguments ...      bytes: how many follow, at most 256 KiB; options:
//                                                                     "jcmd streaming=1"
//
// Newer tools first send the operation "getversion" in version 1. VMs up to release 23 reject this operation, and the
// tools then use version 1. The VM sends an answer only when the answer is complete; tools may read it as a stream.
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
  explicit RequestParser(bool knows_version_2) : knows_version_2_(knows_version_2) {}

  enum class State : u8 { incomplete, complete, other_version, malformed };
  // Length of the longest request in version 1 of the protocol.
  static constexpr usize most_bytes = 8 + 1 + 16 + 1 + Request::argument_count * (1024 + 1);

  // Parses received bytes; bytes after a complete request are ignored. Returns the new state. All states except
  // `incomplete` are final.
  State take(std::string_view bytes);
  const Request& request() const { return request_; }

 private:
  State end_string();
  State end_string_2();

  bool knows_version_2_, is_version_2_ = false;
  usize left_ = 0;  // number of bytes that are still missing from a request of version 2
  State state_ = State::incomplete;
  usize strings_ = 0;  // the number of complete strings
  std::string current_;
  Request request_;
};

}  // namespace keyhole::attach
