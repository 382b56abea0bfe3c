// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Profiles for tests: methods get MethodData, which the interpreter fills while a ProfilingScope exists.
#pragma once

#include "tests/vm/interpreter/vector_class.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::testing {

class ProfilingScope {
 public:
  ProfilingScope() : previous_(vm_thread()->dispatch) { vm_thread()->dispatch = interpreter::profiling_table; }
  ~ProfilingScope() { vm_thread()->dispatch = previous_; }
  ProfilingScope(const ProfilingScope&) = delete;
  ProfilingScope& operator=(const ProfilingScope&) = delete;

 private:
  const void* previous_;
};

inline MethodData* profile_method(Method* method) {
  interpreter::prepare_bytecode(method)->back_edges_left.store(std::numeric_limits<i32>::max());  // no compiler
  return interpreter::make_method_data(method);
}
inline void profile_methods(const InstanceKlass* klass) {
  for (u32 i = 0; i < klass->method_count; ++i) {
    if (klass->methods[i]->code != nullptr) profile_method(klass->methods[i]);
  }
}

}  // namespace keyhole::testing
