// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the format of LocalVariableTable and LocalVariableTypeTable.
//
//   entry   start_pc  length  name  descriptor or signature  local      two bytes each
//           \------- the variable ------/                     /
//
// V1: no variable occurs twice in tables of the same kind (name index, range and local).
// V2: in a method that has a LocalVariableTable, a variable with a generic type also has its plain entry.
#include "vm/classfile/local_variables.h"

#include <algorithm>

namespace keyhole::classfile {
namespace {

constexpr u32 entry_bytes = 10;

// The key that identifies a variable: start, length, name and local.
u64 variable_of(const u8* entry) {
  return u64{read_u16(entry)} << 48 | u64{read_u16(entry + 2)} << 32 | u64{read_u16(entry + 4)} << 16 |
         read_u16(entry + 8);
}

std::vector<u64> sorted_variables(const std::vector<const u8*>& entries) {
  std::vector<u64> variables;
  for (const u8* entry : entries) variables.push_back(variable_of(entry));
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace

bool Parser::check_local_variables(const Method& method, const Attribute& whole, bool are_generic,
                                   LocalVariableTables& tables) {
  bool is_whole = !whole.is_cut() && whole.length >= 2 && whole.length == 2 + read_u16(whole.content) * entry_bytes;
  if (options_.trusted && is_whole) return true;
  const char* attribute = are_generic ? "LocalVariableTypeTable" : "LocalVariableTable";
  ByteReader table = whole.rest();
  u16 count = table.u2();
  if (!table.overrun() && whole.length != 2 + u32{count} * entry_bytes) fail("{} has wrong length", attribute);
  const u8* entry = table.take(usize{count} * entry_bytes);
  if (table.overrun()) fail_truncated();
  if (failed() || options_.trusted) return !failed();
  for (u16 index = 0; index < count; ++index, entry += entry_bytes) {
    u32 start = read_u16(entry), length = read_u16(entry + 2), name_index = read_u16(entry + 4),
        type_index = read_u16(entry + 6), local = read_u16(entry + 8);
    if (start >= method.code_length) fail("Invalid start_pc {} in {}", start, attribute);
    else if (start + length > method.code_length) fail("Invalid length {} in {}", length, attribute);
    else if (!is_utf8(name_index)) fail("Name index {} in {} has bad constant type", name_index, attribute);
    else if (!is_utf8(type_index)) fail("Signature index {} in {} has bad constant type", type_index, attribute);
    if (failed()) return false;
    std::string_view name = pool().utf8_text(name_index), type = pool().utf8_text(type_index);
    check_field_name(name);
    if (!failed() && !are_generic) check_field_descriptor(name, type);
    u32 slots = !are_generic && (type == "J" || type == "D") ? 2 : 1;
    if (!failed() && local + slots > method.max_locals) fail("Invalid index {} in {}", local, attribute);
    if (failed()) return false;
    (are_generic ? tables.generic : tables.plain).push_back(entry);
  }
  return true;
}

void Parser::check_duplicate_variables(const LocalVariableTables& tables) {
  if (klass_.major_version < 49) return;
  auto name_of = [&](u64 variable) { return pool().utf8_text(static_cast<u16>(variable >> 16)); };
  auto duplicate = [&](const std::vector<u64>& variables, const char* attribute) {
    auto twice = std::adjacent_find(variables.begin(), variables.end());
    if (twice != variables.end()) fail("Duplicated {} attribute entry for '{}'", attribute, name_of(*twice));
  };
  if (tables.plain.empty()) return;
  std::vector<u64> plain = sorted_variables(tables.plain);
  duplicate(plain, "LocalVariableTable");
  for (const u8* entry : tables.generic) {
    u64 variable = variable_of(entry);
    if (!std::binary_search(plain.begin(), plain.end(), variable))
      fail_text("LVTT entry for '{}' in class file {} does not match any LVT entry", name_of(variable), shown_name_);
    if (failed()) return;
  }
  duplicate(sorted_variables(tables.generic), "LocalVariableTypeTable");
}

}  // namespace keyhole::classfile
