// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a request: splits its bytes into strings, and checks the protocol's limits.
#include "vm/tools/attach/request.h"

#include <charconv>
#include <utility>

namespace keyhole::attach {

namespace {

constexpr usize command_limit = 16, argument_limit = 1024, request_limit = 256 * 1024;

}  // namespace

RequestParser::State RequestParser::take(std::string_view bytes) {
  // Returns the length limit of the current string. The first string is the protocol's version. If the parser knows
  // only version 1, a long version string is not malformed, but counts as another version. In version 2, the second
  // string is the number of bytes that follow, which has few digits.
  auto limit = [&] {
    if (strings_ == 0) return knows_version_2_ ? command_limit : most_bytes;
    if (is_version_2_) return strings_ == 1 ? command_limit : request_limit;
    return strings_ == 1 ? command_limit : argument_limit;
  };
  for (char byte : bytes) {
    if (state_ != State::incomplete) break;
    if (is_version_2_ && strings_ > 1) --left_;
    if (byte == '\0') state_ = is_version_2_ ? end_string_2() : end_string();
    else if (current_.size() < limit()) current_ += byte;
    else state_ = State::malformed;
    if (is_version_2_ && strings_ > 1 && left_ == 0 && state_ == State::incomplete) state_ = State::malformed;
  }
  return state_;
}

RequestParser::State RequestParser::end_string() {
  std::string text = std::exchange(current_, {});
  usize index = strings_++;
  if (index == 0) {
    is_version_2_ = knows_version_2_ && text == "2";
    return is_version_2_ || text == "1" ? State::incomplete : State::other_version;
  }
  if (index == 1) request_.command = std::move(text);
  else request_.arguments[index - 2] = std::move(text);
  return strings_ == 2 + Request::argument_count ? State::complete : State::incomplete;
}

// Handles a string of version 2. All strings together must have exactly the announced number of bytes.
RequestParser::State RequestParser::end_string_2() {
  std::string text = std::exchange(current_, {});
  usize index = strings_++;
  if (index == 1) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), left_);
    bool is_number = error == std::errc() && end == text.data() + text.size();
    return is_number && left_ > 0 && left_ <= request_limit ? State::incomplete : State::malformed;
  }
  if (index == 2) request_.command = text.substr(0, text.find(' '));
  else if (index - 3 < Request::argument_count) request_.arguments[index - 3] = std::move(text);
  else if (!text.empty()) return State::malformed;
  return left_ == 0 ? State::complete : State::incomplete;
}

}  // namespace keyhole::attach
