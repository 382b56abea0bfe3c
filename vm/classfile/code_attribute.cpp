// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Code attribute (JVMS 4.7.3) with its handlers, line numbers, stack map and local variables.
//
// The bytecode itself is left to decoder and verifier.
#include <cstring>

#include "vm/classfile/parser.h"

namespace keyhole::classfile {
namespace {
constexpr u32 largest_code_length = 65535;
}

void Parser::parse_code(Method& method, ByteReader attribute) {
  if (klass_.major_version == 45 && result_.minor_version <= 2) {   // the first compilers used smaller fields
    method.max_stack = attribute.u1();
    method.max_locals = attribute.u1();
    method.code_length = attribute.u2();
  } else {
    method.max_stack = attribute.u2();
    method.max_locals = attribute.u2();
    method.code_length = attribute.u4();
  }
  if (attribute.overrun()) return fail("Code attribute has wrong length");
  if (method.argument_slots > method.max_locals) return fail("Arguments can't fit into locals");
  if (method.code_length == 0 || method.code_length > largest_code_length) {
    return fail("Invalid method Code length {}", method.code_length);
  }
  method.code = attribute.take(method.code_length);
  u16 handler_count = attribute.u2();
  const u8* raw = attribute.take(usize{handler_count} * 8);
  if (attribute.overrun()) return fail("Code attribute has wrong length");

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
  parse_code_attributes(method, attribute);
  if (!failed()) check_whole(attribute, "Code");
}

void Parser::parse_code_attributes(Method& method, ByteReader& attribute) {
  u16 count = attribute.u2();
  for (u16 i = 0; i < count; ++i) {
    u16 name_index = attribute.u2();
    u32 length = attribute.u4();
    ByteReader content = attribute.sub(length);
    if (attribute.overrun()) return fail("Code attribute has wrong length");
    if (!is_utf8(name_index)) return fail("Invalid attribute name index {}", name_index);
    std::string_view name = pool().utf8_text(name_index);
    if (name == "LineNumberTable") {
      parse_line_numbers(method, content);
    } else if (name == "StackMapTable") {
      if (klass_.major_version >= 50) {
        if (method.stack_map != nullptr) return fail("Multiple StackMapTable attributes");
        keep_raw(content, method.stack_map, method.stack_map_length);
      }
    } else if (name == "LocalVariableTable") {
      u16 entries = content.u2();
      const u8* table = content.take(usize{entries} * 10);
      if (!check_whole(content, "LocalVariableTable")) return;
      if (method.local_variables == nullptr) {
        method.local_variables = table;
        method.local_variable_count = entries;
      }
    }
    if (failed()) return;
  }
}

void Parser::parse_line_numbers(Method& method, ByteReader table) {
  u16 count = table.u2();
  const u8* raw = table.take(usize{count} * 4);
  if (!check_whole(table, "LineNumberTable")) return;
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
  // Several tables count as one (JVMS 4.7.12).
  u32 together = u32{method.line_count} + count;
  if (together > 65535) return;
  u8* joined = array<u8>(usize{together} * 4);
  memcpy(joined, method.lines, usize{method.line_count} * 4);
  memcpy(joined + usize{method.line_count} * 4, raw, usize{count} * 4);
  method.lines = joined;
  method.line_count = static_cast<u16>(together);
}

}  // namespace keyhole::classfile
