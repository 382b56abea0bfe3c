// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's interface to a compiled tier. The tier registers itself before the first thread starts; without one
// nothing is counted.
//
//   method     calls_left reaches 0       with -XX:+ProfileInterpreter first make a profile (method_data.h) and count
//                                         on; then compile; Method::entry becomes the code's
//   loop       back_edges_left reaches 0  compile if not done yet; continue in the code at the loop's header
//   code       unresolved_left reaches 0  recompile: what was unresolved has been executed
//
// A method that cannot be compiled is not tried again. One for which there was no room is, when its countdown has run
// out again; the compiling thread may make room first.
#pragma once

#include <span>

#include "vm/code/compiled_code.h"
#include "vm/interpreter/handlers.h"

namespace keyhole::interpreter {

class Compiler {
 public:
  enum class Outcome { Installed, Impossible, NoRoom };
  // Makes code for `method` from its current cells and installs it: MethodCode::compiled, then Method::entry. Managed
  // thread; reaches no safepoint. `back_edge`: for PrintCompilation.
  virtual Outcome compile(JavaThread* thread, Method* method, bool back_edge) = 0;
  // Recompiles a method whose counting has begun or ended (jit/code/policy.h), and replaces its code. Managed thread;
  // reaches no safepoint.
  virtual Outcome recompile(JavaThread* thread, Method* method) = 0;
  // After NoRoom: stops the world and frees code that was not called for long. False: there is no more room than
  // before.
  virtual bool make_room(JavaThread* thread) MAY_SAFEPOINT = 0;
  // The method is dead, no frame is in its code, and no code that stays calls it. World stopped.
  virtual void release(Method* method) = 0;

  // These methods are about to be redefined: their code, and code that has inlined them, becomes obsolete. World
  // stopped.
  virtual void make_obsolete(std::span<Method* const> methods) = 0;
  // Code whose frames would not notice that retires: it does not look (CompiledCode::is_obsolete). World stopped.
  virtual void retire_unchecked_code() = 0;
  // This class gets instances: code that assumes what it contradicts retires (vm/link/class_hierarchy.h).
  virtual void retire_contradicted_code(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT = 0;

 protected:
  ~Compiler() = default;
};

// Adapters for calls between interpreted and compiled code (compiled_code.h): the tier makes them once.
struct Linkage {
  MethodEntry entry_of_compiled;      // Method::entry of every compiled method: makes the record when the caller is
                                      // interpreted, calls entry_from_code
  // Method::entry_from_code of all other methods: calls Method::entry as an interpreted invoke does.
  MethodEntry code_to_entry;
  const void* return_to_interpreter;  // where a compiled method called by an interpreted frame returns to
};

// Once, before initialize().
void register_compiler(Compiler* compiler, const Linkage& linkage);
Compiler* compiler();
const Linkage& linkage();

// The entry that counts calls, for a method whose entry would be `uncounted`: the plain or a synchronized one.
Handler counted_entry(Handler uncounted);
bool is_counting_entry(MethodEntry entry);
// Entries and countdowns as they were before `method` was compiled. For jit/code/method_codes.cpp, which knows what
// else leads to its code.
void count_again(Method* method);
// Sets up the countdowns of a body just decoded.
void start_counting(MethodCode* body);

// The table whose backward branches count. Filled by initialize() when there is a compiler.
extern Handler counting_table[operation_count];
void fill_counting_table();
// Counts a backward branch that is taken and has polled, and executes it.
KEYHOLE_PRESERVE_NONE void count_polled_back_edge(HANDLER_PARAMETERS) MAY_SAFEPOINT;
// The table that also profiles branches, switches, type tests and calls (handlers_profile.cpp). Filled after the
// counting one.
extern Handler profiling_table[operation_count];
void fill_profiling_table();
// Single-step table: every operation goes to resume_at_entry. A handler that is dispatched with it runs its cell, and
// what follows is compiled code again where there is an entry, else interpreted.
extern Handler step_table[operation_count];
// The first table of a step whose cell was unresolved when its code was made: that code does not profile the cell.
const Handler* table_of_unresolved_fallbacks();

// Continues in compiled code at pc, if it can.
KEYHOLE_PRESERVE_NONE void resume_in_code(HANDLER_PARAMETERS);

// Dispatched by compiled code when unresolved_left has run out: recompiles and runs the cell.
HANDLER(recompile_and_interpret);
// Dispatched by counting code when its countdown has run out (tier_policy.h): behind the poll of a backward branch,
// which they run; at the first cell of a complete frame.
HANDLER(end_profiling_and_interpret);
HANDLER(end_profiling_and_start);
// The entry of a compiled synchronized method whose monitor is not free: the frame is complete, pc is its first cell.
HANDLER(lock_and_start);
// Targets of deoptimization: at an instruction, in a call, in inlined code (handlers_deoptimize.cpp).
HANDLER(deoptimize);
HANDLER(deoptimize_with_exception);
HANDLER(deoptimize_after_call);
HANDLER(deoptimize_inlined);

}  // namespace keyhole::interpreter
