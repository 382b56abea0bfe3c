// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The decoder of names, and the writers for each kind of output.
#include "runtime/base/shown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/types.h"

namespace keyhole {
namespace {

constexpr u32 replacement = 0xFFFD;

bool is_high_surrogate(u32 code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low_surrogate(u32 code) { return code >= 0xDC00 && code < 0xE000; }

// Takes the next sequence from the text. Accepts surrogates in three bytes, and 0 in two. False: the sequence is not
// UTF-8, and only its first byte was taken.
bool take_sequence(std::string_view& text, u32& code) {
  u8 first = static_cast<u8>(text[0]);
  usize length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
  code = length <= 1 ? first : first & (0x7Fu >> length);
  bool is_whole = length != 0 && length <= text.size();
  for (usize i = 1; is_whole && i < length; ++i) {
    u8 byte = static_cast<u8>(text[i]);
    is_whole = (byte & 0xC0) == 0x80;
    code = code << 6 | (byte & 0x3F);
  }
  constexpr u32 smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (is_whole && (code < smallest[length] || code > 0x10FFFF)) is_whole = length == 2 && code == 0;
  text.remove_prefix(is_whole ? length : 1);
  return is_whole;
}

// Calls visit(code point) or, for a byte that is no UTF-8, visit_byte(byte). Two surrogates are one character.
template <typename Visit, typename VisitByte> void decode(std::string_view text, Visit visit, VisitByte visit_byte) {
  while (!text.empty()) {
    u8 byte = static_cast<u8>(text[0]);
    u32 code, low;
    if (!take_sequence(text, code)) {
      visit_byte(byte);
      continue;
    }
    if (is_high_surrogate(code) && !text.empty()) {
      std::string_view rest = text;
      if (take_sequence(rest, low) && is_low_surrogate(low)) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        text = rest;
      }
    }
    visit(code);
  }
}

void append_utf8(std::string& out, u32 code) {
  auto add = [&](u32 byte) { out += static_cast<char>(byte); };
  auto add_low_bits = [&](u32 shift) { add(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add_low_bits(0);
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add_low_bits(6);
    add_low_bits(0);
  } else {
    add(0xF0 | code >> 18);
    add_low_bits(12);
    add_low_bits(6);
    add_low_bits(0);
  }
}

bool is_surrogate(u32 code) { return is_high_surrogate(code) || is_low_surrogate(code); }
bool is_control(u32 code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }
// Whether the character is a line end, or changes the direction of the text around it.
bool is_deceptive(u32 code) {
  return code == 0x2028 || code == 0x2029 || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

std::string for_terminal(std::string_view text) {
  if (is_plain_ascii(text)) return std::string(text);
  std::string out;
  auto visit = [&](u32 code) {
    if (is_control(code) || is_deceptive(code) || is_surrogate(code)) out += fmt::format("\\u{:04x}", code);
    else append_utf8(out, code);
  };
  decode(text, visit, [&](u8 byte) { out += fmt::format("\\x{:02x}", byte); });
  return out;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  auto visit = [&](u32 code) {
    if (code == '"' || code == '\\') out += fmt::format("\\{}", static_cast<char>(code));
    else if (is_control(code) || is_deceptive(code) || is_surrogate(code)) out += fmt::format("\\u{:04x}", code);
    else append_utf8(out, code);
  };
  decode(text, visit, [&](u8) { append_utf8(out, replacement); });
  return out + "\"";
}

std::string valid_utf8(std::string_view text) {
  if (is_plain_ascii(text)) return std::string(text);
  std::string out;
  auto visit = [&](u32 code) { append_utf8(out, is_surrogate(code) ? replacement : code); };
  decode(text, visit, [&](u8) { append_utf8(out, replacement); });
  return out;
}

}  // namespace keyhole
