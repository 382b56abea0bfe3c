// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hand-made methods that call each other, without resolution by a VM.
#pragma once

#include "tests/support/class_builder.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/interpreter.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole::testing {

// Makes the class an Initialized class of the loader, and links the invokestatic instructions of its methods to methods
// of the same class.
inline void link_own_calls(const LooseClass& loose, LoaderData* loader) {
  using namespace interpreter;
  loose.enter(loader);
  for (u32 i = 0; i < loose.klass->method_count; ++i) {
    Method* method = loose.klass->methods[i];
    method->entry.store(first_entry(method), std::memory_order_release);
  }
  for (u32 i = 0; i < loose.klass->method_count; ++i) {
    if (loose.klass->methods[i]->code == nullptr) continue;
    MethodCode* code = prepare_bytecode(loose.klass->methods[i]);
    for (u32 j = 0; j < code->instruction_count; ++j) {
      u64 word = load_instruction(&code->instructions()[j]);
      if (operation_of(word) != Operation::invokestatic_unresolved) continue;
      Method* target = loose.method(loose.klass->constants->ref_name(static_cast<u32>(operand_b(word)))->text());
      publish_instruction(&code->instructions()[j],
                          make_instruction(Operation::invokestatic, target->argument_slots, metadata_distance(target)));
    }
  }
}

}  // namespace keyhole::testing
