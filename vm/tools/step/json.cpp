// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A recursive-descent JSON parser (RFC 8259).
#include "vm/tools/step/json.h"

#include <fmt/format.h>

#include <charconv>

namespace keyhole::step {

namespace {

constexpr u32 deepest = 64;

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool read_whole(Json& value) {
    if (!read(value, 0)) return false;
    skip_space();
    return rest_.empty();
  }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool take(char wanted) {
    skip_space();
    if (rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool read(Json& value, u32 depth) {
    skip_space();
    if (rest_.empty() || depth > deepest) return false;
    switch (rest_[0]) {
      case '{': return read_object(value, depth);
      case '[': return read_list(value, depth);
      case '"': value.type = Json::Type::text; return read_text(value.text);
      case 't':
      case 'f':
        value.type = Json::Type::boolean;
        value.boolean = rest_[0] == 't';
        return take_word(value.boolean ? "true" : "false");
      case 'n': return take_word("null");
      default: return read_number(value);
    }
  }

  bool read_number(Json& value) {
    value.type = Json::Type::number;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value.number);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<usize>(end - rest_.data()));
    return true;
  }

  bool read_list(Json& value, u32 depth) {
    value.type = Json::Type::list;
    take('[');
    if (take(']')) return true;
    do {
      if (!read(value.list.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool read_object(Json& value, u32 depth) {
    value.type = Json::Type::object;
    take('{');
    if (take('}')) return true;
    do {
      std::string name;
      skip_space();
      if (rest_.empty() || rest_[0] != '"' || !read_text(name) || !take(':')) return false;
      if (!read(value.object[name], depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  bool read_unit(u32& unit) {
    if (rest_.size() < 4) return false;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    bool is_good = error == std::errc() && end == rest_.data() + 4;
    rest_.remove_prefix(4);
    return is_good;
  }

  static void append_utf8(std::string& text, u32 point) {
    auto add = [&text](u32 byte) { text += static_cast<char>(byte); };
    if (point < 0x80) return add(point);
    if (point < 0x800) {
      add(0xC0 | point >> 6);
    } else {
      if (point < 0x10000) {
        add(0xE0 | point >> 12);
      } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
      }
      add(0x80 | (point >> 6 & 0x3F));
    }
    add(0x80 | (point & 0x3F));
  }

  bool read_escape(std::string& text) {
    if (rest_.empty()) return false;
    char letter = rest_[0];
    rest_.remove_prefix(1);
    if (letter == 'u') {
      u32 unit = 0, low = 0;
      if (!read_unit(unit)) return false;
      if (unit >= 0xD800 && unit < 0xDC00 && rest_.starts_with("\\u")) {
        rest_.remove_prefix(2);
        if (!read_unit(low)) return false;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
      }
      append_utf8(text, unit);
      return true;
    }
    constexpr std::string_view letters = "bfnrt\"\\/", meanings = "\b\f\n\r\t\"\\/";
    usize at = letters.find(letter);
    if (at == std::string_view::npos) return false;
    text += meanings[at];
    return true;
  }

  bool read_text(std::string& text) {
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c != '\\') text += c;
      else if (!read_escape(text)) return false;
    }
    return false;
  }

  std::string_view rest_;
};

// Returns the length of the UTF-8 sequence at the beginning of the text, or 0 if the bytes are not UTF-8.
usize sequence_length(std::string_view text) {
  u8 first = static_cast<u8>(text[0]);
  usize length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 4;
  if (first >= 0x80 && (first < 0xC2 || first > 0xF4)) return 0;
  if (length > text.size()) return 0;
  for (usize i = 1; i < length; ++i)
    if ((static_cast<u8>(text[i]) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

const Json& Json::operator[](const std::string& name) const {
  static const Json nothing;
  auto found = object.find(name);
  return found == object.end() ? nothing : found->second;
}

i64 Json::as_integer() const {
  constexpr f64 largest = 9e15;
  return number >= -largest && number <= largest ? static_cast<i64>(number) : 0;
}

bool read_json(std::string_view text, Json& value) { return Reader(text).read_whole(value); }

std::string json_text(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    usize length = sequence_length(text);
    char c = text[0];
    if (length == 0) result += '?';
    else if (c == '"' || c == '\\') result += std::string("\\") + c;
    else if (static_cast<u8>(c) < ' ') result += fmt::format("\\u{:04x}", c);
    else result += text.substr(0, length);
    text.remove_prefix(std::max<usize>(length, 1));
  }
  return result + '"';
}

}  // namespace keyhole::step
