// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON for the Debug Adapter Protocol: parses messages into values, and quotes strings for responses.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::step {

struct Json {
  enum class Type : u8 { null, boolean, number, text, list, object };

  Type type = Type::null;
  bool boolean = false;
  f64 number = 0;
  std::string text;
  std::vector<Json> list;
  std::map<std::string, Json> object;

  // Returns the object's member of this name, or null if the object has none.
  const Json& operator[](const std::string& name) const;
  i64 as_integer() const;
};

// Returns false if the text is not JSON, or is nested too deeply.
bool read_json(std::string_view text, Json& value);
// Returns the text as a JSON string in quotation marks. Bytes that are not UTF-8 become question marks.
std::string json_text(std::string_view text);

}  // namespace keyhole::step
