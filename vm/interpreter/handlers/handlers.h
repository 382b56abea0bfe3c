// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handlers: one for each operation. Each ends in a jump to the handler of the next instruction.
//
// Registers. Handlers are preserve_none functions that pass the machine state to each other as arguments:
//
//   argument   x86-64   holds                                                           survives a call to C++
//   pc         r12      the instruction being executed                                  yes
//   sp         r13      stack slot of the top operand (the value itself is in tos)      yes
//   locals     r14      local 0                                                         yes
//   thread     r15      this JavaThread                                                 yes
//   frame      rdi      the frame being executed                                        spilled by the compiler
//   table      rsi      the current handler table                                       spilled by the compiler
//   tos        rdx      the top operand (its stack slot is stale)                       spilled by the compiler
//   word       rcx      the 64-bit word at pc when it was dispatched                    spilled by the compiler
//
// An int is 32 bits in a 64-bit slot, its upper half undefined; a float likewise; a reference is the full address.
//
// Shape of a handler:   check, else `GO(slow handler)`      nothing is changed before all checks have passed
//                       do the work on sp, tos, locals
//                       NEXT()                              the single dispatch point: ++pc, load the instruction, jump
//
// Rules
// H1: a handler has no object with a destructor, and no local variable whose address escapes. With either, musttail
//     would not compile or would need a stack frame. Code that needs scopes is in a C++ function that a slow handler
//     calls.
// H2: before a handler reaches a safepoint, throws or walks the stack, it does SAVE_STATE(), which spills the operands
//     and stores pc and sp in the frame. The saved state is that before the instruction, so the instruction can be
//     executed again.
// H3: fast handlers make no calls, so that they need no prologue and no spill; calls go through [[gnu::noinline]] slow
//     handlers.
// H4: C++ enters handlers only through `enter` of java_call.cpp, because preserve_none callees clobber rbx, in which
//     some callers keep their base pointer.
#pragma once

#include "runtime/object/klass.h"
#include "runtime/threads/safepoint.h"
#include "vm/code/instruction.h"
#include "vm/link/exceptions.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::interpreter {

#define KEYHOLE_PRESERVE_NONE __attribute__((preserve_none))

using Handler = KEYHOLE_PRESERVE_NONE void (*)(const Instruction* pc, Slot* sp, Slot* locals, JavaThread* thread,
                                               Frame* frame, const void* table, Slot tos, u64 word);

#define HANDLER_PARAMETERS \
  const Instruction *pc, Slot *sp, Slot *locals, JavaThread *thread, Frame *frame, const void *table, Slot tos, u64 word
#define HANDLER_ARGUMENTS pc, sp, locals, thread, frame, table, tos, word
#define HANDLER(name) MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void interp_##name(HANDLER_PARAMETERS)
#define SLOW_HANDLER(name) \
  MAY_SAFEPOINT __attribute__((noinline, cold)) KEYHOLE_PRESERVE_NONE void name(HANDLER_PARAMETERS)

// Jumps to another handler with the machine state unchanged.
#define GO(handler) [[clang::musttail]] return handler(HANDLER_ARGUMENTS)
// Executes `word`.
#define DISPATCH() GO((static_cast<const Handler*>(table)[word & 0xFFFF]))
#define NEXT_AT(count)           \
  do {                           \
    pc += (count);               \
    word = load_instruction(pc); \
    DISPATCH();                  \
  } while (0)
#define NEXT() NEXT_AT(1)
// Continues `distance` bytes from pc.
#define BRANCH(distance)                                                                       \
  do {                                                                                         \
    pc = reinterpret_cast<const Instruction*>(reinterpret_cast<const char*>(pc) + (distance)); \
    word = load_instruction(pc);                                                               \
    DISPATCH();                                                                                \
  } while (0)

#define PUSH(value) \
  do {              \
    *sp = tos;      \
    ++sp;           \
    tos = (value);  \
  } while (0)
#define PUSH_WIDE(value) \
  do {                   \
    *sp = tos;           \
    sp += 2;             \
    tos = (value);       \
  } while (0)
#define POP()  \
  do {         \
    --sp;      \
    tos = *sp; \
  } while (0)
#define SAVE_STATE()           \
  do {                         \
    *sp = tos;                 \
    frame->pc = pc;            \
    frame->sp = sp;            \
    thread->top_frame = frame; \
  } while (0)
// Reloads the top operand after C++ has returned normally: the collector may have moved the object that tos refers to.
#define RELOAD_TOS() \
  do {               \
    tos = *sp;       \
  } while (0)
