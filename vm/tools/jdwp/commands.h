// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands: a table of functions; each function reads a command's data and writes the reply's.
#pragma once

#include <functional>

#include "runtime/threads/handles.h"
#include "runtime/threads/safepoint.h"
#include "vm/tools/jdwp/object_ids.h"
#include "vm/tools/jdwp/packet.h"
#include "vm/tools/jdwp/values.h"

namespace keyhole::jdwp {

// One execution of a command, on the agent's thread in managed state. `out` is sent as the reply if the result is None.
struct Call {
  JavaThread* thread;
  HandleScope& handles;  // of this command
  Reader in;
  Writer out;
  std::function<void()> afterwards = {};  // called after the reply was sent
};
using Command = Error (*)(Call& call);

#define COMMAND(set, name, set_number, number) Error set##_##name(Call& call) MAY_SAFEPOINT;
#include "vm/tools/jdwp/commands.def"
#undef COMMAND

// Runs a command. Returns NotImplemented if there is no such command.
Error run_command(u8 command_set, u8 command, Call& call);

// --- arguments that commands begin with
// Each function reads the next id of the packet. Objects are valid until the next safepoint poll, classes while the
// command runs.
struct ObjectArgument {
  Object* object = nullptr;
  Error error = Error::None;
};
ObjectArgument read_object(Call& call);
struct TypeArgument {
  Klass* klass = nullptr;
  Error error = Error::None;
};
TypeArgument read_type(Call& call) TOUCHES_OBJECTS;
struct ClassArgument {
  InstanceKlass* klass = nullptr;
  Error error = Error::None;
};
ClassArgument read_class(Call& call) TOUCHES_OBJECTS;  // InvalidClass for arrays

// Runs an operation on the command's thread with the world stopped. Returns the first error.
template <typename Operation> Error stopped(Call& call, const char* name, Operation operation) MAY_SAFEPOINT {
  Error error = Error::None;
  auto run = [&]() TOUCHES_OBJECTS { error = operation(); };
  safepoint::run(call.thread, name, run);
  return error;
}

}  // namespace keyhole::jdwp
