// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The -XX flags: one global variable per row of flags.def, read as `flags::GCStressInterval`.
//
// Parsing, ranges, near-miss suggestions, -XX:+PrintFlagsFinal and the text of --help all come from the rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::flags {

enum class Kind : u8 { product, manageable, diagnostic, develop };  // manageable: may change while the VM runs
enum class Origin : u8 { default_value, command_line, management };
enum class Type : u8 { boolean, integer, size, real, text };

#define FLAG_BOOL(name, value, kind, sentence) extern bool name;
#define FLAG_INT(name, value, kind, minimum, maximum, sentence) extern i64 name;
#define FLAG_SIZE(name, value, kind, minimum, maximum, sentence) extern u64 name;
#define FLAG_REAL(name, value, kind, minimum, maximum, sentence) extern double name;
#define FLAG_TEXT(name, value, kind, sentence) extern std::string name;
#include "runtime/base/flags.def"
#undef FLAG_BOOL
#undef FLAG_INT
#undef FLAG_SIZE
#undef FLAG_REAL
#undef FLAG_TEXT

// One row of the table, for printing and parsing.
struct Row {
  std::string_view name;
  Type type;
  Kind kind;
  std::string_view sentence;
  void* variable;
  i64 minimum, maximum;  // of numbers
  Origin origin;
};
std::vector<Row>& rows();
const Row* find_row(std::string_view name);  // null: there is none

// Parses the text after "-XX:" ("+Name", "-Name", "Name=value"; sizes take k, m, g, t).
// Returns the empty string, or the text that java prints on stderr for the same mistake. A flag of inert_flags.def that
// requests something Keyhole does not do adds a line to `warnings`.
std::string parse(std::string_view argument, std::string* warnings = nullptr);
// The rows of inert_flags.def.
struct InertRow {
  std::string_view name;
  bool is_boolean;
  bool is_so;  // for booleans: the value that describes Keyhole's behaviour
  std::string_view sentence;
  bool asked_for = false;  // for booleans: the command line has it with +
};
std::vector<InertRow>& inert_rows();
// Sets a manageable flag while the VM runs, from its value's text; world stopped. Code that uses such flags reads them
// each time.
std::string change(std::string_view name, std::string_view value);
// True: the command line has set the flag `name`.
bool is_set(std::string_view name);
// Parses a size: decimal or 0x, then k, m, g or t. False: the text is not a size.
bool parse_size(std::string_view text, u64* bytes);
// The text of the value, as -XX:+PrintFlagsFinal shows it.
std::string value_text(const Row& row);
// The text of the flag, as on a command line: "-XX:+UseTLAB".
std::string option_text(const Row& row);
std::string final_text();
std::string command_line_text();  // the flags that were set, as -XX:+PrintCommandLineFlags shows them
void print_final();               // -XX:+PrintFlagsFinal

}  // namespace keyhole::flags