// Executes the instruction at pc again, with the word that is in memory now.
#define AGAIN()                  \
  do {                           \
    word = load_instruction(pc); \
    DISPATCH();                  \
  } while (0)

inline i32 as_int(Slot slot) { return static_cast<i32>(slot); }
inline i64 as_long(Slot slot) { return static_cast<i64>(slot); }
inline f32 as_float(Slot slot) { return __builtin_bit_cast(f32, static_cast<u32>(slot)); }
inline f64 as_double(Slot slot) { return __builtin_bit_cast(f64, slot); }
inline Object* as_object(Slot slot) { return reinterpret_cast<Object*>(slot); }
inline Slot to_slot(i32 value) { return static_cast<u32>(value); }
inline Slot to_slot(u32 value) { return value; }
inline Slot to_slot(i64 value) { return static_cast<u64>(value); }
inline Slot to_slot(f32 value) { return __builtin_bit_cast(u32, value); }
inline Slot to_slot(f64 value) { return __builtin_bit_cast(u64, value); }
inline Slot to_slot(const Object* value) { return reinterpret_cast<u64>(value); }

// Declares the handler of every operation that does not lock. locking_handlers.h declares the handlers that lock.
#define OPERATION(name, ...) HANDLER(name);
#define LOCKING_OPERATION(...)
#include "vm/code/operations.def"
#undef OPERATION

extern Handler plain_table[operation_count];         // dispatch_table.cpp
extern Handler tracing_table[operation_count];       // trace.cpp
extern const Handler stress_table[operation_count];  // safepoint_stress.cpp
const void* active_table();                          // chosen by -XX:+TraceBytecodes and -XX:GCStressSafepointInterval
void fill_tracing_table();

// --- slow handlers shared by the categories (slow_handlers.cpp) ------------------------------------------------------
// Continues at the handler of thread->pending_exception, or returns to C++ if there is no handler. The caller has saved
// the state.
SLOW_HANDLER(unwind);
KEYHOLE_PRESERVE_NONE void resume_after_unwind(HANDLER_PARAMETERS);  // handlers_compiled.cpp
KEYHOLE_PRESERVE_NONE void return_exception(HANDLER_PARAMETERS);
KEYHOLE_PRESERVE_NONE void resume_compiled_by_jump(HANDLER_PARAMETERS);
KEYHOLE_PRESERVE_NONE void drop_records_and_go(HANDLER_PARAMETERS);
// thread->poll is set: stops, then executes the instruction at pc again.
SLOW_HANDLER(poll_and_retry);
SLOW_HANDLER(raise_null_pointer);
SLOW_HANDLER(raise_division_by_zero);
// Throws ArrayIndexOutOfBoundsException. `word` has the index in its upper half and the length in its lower half.
SLOW_HANDLER(raise_index_out_of_bounds);
// Two handlers that throw IncompatibleClassChangeError, because the receiver does not implement the interface:
// raise_not_an_implementer for invokeinterface of a private method, raise_wrong_special_receiver for invokespecial in
// an interface. `word` is the word of the invoke.
SLOW_HANDLER(raise_not_an_implementer);
SLOW_HANDLER(raise_wrong_special_receiver);
// Throws StackOverflowError at an invoke. tos is the callee, sp is at its last argument, pc at the invoke.
SLOW_HANDLER(raise_stack_overflow);
// Slow path of an entry whose frame would end above entry_limit: there is no room, or the thread has to poll
// (handlers_entry.cpp).
HANDLER(enter_slowly);
// Polls in the callee's complete frame, whose pc is at its first instruction. Then enters the monitor of a synchronized
// method, and starts the method.
HANDLER(poll_and_start);

#define CHECK_NULL(slot)          \
  do {                            \
    if ((slot) == 0) [[unlikely]] \
      GO(raise_null_pointer);     \
  } while (0)
#define POLL()                                                          \
  do {                                                                  \
    if (thread->poll.load(std::memory_order_relaxed) != 0) [[unlikely]] \
      GO(poll_and_retry);                                               \
  } while (0)

// --- method entries: tos = the Method, sp = stack slot of its last argument, pc = the caller's invoke (also in
// --- frame->pc), operand a of `word` = the number of argument slots
// ----------------------------------------------------
#define ENTER_METHOD(method)                                                         \
  do {                                                                               \
    const Method* callee_ = (method);                                                \
    tos = reinterpret_cast<Slot>(callee_);                                           \
    GO((reinterpret_cast<Handler>(callee_->entry.load(std::memory_order_relaxed)))); \
  } while (0)

}  // namespace keyhole::interpreter
