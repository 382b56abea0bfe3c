// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the Code attribute (JVMS 4.7.3) with its exception handlers, line numbers, stack map and local variables.
//
// The parser does not look into the bytecode. Verifier and decoder do.
#include <cstring>

#include "vm/classfile/local_variables.h"

namespace keyhole::classfile {
namespace {
constexpr u32 largest_code_length = 65535;
}

void Parser::parse_code(Method& method, const Attribute& attribute) {
  ByteReader code = attribute.rest();
  method.max_stack = code.u2();
  method.max_locals = code.u2();
  method.code_length = code.u4();
  if (code.overrun()) return fail_truncated();
  if (method.argument_slots > method.max_locals) return fail("Arguments can't fit into locals");
  if (method.code_length == 0 || method.code_length > largest_code_length) {
    return fail("Invalid method Code length {}", method.code_length);
  }
  method.code = code.take(method.code_length);
  u16 handler_count = code.u2();
  const u8* raw = code.take(usize{handler_count} * 8);
  if (code.overrun()) return fail_truncated();

  auto* handlers = array<ExceptionHandler>(handler_count);
  for (u16 i = 0; i < handler_count; ++i, raw += 8) {
    ExceptionHandler& handler = handlers[i];
    handler = {read_u16(raw), read_u16(raw + 2), read_u16(raw + 4), read_u16(raw + 6)};
    if (handler.start_bci >= handler.end_bci || handler.end_bci > method.code_length)
      return fail("Illegal exception table range");
    if (handler.handler_bci >= method.code_length) return fail("Illegal exception table handler");
    if (handler.catch_type_index != 0 && !is_class(handler.catch_type_index)) {
      return fail("Catch type in exception table has bad constant type");
    }
  }
  method.handlers = handlers;
  method.handler_count = handler_count;
  parse_code_attributes(method, code);
  if (!failed()) check_length(attribute, code, "Code segment has wrong length");
}

void Parser::parse_code_attributes(Method& method, ByteReader& code) {
  LocalVariableTables local_variables;
  u16 count = code.u2();
  if (code.overrun()) return fail_truncated();
  for (u16 i = 0; i < count; ++i) {
    Attribute attribute;
    if (!next_attribute(code, "Invalid code attribute name index {}", attribute)) return;
    if (attribute.name == "LineNumberTable") {
      parse_line_numbers(method, attribute);
    } else if (attribute.name == "StackMapTable" && klass_.major_version >= 50) {
      if (method.stack_map != nullptr) return fail("Multiple StackMapTable attributes");
      if (attribute.length != 0 && !attribute.is_cut()) {
        method.stack_map = attribute.content;
        method.stack_map_length = attribute.length;
      }
    } else if (attribute.name == "LocalVariableTable") {
      if (!check_local_variables(method, attribute, false, local_variables)) return;
      if (method.local_variables == nullptr) {
        method.local_variable_count = read_u16(attribute.content);
        method.local_variables = attribute.content + 2;
      }
    } else if (attribute.name == "LocalVariableTypeTable" && klass_.major_version >= 49) {
      if (!check_local_variables(method, attribute, true, local_variables)) return;
    }
    if (!failed() && attribute.is_cut()) fail_truncated();
    if (failed()) return;
  }
  if (!options_.trusted) check_duplicate_variables(local_variables);
}

void Parser::parse_line_numbers(Method& method, const Attribute& attribute) {
  ByteReader table = attribute.rest();
  u16 count = table.u2();
  if (table.overrun()) return fail_truncated();
  if (attribute.length != 2 + u32{count} * 4) return fail("LineNumberTable attribute has wrong length");
  const u8* raw = table.take(usize{count} * 4);
  if (table.overrun()) return fail_truncated();
  if (!options_.trusted) {
    for (u16 i = 0; i < count; ++i) {
      if (read_u16(raw + 4 * i) >= method.code_length) return fail("Invalid pc in LineNumberTable");
    }
  }
  if (method.line_count == 0) {
    method.lines = raw;
    method.line_count = count;
    return;
  }
  // Several tables count as one table (JVMS 4.7.12).
  u32 together = u32{method.line_count} + count;
  if (together > 65535) return;
  u8* joined = array<u8>(usize{together} * 4);
  memcpy(joined, method.lines, usize{method.line_count} * 4);
  memcpy(joined + usize{method.line_count} * 4, raw, usize{count} * 4);
  method.lines = joined;
  method.line_count = static_cast<u16>(together);
}

}  // namespace keyhole::classfile
