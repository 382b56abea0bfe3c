// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatches commands, and reads the arguments that most commands begin with.
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {
namespace {

struct Row {
  u8 command_set, command;
  Command run;
};
constexpr Row rows[] = {
#define COMMAND(set, name, set_number, number) {set_number, number, set##_##name},
#include "vm/tools/jdwp/commands.def"
#undef COMMAND
};

}  // namespace

Error run_command(u8 command_set, u8 command, Call& call) {
  for (const Row& row : rows) {
    if (row.command_set != command_set || row.command != command) continue;
    Error error = row.run(call);
    return error == Error::None && !call.in.ok() ? Error::IllegalArgument : error;
  }
  return Error::NotImplemented;
}

ObjectArgument read_object(Call& call) {
  Object* object = object_ids::find(call.in.read_u64()).object;
  return {object, object == nullptr ? Error::InvalidObject : Error::None};
}

TypeArgument read_type(Call& call) {
  object_ids::Found found = object_ids::find(call.in.read_u64());
  if (!found.is_known) return {.error = Error::InvalidObject};
  if (found.object == nullptr || !is_class_object(found.object)) return {.error = Error::InvalidClass};
  call.handles.make(found.object);
  return {.klass = klass_of_mirror(found.object)};
}

ClassArgument read_class(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return {.error = error};
  if (!klass->is_instance()) return {.error = Error::InvalidClass};
  return {.klass = klass->as_instance()};
}

}  // namespace keyhole::jdwp
