// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's interface to the compiling tiers. The baseline tier registers itself before the first thread
// starts. Without a registered tier the interpreter counts neither calls nor branches.
//
//   method     calls_left reaches 0       with -XX:+ProfileInterpreter first make a profile (method_data.h) and count
//                                         on; then compile; Method::entry becomes the code's
//   loop       back_edges_left reaches 0  compile if not done yet; continue in the code at the loop's header
//   code       unresolved_left reaches 0  recompile: what was unresolved has been executed
//
// A method that cannot be compiled is not tried again. A method for which the code cache had no room is tried again
// when its countdown has run out once more; the compiling thread may make room first.
#pragma once

#include <span>

#include "vm/code/compiled_code.h"
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

class Compiler {
 public:
  enum class Outcome { Installed, Impossible, NoRoom };
  // Compiles `method` from its current instructions and installs the code: MethodCode::compiled, then Method::entry.
  // Called by a managed thread; reaches no safepoint. `back_edge` is for PrintCompilation.
  virtual Outcome compile(JavaThread* thread, Method* method, bool back_edge) = 0;
  // Recompiles a method whose counting has begun or ended (jit/code/policy.h), and replaces its code. Called by a
  // managed thread; reaches no safepoint.
  virtual Outcome recompile(JavaThread* thread, Method* method) = 0;
  // After NoRoom: stops the world and frees code that has not been called for long. False: nothing could be freed.
  virtual bool make_room(JavaThread* thread) MAY_SAFEPOINT = 0;
  // Frees the code of a dead method: no frame is in it, and no code that stays calls it. World stopped.
  virtual void release(Method* method) = 0;

  // Makes code of these methods, and code that has inlined them, obsolete: they are about to be redefined. World
  // stopped.
  virtual void make_obsolete(std::span<Method* const> methods) = 0;
  // Retires code whose frames would not notice that it is obsolete, because it does not compare
  // CompiledCode::obsolete after its calls. World stopped.
  virtual void retire_unchecked_code() = 0;
  // Retires code whose dependencies this class invalidates; it is about to get instances
  // (vm/link/loading/class_hierarchy.h).
  virtual void retire_invalidated_code(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT = 0;

 protected:
  ~Compiler() = default;
};

// Adapters for calls between interpreted and compiled code (vm/code/compiled_code.h). The tier makes them once.
struct Linkage {
  // Method::entry of every compiled method: makes the call record if the caller is interpreted, then calls
  // entry_from_code.
  MethodEntry entry_of_compiled;
  // Method::entry_from_code of all other methods: calls Method::entry as an interpreted invoke does.
  MethodEntry code_to_entry;
  const void* return_to_interpreter;  // the return address of a compiled method that an interpreted frame has called
};

// Called once, before initialize().
void register_compiler(Compiler* compiler, const Linkage& linkage);
Compiler* compiler();
const Linkage& linkage();

// The entry that counts calls, for a method whose entry would be `uncounted`: the plain or a synchronized one.
Handler counted_entry(Handler uncounted);
bool is_counting_entry(MethodEntry entry);
// Resets entry and countdowns to their values before `method` was compiled. Only jit/code/method_codes.cpp calls it,
// because other words, which that file resets, lead to the code, too.
void count_again(Method* method);
// Sets the countdowns of a body that has just been decoded.
void start_counting(MethodCode* body);

// The handler table that counts backward branches. initialize() fills it when there is a compiler.
extern Handler counting_table[operation_count];
void fill_counting_table();
// Counts a backward branch that is taken and has polled, then executes it.
KEYHOLE_PRESERVE_NONE void count_polled_back_edge(HANDLER_PARAMETERS) MAY_SAFEPOINT;
// The handler table that also profiles branches, switches, type tests and calls (handlers_profile.cpp). It is filled
// after the counting table.
extern Handler profiling_table[operation_count];
void fill_profiling_table();
// The table for executing a single instruction: every operation goes to resume_at_entry. A handler that is dispatched
// with this table executes its instruction; the next one continues in compiled code where there is an entry, otherwise
// in the interpreter.
extern Handler fallback_table[operation_count];
// The handler table for fallbacks to instructions that were unresolved at compilation. Compiled code does not profile
// such an instruction, so this table does.
const Handler* table_of_unresolved_fallbacks();

// Continues the frame in compiled code at pc if the code has an entry there, otherwise in the interpreter.
KEYHOLE_PRESERVE_NONE void resume_in_code(HANDLER_PARAMETERS);

// Recompiles the method, then interprets the instruction. Compiled code dispatches this when unresolved_left has run
// out.
HANDLER(recompile_and_interpret);
// Profiled code dispatches these two when its countdown has run out (tier_policy.h): the first after the poll of a
// backward branch, which the handler executes; the second at the first instruction of a complete frame.
HANDLER(end_profiling_and_interpret);
HANDLER(end_profiling_and_start);
// The entry of a compiled synchronized method whose monitor is not free. The frame is complete; pc is the first
// instruction.
HANDLER(lock_and_start);
// Targets of deoptimization: at an instruction, in a call, in inlined code (handlers_deoptimize.cpp).
HANDLER(deoptimize);
HANDLER(deoptimize_with_exception);
HANDLER(deoptimize_after_call);
HANDLER(deoptimize_inlined);

}  // namespace keyhole::interpreter
