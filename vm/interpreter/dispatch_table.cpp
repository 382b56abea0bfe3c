// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of handlers, and the interpreter's initialisation.
#include "runtime/base/controlled/strands.h"
#include "runtime/base/flags.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/races/races.h"
#include "vm/frames/stack_roots.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/engine.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/locking_handlers.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/points/race_points.h"
#include "vm/interpreter/points/schedule_points.h"
#include "vm/interpreter/stepping.h"

namespace keyhole::interpreter {

// The handler table, which is filled once, before any thread executes handlers.
Handler plain_table[operation_count] = {
#define OPERATION(name, ...) interp_##name,
#define LOCKING_OPERATION(name, ...) nullptr,
#include "vm/code/operations.def"
#undef OPERATION
};

const void* active_table() {
  if (stepping::is_on) return stepping_table;
  if (controlled::is_on()) return controlled_table;
  if (races::is_on()) return watched_table;
  if (flags::TraceBytecodes) return tracing_table;
  if (flags::GCStressSafepointInterval != 0) return stress_table;
  if (compiler() == nullptr) return plain_table;
  return flags::ProfileInterpreter ? profiling_table : counting_table;
}

static void choose_locking_handlers() {
  const LockingHandlers& chosen = locking_handlers(sync::fast_path());
#define OPERATION(...)
#define LOCKING_OPERATION(name, ...) plain_table[index_of(Operation::name)] = chosen.name;
#include "vm/code/operations.def"
#undef OPERATION
}

// The interpreter is registered as the linker's engine before main, because unit tests run methods without starting a
// VM.
static Engine engine;
[[maybe_unused]] static const bool is_registered = (register_execution_engine(&engine), true);

void initialize() {
  choose_locking_handlers();
  fill_tracing_table();
  fill_counting_table();
  fill_profiling_table();
  if (controlled::is_on()) {
    fill_controlled_table();
    fill_stepping_table();
    initialize_schedule_points();
  }
  if (races::is_on()) {
    fill_watched_table();
    initialize_race_points();
  }
  register_stack_roots();
}

MethodEntry Engine::first_entry(const Method* method) { return interpreter::first_entry(method); }
MethodEntry Engine::first_entry_from_code() { return interpreter::first_entry_from_code(); }

MethodEntry first_entry(const Method* method) {
  if (method->is_abstract()) return as_method_entry(interp_entry_abstract);
  if (method->is_native()) return as_method_entry(interp_entry_link_native);
  return as_method_entry(interp_entry_decode);
}

}  // namespace keyhole::interpreter
