// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON as the Debug Adapter Protocol needs it: messages read into values, and texts quoted.
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

  // A member of an object; null if there is none.
  const Json& operator[](const std::string& name) const;
  i64 as_integer() const;
};

// False: the text is not JSON, or nested too deeply.
bool read_json(std::string_view text, Json& value);
// With quotation marks. Bytes that are not UTF-8 become question marks.
std::string json_text(std::string_view text);

}  // namespace keyhole::step
