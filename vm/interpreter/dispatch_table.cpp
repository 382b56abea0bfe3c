// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of handlers, and what the interpreter sets up at start.
#include "runtime/base/flags.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/interpreter.h"

namespace keyhole::interpreter {

const Handler plain_table[static_cast<usize>(Operation::count)] = {
#define OPERATION(name) interp_##name,
#include "vm/interpreter/operations.def"
#undef OPERATION
};

const void* active_table() { return flags::TraceBytecodes ? tracing_table : plain_table; }

void initialize() {
  fill_tracing_table();
  register_stack_roots();
}

MethodEntry first_entry(const Method* method) {
  if (method->is_abstract()) return as_method_entry(interp_entry_abstract);
  if (method->is_native()) return as_method_entry(interp_entry_link_native);
  return as_method_entry(interp_entry_decode);
}

}  // namespace keyhole::interpreter
