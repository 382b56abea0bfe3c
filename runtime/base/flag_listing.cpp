// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the rows of flags.def as tables.
#include "runtime/base/flag_listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/flags.h"

namespace keyhole::flags {
namespace {

struct Default {
  std::string_view name, type, kind;
  std::string text;
};

std::vector<Default> defaults() {
  std::vector<Default> all = {
#define FLAG_BOOL(name, value, kind, sentence) {#name, "bool", #kind, (value) ? "true" : "false"},
#define FLAG_INT(name, value, kind, minimum, maximum, sentence) {#name, "intx", #kind, fmt::format("{}", i64(value))},
#define FLAG_SIZE(name, value, kind, minimum, maximum, sentence) \
  {#name, "size_t", #kind, fmt::format("{}", u64(value))},
#define FLAG_REAL(name, value, kind, minimum, maximum, sentence) \
  {#name, "double", #kind, fmt::format("{:.6f}", double(value))},
#define FLAG_TEXT(name, value, kind, sentence) {#name, "ccstr", #kind, value},
#include "runtime/base/flags.def"
#undef FLAG_BOOL
#undef FLAG_INT
#undef FLAG_SIZE
#undef FLAG_REAL
#undef FLAG_TEXT
  };
  std::ranges::sort(all, {}, &Default::name);
  return all;
}

}  // namespace

std::string initial_text() {
  std::string text = "[Global flags]\n";
  for (const Default& row : defaults())
    text += fmt::format("{:>9} {:<40} = {:<40} {{{}}} {{default}}\n", row.type, row.name, row.text, row.kind);
  return text;
}

std::string ranges_text() {
  std::string text = "[Global flags ranges]\n";
  for (const Default& row : defaults()) {
    const Row& flag = *find_row(row.name);
    if (flag.type == Type::boolean || flag.type == Type::text) continue;
    std::string minimum = fmt::format("{}", flag.minimum), maximum = fmt::format("{}", flag.maximum);
    if (flag.type == Type::real) {
      minimum = fmt::format("{:.3f}", static_cast<double>(flag.minimum));
      maximum = fmt::format("{:.3f}", static_cast<double>(flag.maximum));
    }
    text += fmt::format("{:>9} {:<50} [ {:<25} ... {:>25} ] {{{}}} {{{}}}\n", row.type, row.name, minimum, maximum,
                        row.kind, flag.origin == Origin::default_value ? "default" : "command line");
  }
  return text;
}

}  // namespace keyhole::flags
