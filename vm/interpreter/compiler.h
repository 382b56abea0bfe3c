// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's interface to the compiling tiers. The baseline tier registers itself before the first thread
// starts. Without a registered tier the interpreter counts neither calls nor branches.
//
//   method     calls_left reaches 0       with -XX:+ProfileInterpreter first make a profile (method_data.h) and restart
//                                         the countdown; then compile, and set Method::entry to the code's entry
//   loop       back_edges_left reaches 0  compile if not done yet; continue in the code at the loop's header
//   code       unresolved_left reaches 0  recompile, because unresolved instructions have been executed
// A method that cannot be compiled is not tried again. If the code cache has no room, the compiling thread may make
// room and try once more. If this also fails, the method is tried again when its countdown has run out once more.
#pragma once

#include <span>

#include "vm/code/compiled_code.h"
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

class Compiler {
 public:
  enum class Outcome { Installed, Impossible, NoRoom };
  // Compiles `method` from its current instructions and installs the code: sets MethodCode::compiled, then
  // Method::entry. Called by a managed thread; reaches no safepoint. `back_edge` is for PrintCompilation.
  virtual Outcome compile(JavaThread* thread, Method* method, bool back_edge) = 0;
  // Recompiles a method whose profiling interval has begun or ended (jit/code/policy.h), and replaces its code. Called
  // by a managed thread; reaches no safepoint.
  virtual Outcome recompile(JavaThread* thread, Method* method) = 0;
  // Called when a compilation has returned NoRoom: stops the world and frees code that has not been called for long.
  // Returns false if there is no such code.
  virtual bool make_room(JavaThread* thread) MAY_SAFEPOINT = 0;
  // Frees the code of a dead method. World stopped. No frame executes the code, and no remaining code calls it.
  virtual void release(Method* method) = 0;

  // Marks as obsolete the code of these methods, and all code that has inlined them, because the methods are about to
  // be redefined. World stopped.
  virtual void make_obsolete(std::span<Method* const> methods) = 0;
  // Retires code that does not compare CompiledCode::obsolete after its calls: frames of such code would not notice
  // that the code has become obsolete. World stopped.
  virtual void retire_unchecked_code() = 0;
  // `klass` is about to get its first instances. Retires code whose dependencies this invalidates
  // (vm/link/loading/class_hierarchy.h).
  virtual void retire_invalidated_code(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT = 0;

 protected:
  ~Compiler() = default;
};

// Adapters for calls between interpreted and compiled code (vm/code/compiled_code.h). The compiling tier makes the
// adapters once.
struct Linkage {
  // Method::entry of every compiled method. If the caller is interpreted, this stub pushes a call record on the native
  // stack. Then it calls entry_from_code.
  MethodEntry entry_of_compiled;
  // Method::entry_from_code of every method without compiled code: calls Method::entry as an interpreted invoke does.
  MethodEntry code_to_entry;
  // The address to which a compiled method returns if an interpreted frame has called it.
  const void* return_to_interpreter;
};

// Called once, before initialize().
void register_compiler(Compiler* compiler, const Linkage& linkage);
Compiler* compiler();
const Linkage& linkage();

// Returns the entry that counts calls and otherwise acts as `uncounted`, the entry of a plain or synchronized method.
Handler counted_entry(Handler uncounted);
bool is_counting_entry(MethodEntry entry);
// Sets entry and countdowns back to the values that they had before `method` was compiled. Called only by
// jit/code/method_codes.cpp, when a method loses its code.
void count_again(Method* method);
// Sets the countdowns of a body that has just been decoded.
void start_counting(MethodCode* body);

// The handler table that counts backward branches. initialize() fills it when there is a compiler.
extern Handler counting_table[operation_count];
void fill_counting_table();
// Counts a backward branch that is taken and whose poll is done, then executes the branch.
KEYHOLE_PRESERVE_NONE void count_polled_back_edge(HANDLER_PARAMETERS) MAY_SAFEPOINT;
// The handler table that also profiles branches, switches, type tests and calls (handlers_profile.cpp). The table is
// filled after the counting table.
extern Handler profiling_table[operation_count];
void fill_profiling_table();
// The handler table for executing a single instruction: each of its entries is resume_at_entry. A handler that runs
// with this table executes its instruction and dispatches the next instruction to resume_at_entry. If the compiled code
// has an entry at that instruction, resume_at_entry continues in the code, otherwise in the interpreter.
extern Handler fallback_table[operation_count];
// The handler table for fallbacks to instructions that were unresolved at compilation. Handlers of this table also
// profile, because compiled code does not profile these instructions.
const Handler* table_of_unresolved_fallbacks();

// Continues the frame in compiled code at pc if the code has an entry there, otherwise in the interpreter.
KEYHOLE_PRESERVE_NONE void resume_in_code(HANDLER_PARAMETERS);

// Recompiles the method, then interprets the instruction. Compiled code dispatches this handler when unresolved_left
// has reached 0.
HANDLER(recompile_and_interpret);
// Profiled code dispatches one of these two handlers when a countdown has reached 0 (tier_policy.h). At a backward
// branch the code polls and dispatches the first handler, which executes the branch. At the method's first instruction,
// when the frame is complete, the code dispatches the second handler.
HANDLER(end_profiling_and_interpret);
HANDLER(end_profiling_and_start);
// Compiled code of a synchronized method jumps here if the monitor is not free. The frame is complete, and pc is at the
// method's first instruction.
HANDLER(lock_and_start);
// Four handlers that continue a frame after its optimised code has deoptimized (handlers_deoptimize.cpp). In order: at
// an instruction, after a call that threw, after any other call, at an instruction of an inlined method.
HANDLER(deoptimize);
HANDLER(deoptimize_with_exception);
HANDLER(deoptimize_after_call);
HANDLER(deoptimize_inlined);

}  // namespace keyhole::interpreter
