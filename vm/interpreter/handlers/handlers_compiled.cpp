// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Transitions between interpreter and compiled code: counting, compilation at a threshold, on-stack replacement
// (vm/code/compiled_code.h, compiler.h).
#include <algorithm>

#include "runtime/base/flags.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/asynchronous.h"
#include "vm/frames/recorded_deoptimization.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/handlers/locking_handlers.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/method_data.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::interpreter {
namespace {

inline Handler entry_at(const Frame* frame, const Instruction* pc) {
  return reinterpret_cast<Handler>(where_to_continue(frame, pc));
}

Linkage registered_linkage;

static_assert(offsetof(Frame, caller) == 0);
// Pushes a call record for a frame whose caller is interpreted. word = the address to continue at, table =
// return_to_interpreter.
[[gnu::naked]] KEYHOLE_PRESERVE_NONE void make_record_and_go(HANDLER_PARAMETERS) {
  asm volatile("pushq (%rdi)\n\tpushq %rsi\n\tjmpq *%rcx");
}

#define GO_TO_CODE(address)                               \
  do {                                                    \
    if (calls_from_code(caller_of(frame))) GO((address)); \
    word = reinterpret_cast<u64>(address);                \
    table = registered_linkage.return_to_interpreter;     \
    GO(make_record_and_go);                               \
  } while (0)

// LIFE(deoptimization) 9/10: on-stack replacement: the frame may enter code again, at a loop header for example
// If an instruction was resolved for this execution only (resolution.h), `word` differs from the word in memory; then
// this handler executes `word`.
KEYHOLE_PRESERVE_NONE void resume_at_entry(HANDLER_PARAMETERS) {
  table = thread->dispatch;
  if (word == load_instruction(pc)) [[likely]] {
    if (Handler entry = entry_at(frame, pc)) {
      *sp = tos;
      GO_TO_CODE(entry);
    }
  }
  DISPATCH();
}

}  // namespace

// Records that the frame enters compiled code, then does what resume_at_entry does.
static SLOW_HANDLER(record_and_resume_at_entry) {
  *sp = tos;
  record_osr_entry(thread, frame, pc);
  RELOAD_TOS();
  GO(resume_at_entry);
}
// Replaces resume_at_entry in fallback_table while a recording includes events of compiled code. Records only entries
// into OSR code. A frame of baseline code also enters its code through fallback_table, after each bytecode that it has
// executed in the interpreter (a fallback). Those entries are too many to record.
KEYHOLE_PRESERVE_NONE static void resume_recorded(HANDLER_PARAMETERS) MAY_SAFEPOINT {
  if (const CompiledCode* code = place_to_continue(frame, pc).code; code != nullptr && code->is_of_loop) [[unlikely]]
    GO(record_and_resume_at_entry);
  GO(resume_at_entry);
}
// The table of an interpreted frame whose backward branch has found compiled code of the method, while a recording
// includes events of compiled code. Its handlers record that the frame enters the code.
static const Handler loop_table[operation_count] = {
#define OPERATION(name, ...) record_and_resume_at_entry,
#include "vm/code/operations.def"
#undef OPERATION
};

Handler fallback_table[operation_count] = {
#define OPERATION(name, ...) resume_at_entry,
#include "vm/code/operations.def"
#undef OPERATION
};
void record_entries_of_loops(bool on) { std::ranges::fill(fallback_table, on ? resume_recorded : resume_at_entry); }

KEYHOLE_PRESERVE_NONE void resume_in_code(HANDLER_PARAMETERS) {
  if (Handler entry = entry_at(frame, pc)) GO_TO_CODE(entry);
  DISPATCH();
}

// Returns to compiled code. rdx holds the top operand in both calling conventions. r13 is the interpreter's sp, the
// address of the top operand's slot.
[[gnu::naked]] HANDLER(resume_compiled) { asm volatile("movq %r13, %rcx\n\txorl %eax, %eax\n\tret"); }
// Returns to compiled code by a jump, for use after a switch to another native stack. The processor predicts `ret` from
// the calls that it has seen, which were made on the old stack, so `ret` would be mispredicted.
[[gnu::naked]] KEYHOLE_PRESERVE_NONE void resume_compiled_by_jump(HANDLER_PARAMETERS) {
  asm volatile("movq %r13, %rcx\n\txorl %eax, %eax\n\tpopq %r11\n\tjmpq *%r11");
}

