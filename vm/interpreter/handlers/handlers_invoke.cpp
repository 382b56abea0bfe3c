// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls: from the invoke to the callee's entry. The callee makes its frame over the arguments (entries.h).
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/raise.h"
#include "vm/interpreter/resolution.h"
#include "vm/link/interface_method.h"
#include "vm/link/linker.h"

namespace keyhole::interpreter {

#define RESOLVE(function)                           \
  SAVE_STATE();                                     \
  word = function(thread, frame->method, pc, word); \
  if (word == 0) [[unlikely]]                       \
    GO(unwind);                                     \
  RELOAD_TOS();                                     \
  DISPATCH()

[[gnu::noinline]] HANDLER(invokevirtual_unresolved) { RESOLVE(resolve_invoke); }
[[gnu::noinline]] HANDLER(invokespecial_unresolved) { RESOLVE(resolve_invoke); }
[[gnu::noinline]] HANDLER(invokestatic_unresolved) { RESOLVE(resolve_invoke); }
[[gnu::noinline]] HANDLER(invokeinterface_unresolved) { RESOLVE(resolve_invoke); }
[[gnu::noinline]] HANDLER(invokedynamic_unresolved) { RESOLVE(resolve_invokedynamic); }

// Stores all operands to their stack slots, which become the callee's locals. The receiver is the deepest of `a` slots.
#define SPILL_ARGUMENTS() \
  do {                    \
    *sp = tos;            \
    frame->pc = pc;       \
  } while (0)
#define RECEIVER() (sp[1 - static_cast<i64>(operand_a(word))])

HANDLER(invokestatic) {  // b = method
  SPILL_ARGUMENTS();
  ENTER_METHOD(metadata_at<Method>(operand_b(word)));
}

HANDLER(invokespecial) {  // operand b: the Method; also used for an invokevirtual that need not select a method
  SPILL_ARGUMENTS();
  CHECK_NULL(RECEIVER());
  ENTER_METHOD(metadata_at<Method>(operand_b(word)));
}

HANDLER(invokevirtual) {  // operand b: the offset of the vtable entry
  SPILL_ARGUMENTS();
  Slot receiver = RECEIVER();
  CHECK_NULL(receiver);
  const char* klass = reinterpret_cast<const char*>(as_object(receiver)->klass());
  ENTER_METHOD(reinterpret_cast<const std::atomic<Method*>*>(klass + operand_b(word))->load(std::memory_order_relaxed));
}

// A virtual call site selects the method for its first receiver, and then only compares. So later code does not wait
// for the loads of receiver, header, klass and vtable entry: the processor continues speculatively on the predicted
// branch.
//
//   form                       precondition                             next form
//   invokevirtual_same_class   the receiver has the class of the first  one of the two below, at the first receiver of
//                              receiver                                 another class
//   invokevirtual_same_method  the receiver's vtable has the method     invokevirtual, at the first receiver that
//                              of the first receiver                    selects another method
//   invokevirtual              none; it reads the vtable                none

[[gnu::noinline]] static HANDLER(invokevirtual_other_method) {
  const Method* expected = metadata_at<Method>(operand_b(word));
  word = make_instruction(Operation::invokevirtual, operand_a(word),
                          static_cast<i32>(Klass::vtable_entry_offset(static_cast<u32>(expected->vtable_index))));
  publish_instruction(pc, word);
  GO(interp_invokevirtual);
}

HANDLER(invokevirtual_same_method) {  // b = method
  SPILL_ARGUMENTS();
  Slot receiver = RECEIVER();
  CHECK_NULL(receiver);
  const Method* expected = metadata_at<Method>(operand_b(word));
  const std::atomic<Method*>& selected =
      as_object(receiver)->klass()->vtable_entry(static_cast<u32>(expected->vtable_index));
  if (selected.load(std::memory_order_relaxed) != expected) [[unlikely]]
    GO(interp_invokevirtual_other_method);
  ENTER_METHOD(expected);
}

[[gnu::noinline]] static HANDLER(invokevirtual_other_class) {
  const VirtualCallSite* site = metadata_at<VirtualCallSite>(operand_b(word));
  const Method* expected = reinterpret_cast<const Method*>(site->expected & receiver_cache_pointer);
  const Method* selected =
      as_object(RECEIVER())->klass()->vtable_entry(site->vtable_index).load(std::memory_order_relaxed);
  // invokevirtual_same_method looks at the method's own vtable index, so this call site must use the same index. A
  // default method, or a method that overrides several others, may be at further indices.
  if (selected == expected && selected->vtable_index == static_cast<i32>(site->vtable_index)) {
    word = make_instruction(Operation::invokevirtual_same_method, operand_a(word), metadata_distance(selected));
    publish_instruction(pc, word);
    GO(interp_invokevirtual_same_method);
  }
  word = make_instruction(Operation::invokevirtual, operand_a(word),
                          static_cast<i32>(Klass::vtable_entry_offset(site->vtable_index)));
  publish_instruction(pc, word);
  GO(interp_invokevirtual);
}

HANDLER(invokevirtual_same_class) {  // b = VirtualCallSite
  SPILL_ARGUMENTS();
  Slot receiver = RECEIVER();
  CHECK_NULL(receiver);
  u64 expected = metadata_at<VirtualCallSite>(operand_b(word))->expected;
  if ((expected >> layout::klass_key_shift) != as_object(receiver)->klass_id()) [[unlikely]]
    GO(interp_invokevirtual_other_class);
  ENTER_METHOD(reinterpret_cast<const Method*>(expected & receiver_cache_pointer));
}

static SLOW_HANDLER(invokeinterface_select) {
  SAVE_STATE();
  const InterfaceCallSite* site = metadata_at<InterfaceCallSite>(operand_b(word));
  Method* selected = select_interface_method(thread, as_object(RECEIVER())->klass(), site->method, site->by);
  if (selected == nullptr) GO(unwind);
  ENTER_METHOD(selected);
}

// Searches the interface tables of the receiver's class, when it is not the class in the call site's cache. If the
// method is not in the tables, or is not public, calls the slow look-up, which may throw.
[[gnu::noinline]] static HANDLER(invokeinterface_search) {
  const Klass* klass = as_object(RECEIVER())->klass();
  InterfaceCallSite* site = metadata_at<InterfaceCallSite>(operand_b(word));
  const Method* found = interface_method(klass, site->interface, site->itable_index);
  if (found == nullptr) [[unlikely]]
    GO(invokeinterface_select);
  site->cache.store((u64{klass->id} << layout::klass_key_shift) | reinterpret_cast<u64>(found),
                    std::memory_order_release);
  ENTER_METHOD(found);
}

HANDLER(invokeinterface) {  // b = InterfaceCallSite
  SPILL_ARGUMENTS();
  Slot receiver = RECEIVER();
  CHECK_NULL(receiver);
  const InterfaceCallSite* site = metadata_at<InterfaceCallSite>(operand_b(word));
  u64 cached = site->cache.load(std::memory_order_acquire);
  // The cache holds klass id and method in one word. The id has the same bit position as in a header word.
  if ((cached >> layout::klass_key_shift) != as_object(receiver)->klass_id()) [[unlikely]]
    GO(interp_invokeinterface_search);
  ENTER_METHOD(reinterpret_cast<const Method*>(cached & receiver_cache_pointer));
}

// The verifier treats interfaces as Object, so it has not checked the receiver's class. invokespecial_checked and
// invokeinterface_private check that class here.
HANDLER(invokespecial_checked) {  // b = SpecialCallSite
  SPILL_ARGUMENTS();
  Slot receiver = RECEIVER();
  CHECK_NULL(receiver);
  const SpecialCallSite* site = metadata_at<SpecialCallSite>(operand_b(word));
  if (!as_object(receiver)->klass()->is_subtype_of(site->interface)) [[unlikely]]
    GO(raise_wrong_special_receiver);
  ENTER_METHOD(site->target);
}

HANDLER(invokeinterface_private) {  // b = method
  SPILL_ARGUMENTS();
  Slot receiver = RECEIVER();
  CHECK_NULL(receiver);
  const Method* method = metadata_at<Method>(operand_b(word));
  if (!as_object(receiver)->klass()->is_subtype_of(reinterpret_cast<const Klass*>(method->holder))) [[unlikely]] {
    GO(raise_not_an_implementer);
  }
  ENTER_METHOD(method);
}

// Pushes the appendix, the constant that linking may have made for the call site, as the last argument.
#define PUSH_APPENDIX(site)                              \
  do {                                                   \
    if ((site)->appendix != nullptr) {                   \
      ++sp;                                              \
      *sp = to_slot(*(site)->appendix);                  \
      word += u64{1} << 16; /* one more argument slot */ \
    }                                                    \
  } while (0)

HANDLER(invokedynamic) {  // b = LinkedCallSite
  SPILL_ARGUMENTS();
  const LinkedCallSite* site = metadata_at<LinkedCallSite>(operand_b(word));
  PUSH_APPENDIX(site);
  ENTER_METHOD(site->target);
}

HANDLER(invokehandle) {  // operand b: the LinkedCallSite; the receiver is the method handle itself
  SPILL_ARGUMENTS();
  CHECK_NULL(RECEIVER());
  const LinkedCallSite* site = metadata_at<LinkedCallSite>(operand_b(word));
  PUSH_APPENDIX(site);
  ENTER_METHOD(site->target);
}

}  // namespace keyhole::interpreter
