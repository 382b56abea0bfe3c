// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+ProfileInterpreter: a third table (after the plain and the counting one) in which what decides something notes what it decided, and goes on.
//
//   profiling_table[operation]  ──>  counts, when the method has a profile (method_data.h)  ──>  counting_table[operation]
//
// A superinstruction with a branch in it is taken apart in a method that has a profile: its first part runs here, the others are plain cells.
// What would poll and be executed again is not counted before it is.
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::interpreter {

Handler profiling_table[static_cast<usize>(Operation::count)];

namespace {

#define DATA() (frame->method->data.load(std::memory_order_acquire))
#define GO_ON() GO((counting_table[cell & 0xFFFF]))
#define IS_POLLED() (thread->poll.load(std::memory_order_relaxed) != 0)

// --- branches -------------------------------------------------------------------------------------------------------------

#define CONDITION(name, slots, condition) \
  KEYHOLE_PRESERVE_NONE void profile_##name(HANDLER_PARAMETERS) { \
    if (MethodData* data = DATA()) { \
      bool taken = (condition); \
      if (!(taken && operand_b(cell) <= 0 && IS_POLLED())) data->at<BranchProfile>(pc).count(taken); \
    } \
    GO_ON(); \
  }
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION

KEYHOLE_PRESERVE_NONE void profile_goto_back(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    if (!IS_POLLED()) data->at<JumpProfile>(pc).taken.count();
  }
  GO_ON();
}

KEYHOLE_PRESERVE_NONE void profile_tableswitch(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    if (operand_a(cell) == 0 || !IS_POLLED()) {
      SwitchProfile& profile = data->at<SwitchProfile>(pc);
      profile.targets[std::min(metadata_at<TableSwitch>(operand_b(cell))->index_of(as_int(tos)), profile.count)].count();
    }
  }
  GO_ON();
}

KEYHOLE_PRESERVE_NONE void profile_lookupswitch(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    if (operand_a(cell) == 0 || !IS_POLLED()) {
      data->at<SwitchProfile>(pc).targets[metadata_at<LookupSwitch>(operand_b(cell))->find(as_int(tos))].count();
    }
  }
  GO_ON();
}

// --- superinstructions: the first part only; operand a stands where the plain cell has it ------------------------------------------

#define TAKE_APART(name, first) \
  KEYHOLE_PRESERVE_NONE void take_apart_##name(HANDLER_PARAMETERS) { \
    if (DATA() != nullptr) GO(first); \
    GO_ON(); \
  }
TAKE_APART(load, interp_load)
TAKE_APART(iinc, interp_iinc)
TAKE_APART(store, interp_store)

// --- classes --------------------------------------------------------------------------------------------------------------------

inline void count_class(TypeProfile& profile, Slot object) {
  if (object == 0) profile.nulls.count();
  else profile.count(as_object(object)->klass_id());
}

// The receiver; that it is null is noted as a trap when it is raised.
KEYHOLE_PRESERVE_NONE void profile_receiver(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) {
    u32 arguments = operand_a(cell);
    Slot receiver = arguments == 1 ? tos : sp[1 - static_cast<i64>(arguments)];
    if (receiver != 0) data->at<TypeProfile>(pc).count(as_object(receiver)->klass_id());
  }
  GO_ON();
}

// checkcast, instanceof, aastore: the operand on top.
KEYHOLE_PRESERVE_NONE void profile_operand(HANDLER_PARAMETERS) {
  if (MethodData* data = DATA()) count_class(data->at<TypeProfile>(pc), tos);
  GO_ON();
}

// Not resolved for null; for anything else it is, and then executed through the table again.
KEYHOLE_PRESERVE_NONE void profile_unresolved_test(HANDLER_PARAMETERS) {
  if (tos == 0) GO(profile_operand);
  GO_ON();
}

}  // namespace

void fill_profiling_table() {
  auto set = [](Operation operation, Handler handler) { profiling_table[static_cast<u32>(operation)] = handler; };
  for (u32 i = 0; i < static_cast<u32>(Operation::count); ++i) profiling_table[i] = counting_table[i];
#define CONDITION(name, slots, condition) \
  set(Operation::name, profile_##name); \
  set(Operation::name##_back, profile_##name);
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION
  set(Operation::goto_back, profile_goto_back);
  set(Operation::tableswitch, profile_tableswitch);
  set(Operation::lookupswitch, profile_lookupswitch);
  for (u32 i = static_cast<u32>(Operation::load_load_if_icmpeq); i <= static_cast<u32>(Operation::load_ifnonnull); ++i) profiling_table[i] = take_apart_load;
  set(Operation::iinc_goto_back, take_apart_iinc);
  set(Operation::store_goto_back, take_apart_store);
  for (Operation invoke : {Operation::invokevirtual, Operation::invokevirtual_same_class, Operation::invokevirtual_same_method, Operation::invokeinterface}) {
    set(invoke, profile_receiver);
  }
  for (Operation test : {Operation::checkcast, Operation::instanceof_, Operation::aastore}) set(test, profile_operand);
  for (Operation test : {Operation::checkcast_unresolved, Operation::instanceof_unresolved}) set(test, profile_unresolved_test);
}

}  // namespace keyhole::interpreter