// Drops `word` bytes of call records from the native stack, then continues with the handler in `table`.
[[gnu::naked]] KEYHOLE_PRESERVE_NONE void drop_records_and_go(HANDLER_PARAMETERS) {
  asm volatile("addq %rcx, %rsp\n\tjmpq *%rsi");
}

// Returns a pending exception to optimised code, whose return address is on top of the native stack.
[[gnu::naked]] KEYHOLE_PRESERVE_NONE void return_exception(HANDLER_PARAMETERS) {
  asm volatile("movl %0, %%eax\n\tret" : : "i"(status_exception));
}

// Continues at the exception handler that unwinding has found: pc, sp, locals and frame are set, and the exception is
// in its stack slot.
KEYHOLE_PRESERVE_NONE void resume_after_unwind(HANDLER_PARAMETERS) {
  table = thread->dispatch;
  if (Handler entry = entry_at(frame, pc)) GO_TO_CODE(entry);
  RELOAD_TOS();
  AGAIN();
}

// Compiles the method. The caller has saved its state. Making room in the code cache may stop the world, so the caller
// reloads its operands afterwards.
static Compiler::Outcome compile_with_room(JavaThread* thread, Method* method, bool back_edge) MAY_SAFEPOINT {
  Compiler::Outcome outcome = compiler()->compile(thread, method, back_edge);
  if (outcome == Compiler::Outcome::NoRoom && compiler()->make_room(thread))
    outcome = compiler()->compile(thread, method, back_edge);
  return outcome;
}

// Returns the countdown after a failed attempt to compile. It is at least 200. Otherwise, with a threshold of 1, every
// call would ask a full code cache for room.
static i32 next_attempt(Compiler::Outcome outcome, i32 threshold) {
  return outcome == Compiler::Outcome::Impossible ? INT32_MAX : std::max(threshold, 200);
}

HANDLER(recompile_and_interpret) {
  SAVE_STATE();
  compile_with_room(thread, frame->method, false);
  asynchronous::sleep_while_suspended(thread);
  RELOAD_TOS();
  word = load_instruction(pc);
  table = fallback_table;
  GO(table_of_unresolved_fallbacks()[word & 0xFFFF]);
}

// --- profiled code (tier_policy.h) -----------------------------------------------------------------------------------

static TierPolicy* registered_policy = nullptr;
TierPolicy* tier_policy() { return registered_policy; }
void register_tier_policy(TierPolicy* policy) { registered_policy = policy; }

// Ends a profiling interval at a backward branch that compiled code has already counted. The interpreter executes the
// branch, then the frame continues in the newest code.
HANDLER(end_profiling_and_interpret) {
  SAVE_STATE();
  tier_policy()->profiling_interval_ended(thread, frame->method);
  RELOAD_TOS();
  word = load_instruction(pc);
  table = fallback_table;
  GO(plain_table[word & 0xFFFF]);
}

// Ends a profiling interval at the method's first instruction, after the poll of the entry.
HANDLER(end_profiling_and_start) {
  SAVE_STATE();
  tier_policy()->profiling_interval_ended(thread, frame->method);
  asynchronous::sleep_while_suspended(thread);
  RELOAD_TOS();
  word = load_instruction(pc);
  GO(resume_in_code);
}

const Handler* table_of_unresolved_fallbacks() { return flags::ProfileInterpreter ? profiling_table : plain_table; }

// --- counting --------------------------------------------------------------------------------------------------------

// Decrements a countdown; returns false when the countdown has run out. The decrement is not atomic: a decrement that
// another thread overwrites only makes the countdown longer.
inline static bool count_down(std::atomic<i32>& left) {
  i32 now = left.load(std::memory_order_relaxed) - 1;
  left.store(now, std::memory_order_relaxed);
  return now > 0;
}

// Returns the number of calls after which a cold method becomes warm and gets a profile. This number is a part of the
// compilation threshold.
static i32 warm_part(i64 threshold) {
  return static_cast<i32>(std::max<i64>(threshold * flags::InterpreterProfilePercentage / 100, 1));
}

