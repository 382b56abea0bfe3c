// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes to strings, with their limits.
#include "vm/launcher/attach/request.h"

#include <utility>

namespace keyhole::attach {

namespace {

constexpr std::string_view version = "1";
constexpr usize command_limit = 16, argument_limit = 1024;

// A version of any length counts as another version.
constexpr usize limit_of(usize string) {
  return string == 0 ? RequestParser::most_bytes : string == 1 ? command_limit : argument_limit;
}

}  // namespace

RequestParser::State RequestParser::take(std::string_view bytes) {
  for (char byte : bytes) {
    if (state_ != State::incomplete) break;
    if (byte == '\0') state_ = end_string();
    else if (current_.size() < limit_of(strings_)) current_ += byte;
    else state_ = State::malformed;
  }
  return state_;
}

RequestParser::State RequestParser::end_string() {
  std::string text = std::exchange(current_, {});
  usize index = strings_++;
  if (index == 0) return text == version ? State::incomplete : State::other_version;
  if (index == 1) request_.command = std::move(text);
  else request_.arguments[index - 2] = std::move(text);
  return strings_ == 2 + Request::argument_count ? State::complete : State::incomplete;
}

}  // namespace keyhole::attach
