// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+ProfileInterpreter: a third handler table (besides the plain and the counting one). Its handlers record the
// outcomes of branches, and the classes at calls and type tests.
//
//   profiling_table[operation]  ──>  counts, when the method has a profile (method_data.h)
//                                ──>  counting_table[operation]
//
// In a method that has a profile, a superinstruction with a branch is executed in parts: the first part here, the
// others as plain instructions. A backward branch polls first, is counted, and is executed without a second poll.
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::interpreter {

Handler profiling_table[operation_count];

namespace {

#define DATA() (frame->method->data.load(std::memory_order_acquire))
#define GO_ON() GO((counting_table[word & 0xFFFF]))

// --- branches --------------------------------------------------------------------------------------------------------

#define CONDITION(name, condition)                                              \
  MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_##name(HANDLER_PARAMETERS) { \
    if (MethodData* data = DATA()) {                                            \
      bool taken = (condition), polls = taken && operand_b(word) <= 0;          \
      if (polls) POLL();                                                        \
      data->at<BranchProfile>(pc).count(taken);                                 \
      if (polls) GO(count_polled_back_edge);                                    \
    }                                                                           \
    GO_ON();                                                                    \
  }
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION

MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_goto_back(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    POLL();
    data->at<JumpProfile>(pc).taken.count();
    GO(count_polled_back_edge);
  }
  GO_ON();
}

// Polls once for a switch. Operand a of a switch is not 0 if the switch may branch backward. This macro clears operand
// a in `word`, so that the plain handler does not poll again.
#define POLL_ONCE()                                                  \
  do {                                                               \
    if (operand_a(word) != 0) POLL();                                \
    word = make_instruction(operation_of(word), 0, operand_b(word)); \
  } while (0)

MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_tableswitch(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    POLL_ONCE();
    SwitchProfile& profile = data->at<SwitchProfile>(pc);
    profile.targets[std::min(metadata_at<TableSwitch>(operand_b(word))->index_of(as_int(tos)), profile.count)].count();
  }
  GO_ON();
}

MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_lookupswitch(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    POLL_ONCE();
    data->at<SwitchProfile>(pc).targets[metadata_at<LookupSwitch>(operand_b(word))->find(as_int(tos))].count();
  }
  GO_ON();
}

// --- superinstructions: the first part runs alone, by its plain handler, which finds its operand a in `word` ---------

#define TAKE_APART(name, first)                                                    \
  MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void take_apart_##name(HANDLER_PARAMETERS) { \
    if (DATA() != nullptr) GO(first);                                              \
    GO_ON();                                                                       \
  }
TAKE_APART(load, interp_load)
TAKE_APART(iinc, interp_iinc)
TAKE_APART(store, interp_store)

// --- classes ---------------------------------------------------------------------------------------------------------

inline void count_class(TypeProfile& profile, Slot object) TOUCHES_OBJECTS {
  if (object == 0) profile.nulls.count();
  else profile.count(as_object(object)->klass_id());
}

// Counts the receiver's class. A null receiver is not counted here, but as a trap when its exception is raised.
MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_receiver(HANDLER_PARAMETERS) TOUCHES_OBJECTS {
  if (MethodData* data = DATA()) {
    u32 arguments = operand_a(word);
    Slot receiver = arguments == 1 ? tos : sp[1 - static_cast<i64>(arguments)];
    if (receiver != 0) data->at<TypeProfile>(pc).count(as_object(receiver)->klass_id());
  }
  GO_ON();
}

// Counts the class of the top operand, for checkcast, instanceof and aastore.
MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_operand(HANDLER_PARAMETERS) TOUCHES_OBJECTS {
  if (MethodData* data = DATA()) count_class(data->at<TypeProfile>(pc), tos);
  GO_ON();
}

// Counts a null operand of a type test whose class is unresolved, because a test of null does not resolve the class.
// For any other operand the plain handler resolves the instruction and dispatches it through this table again; the
// quick instruction's handler counts the operand.
MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void profile_unresolved_test(HANDLER_PARAMETERS) TOUCHES_OBJECTS {
  if (tos == 0) GO(profile_operand);
  GO_ON();
}

}  // namespace

// Returns the handler that profiles `operation`, or null if there is none.
static Handler profiler_of(Operation operation) {
  switch (operation) {
#define CONDITION(name, condition) \
  case Operation::name:            \
  case Operation::name##_back: return profile_##name;
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION
    case Operation::goto_back: return profile_goto_back;
    case Operation::tableswitch: return profile_tableswitch;
    case Operation::lookupswitch: return profile_lookupswitch;
    default: break;
  }
  if (is_superinstruction(operation)) {
    if (!has(operation, effect::branches)) return nullptr;
    switch (plain_operation(operation)) {
      case Operation::load: return take_apart_load;
      case Operation::iinc: return take_apart_iinc;
      case Operation::store: return take_apart_store;
      default: KEYHOLE_FATAL("{} cannot be taken apart", name_of(operation));
    }
  }
  if (!has(operation, effect::notes_class)) return nullptr;
  if (has(operation, effect::calls)) return profile_receiver;
  return has(operation, effect::unresolved) ? profile_unresolved_test : profile_operand;
}

void fill_profiling_table() {
  for (u32 i = 0; i < operation_count; ++i) {
    Handler profiler = profiler_of(operation_at(i));
    profiling_table[i] = profiler != nullptr ? profiler : counting_table[i];
  }
}

}  // namespace keyhole::interpreter