// Handles a countdown that has reached 0. If the method has just become warm, gives it a profile, continues the
// countdown with the rest of the threshold, and returns true. Returns false if the method is to be compiled.
static bool begin_profile(Method* method, MethodCode* body, const std::atomic<i32>& left) {
  if (!flags::ProfileInterpreter || method->data.load(std::memory_order_acquire) != nullptr) return false;
  bool is_new;
  make_method_data(method, &is_new);
  if (is_new) {
    auto add_rest = [](std::atomic<i32>& countdown, i64 threshold) {
      countdown.fetch_add(static_cast<i32>(threshold) - warm_part(threshold), std::memory_order_relaxed);
    };
    add_rest(body->calls_left, flags::Tier3InvocationThreshold);
    add_rest(body->back_edges_left, flags::Tier3BackEdgeThreshold);
  }
  return left.load(std::memory_order_relaxed) > 0;
}

static SLOW_HANDLER(entry_compile) {
  frame->sp = sp;
  thread->top_frame = frame;
  Method* method = CALLEE();
  MethodCode* body = method->body.load(std::memory_order_relaxed);
  if (begin_profile(method, body, body->calls_left)) ENTER_METHOD(method);
  // If compilation fails, the method keeps its counting entry. Its new countdown is so long that calls rarely reach
  // this handler again.
  Compiler::Outcome outcome = compile_with_room(thread, method, false);
  if (outcome != Compiler::Outcome::Installed)
    body->calls_left.store(next_attempt(outcome, static_cast<i32>(flags::Tier3InvocationThreshold)),
                           std::memory_order_relaxed);
  ENTER_METHOD(CALLEE());
}

// The entries of synchronized methods that do not count calls. A counting entry jumps to one of these entries when it
// has counted the call.
static Handler uncounted_synchronized, uncounted_synchronized_static;

// Defines a counting entry, and a variant for -XX:+ProfileInterpreter that also counts the call in the profile.
#define COUNTED_ENTRY(name, uncounted)                                                          \
  static HANDLER(name) {                                                                        \
    if (!count_down(CALLEE()->body.load(std::memory_order_relaxed)->calls_left)) [[unlikely]]   \
      GO(entry_compile);                                                                        \
    GO((uncounted));                                                                            \
  }                                                                                             \
  static HANDLER(name##_profiled) {                                                             \
    if (!count_down(CALLEE()->body.load(std::memory_order_relaxed)->calls_left)) [[unlikely]]   \
      GO(entry_compile);                                                                        \
    if (MethodData* data = CALLEE()->data.load(std::memory_order_acquire)) data->calls.count(); \
    GO((uncounted));                                                                            \
  }
COUNTED_ENTRY(entry_counted, interp_entry_interpreted)
COUNTED_ENTRY(entry_counted_synchronized, uncounted_synchronized)
COUNTED_ENTRY(entry_counted_synchronized_static, uncounted_synchronized_static)

bool is_counting_entry(MethodEntry entry) {
  for (Handler counting :
       {interp_entry_counted, interp_entry_counted_synchronized, interp_entry_counted_synchronized_static,
        interp_entry_counted_profiled, interp_entry_counted_synchronized_profiled,
        interp_entry_counted_synchronized_static_profiled}) {
    if (entry == as_method_entry(counting)) return true;
  }
  return false;
}

// The table that executes a backward branch after it has been counted. The table's plain branches do not poll: after a
// poll the thread would execute the branch again, and count the branch twice. Superinstructions in this table still
// poll.
static Handler polled_table[operation_count];

// Defines the handler for a backward branch at which the method's countdown has run out. It compiles the method if
// necessary, then executes the branch by a handler of the table `how`. This is plain_table, or polled_table if the
// thread has already polled.
#define BACK_EDGE_HOT(name, how)                                                                                    \
  static SLOW_HANDLER(name) {                                                                                       \
    MethodCode* body = frame->method->body.load(std::memory_order_relaxed);                                         \
    /* The branch is still to be executed. DISPATCH finds the handler that counts the branch in the new profile. */ \
    if (begin_profile(frame->method, body, body->back_edges_left)) DISPATCH();                                      \
    if (newest_in_use(body) == nullptr) {                                                                           \
      SAVE_STATE();                                                                                                 \
      Compiler::Outcome outcome = compile_with_room(thread, frame->method, true);                                   \
      RELOAD_TOS();                                                                                                 \
      if (outcome != Compiler::Outcome::Installed) {                                                                \
        body->back_edges_left.store(next_attempt(outcome, static_cast<i32>(flags::Tier3BackEdgeThreshold)),         \
                                    std::memory_order_relaxed);                                                     \
        GO((how)[word & 0xFFFF]);                                                                                   \
      }                                                                                                             \
    }                                                                                                               \
    /* From now on each interpreted activation enters the compiled code at its next backward branch. */             \
    body->back_edges_left.store(1, std::memory_order_relaxed);                                                      \
    table = recorder::is_on(recorder::Family::code) ? loop_table : fallback_table;                                  \
    GO((how)[word & 0xFFFF]);                                                                                       \
  }
