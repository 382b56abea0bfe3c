// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of constants, accesses to locals, and stack shuffles.
#pragma once

#include "jit/baseline/emitters/emitter.h"

namespace keyhole::baseline {

class LocalEmitter : Emitter {
 public:
  explicit LocalEmitter(Compilation& compilation) : Emitter(compilation) {}
  void emit(Operation operation, u64 word);

 private:
  void constant_wide(i64 bits);
  void constant_object(u32 index);
  void constant_mirror(const Klass* klass);
  void load(u32 local);
  void store(u32 local, const Value& value);
  void increment(u32 local, i32 by);
  // Rearranges the top slots. A letter names each slot, and A is the top one: "BA" becomes "ABA".
  void shuffle(std::string_view from, std::string_view to);
};

}  // namespace keyhole::baseline
