// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the command set Method: line tables, variable tables, bytecode.
#include "vm/metadata/constant_pool.h"
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {
namespace {

struct MethodArgument {
  const Method* method = nullptr;
  Error error = Error::None;
};
MethodArgument read_method(Call& call) TOUCHES_OBJECTS {
  auto [klass, error] = read_class(call);
  if (error != Error::None) return {.error = error};
  const Method* method = method_of(klass, call.in.read_u64());
  return {method, method == nullptr ? Error::InvalidMethodid : Error::None};
}

u16 u16_at(const u8* bytes) { return static_cast<u16>(bytes[0] << 8 | bytes[1]); }

constexpr u64 no_index = ~u64{0};  // in place of the code indices of a method that has no code

// An entry of a LocalVariableTable (JVMS 4.7.13): start, length, name, descriptor, slot; two bytes each.
constexpr usize variable_bytes = 10;

Error write_variables(Call& call, bool with_generic) TOUCHES_OBJECTS {
  auto [method, error] = read_method(call);
  if (error != Error::None) return error;
  if (method->is_native()) return Error::NativeMethod;
  if (method->local_variables == nullptr && method->max_locals != 0) return Error::AbsentInformation;
  call.out.write_i32(method->argument_slots);
  call.out.write_i32(method->local_variable_count);
  for (u32 i = 0; i < method->local_variable_count; ++i) {
    const u8* row = method->local_variables + i * variable_bytes;
    call.out.write_u64(u16_at(row));
    call.out.write_string(method->constants->utf8_text(u16_at(row + 4)));
    call.out.write_string(method->constants->utf8_text(u16_at(row + 6)));
    if (with_generic) call.out.write_string("");  // LocalVariableTypeTable is not kept
    call.out.write_i32(u16_at(row + 2));
    call.out.write_i32(u16_at(row + 8));
  }
  return Error::None;
}

}  // namespace

Error method_line_table(Call& call) {
  auto [method, error] = read_method(call);
  if (error != Error::None) return error;
  if (method->is_native()) return Error::NativeMethod;
  if (method->code == nullptr || method->line_count == 0) return Error::AbsentInformation;
  call.out.write_u64(0);
  call.out.write_u64(method->code_length == 0 ? no_index : method->code_length - 1);
  call.out.write_i32(method->line_count);
  for (u32 i = 0; i < method->line_count; ++i) {
    call.out.write_u64(u16_at(method->lines + i * 4));
    call.out.write_i32(u16_at(method->lines + i * 4 + 2));
  }
  return Error::None;
}

Error method_variable_table(Call& call) { return write_variables(call, false); }
Error method_variable_table_with_generic(Call& call) { return write_variables(call, true); }

Error method_bytecodes(Call& call) {
  auto [method, error] = read_method(call);
  if (error != Error::None) return error;
  u32 length = method->code == nullptr ? 0 : method->code_length;
  call.out.write_i32(static_cast<i32>(length));
  call.out.write_bytes({method->code, length});
  return Error::None;
}

// Returns whether the method is obsolete. Obsolete methods have id 0.
Error method_is_obsolete(Call& call) {
  auto [klass, error] = read_class(call);
  if (error != Error::None) return error;
  u64 id = call.in.read_u64();
  if (id != 0 && method_of(klass, id) == nullptr) return Error::InvalidMethodid;
  call.out.write_boolean(id == 0);
  return Error::None;
}

}  // namespace keyhole::jdwp