BACK_EDGE_HOT(back_edge_hot, plain_table)
BACK_EDGE_HOT(polled_back_edge_hot, polled_table)
#undef BACK_EDGE_HOT

// Counts a backward branch of a thread that has already polled, then executes the branch without a second poll.
KEYHOLE_PRESERVE_NONE void count_polled_back_edge(HANDLER_PARAMETERS) MAY_SAFEPOINT {
  MethodCode* body = frame->method->body.load(std::memory_order_relaxed);
  if (!count_down(body->back_edges_left)) [[unlikely]]
    GO(polled_back_edge_hot);
  GO(polled_table[word & 0xFFFF]);
}

KEYHOLE_PRESERVE_NONE static void count_back_edge(HANDLER_PARAMETERS) MAY_SAFEPOINT {
  if (!count_down(frame->method->body.load(std::memory_order_relaxed)->back_edges_left)) [[unlikely]]
    GO(back_edge_hot);
  GO(plain_table[word & 0xFFFF]);
}

Handler counting_table[operation_count];

void fill_counting_table() {
  std::copy(std::begin(plain_table), std::end(plain_table), std::begin(polled_table));
#define CONDITION(name, condition) \
  polled_table[static_cast<u32>(Operation::name##_back)] = plain_table[static_cast<u32>(Operation::name)];
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION
  polled_table[static_cast<u32>(Operation::goto_back)] = plain_table[static_cast<u32>(Operation::goto_)];
  for (u32 i = 0; i < operation_count; ++i) {
    counting_table[i] = has(operation_at(i), effect::backward) ? count_back_edge : plain_table[i];
  }
}

static Compiler* registered = nullptr;
Compiler* compiler() { return registered; }
void register_compiler(Compiler* compiler, const Linkage& how) {
  registered = compiler;
  registered_linkage = how;
}
const Linkage& linkage() { return registered_linkage; }
MethodEntry first_entry_from_code() { return registered_linkage.code_to_entry; }

void start_counting(MethodCode* body) {
  bool is_cold = flags::ProfileInterpreter && body->method->data.load(std::memory_order_acquire) == nullptr;
  auto countdown = [is_cold](i64 threshold) { return is_cold ? warm_part(threshold) : static_cast<i32>(threshold); };
  body->calls_left.store(countdown(flags::Tier3InvocationThreshold), std::memory_order_relaxed);
  body->back_edges_left.store(countdown(flags::Tier3BackEdgeThreshold), std::memory_order_relaxed);
}

void count_again(Method* method) {
  start_counting(method->body.load(std::memory_order_acquire));
  method->entry.store(entry_of_bytecode(method), std::memory_order_release);
  method->entry_from_code.store(registered_linkage.code_to_entry, std::memory_order_release);
}

Handler counted_entry(Handler uncounted) {
  if (registered == nullptr) return uncounted;
  bool profiles = flags::ProfileInterpreter;
  if (uncounted == interp_entry_interpreted) return profiles ? interp_entry_counted_profiled : interp_entry_counted;
  const LockingHandlers& locking = locking_handlers(sync::fast_path());
  uncounted_synchronized = locking.entry_synchronized;
  uncounted_synchronized_static = locking.entry_synchronized_static;
  if (uncounted == uncounted_synchronized)
    return profiles ? interp_entry_counted_synchronized_profiled : interp_entry_counted_synchronized;
  return profiles ? interp_entry_counted_synchronized_static_profiled : interp_entry_counted_synchronized_static;
}

}  // namespace keyhole::interpreter
