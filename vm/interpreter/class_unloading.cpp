// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Removes unloaded classes from the inline caches of pre-decoded instructions (vm/link/loading/class_unloading.h, U3
// and U4). World stopped.
//
//   instruction of a live method                      becomes
//   invokevirtual_same_class of a dead class          invokevirtual, which uses the vtable; the call site's copy of the
//                                                     class is cleared, because code may be about to read it
//   invokevirtual_same_method, a dead class's method  invokevirtual
//   invokeinterface, dead class in the cache          invokeinterface with an empty cache
//
// Profiles drop dead classes (method_data.h, P4).
// Instructions that are not in this table refer to resolved entries of their method's constant pool, which live as long
// as the method.
#include "vm/interpreter/engine.h"

#include "vm/interpreter/compiler.h"
#include "vm/interpreter/method_data.h"
#include "vm/interpreter/tier_policy.h"
#include "vm/link/loading/class_unloading.h"

namespace keyhole::interpreter {
namespace {

// Whether an inline cache names a dead class. The cache holds a class id and a Method* in one word. A test of the class
// suffices: a dead class may have inherited the method from a live class, but a live class has no method of a dead
// class.
bool names_dead_class(u64 cached) {
  return cached != 0 && is_dead(klass_of_id(static_cast<u32>(cached >> layout::klass_key_shift)));
}

u64 by_table(u64 word, u32 vtable_index) {
  return make_instruction(Operation::invokevirtual, operand_a(word),
                          static_cast<i32>(Klass::vtable_entry_offset(vtable_index)));
}

void forget_classes_in(const Instruction* instruction) {
  u64 word = load_instruction(instruction);
  switch (operation_of(word)) {
    case Operation::invokevirtual_same_class: {
      auto* site = metadata_at<VirtualCallSite>(operand_b(word));
      if (!names_dead_class(site->expected)) return;
      site->expected = 0;
      publish_instruction(instruction, by_table(word, site->vtable_index));
      return;
    }
    case Operation::invokevirtual_same_method: {
      const Method* expected = metadata_at<Method>(operand_b(word));
      if (is_dead(expected->holder))
        publish_instruction(instruction, by_table(word, static_cast<u32>(expected->vtable_index)));
      return;
    }
    case Operation::invokeinterface: {
      std::atomic<u64>& cache = metadata_at<InterfaceCallSite>(operand_b(word))->cache;
      if (names_dead_class(cache.load(std::memory_order_relaxed))) cache.store(0, std::memory_order_relaxed);
      return;
    }
    default: return;
  }
}

}  // namespace

void Engine::forget_dead_receivers(Method* method) {
  MethodCode* body = method->body.load(std::memory_order_acquire);
  if (body == nullptr) return;
  for (u32 i = 0; i < body->instruction_count; ++i) forget_classes_in(body->instructions() + i);
  forget_dead_types(method, [](const Klass* klass) { return is_dead(klass); });
}

void Engine::forget_dead_methods() {
  if (tier_policy() == nullptr) return;
  tier_policy()->forget([](const Method* method) { return is_dead(method->holder); });
}

void Engine::release_code(Method* method) {
  if (compiler() != nullptr) compiler()->release(method);
}

}  // namespace keyhole::interpreter
