// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CodeHolder: asmjit's, for code at a known address. It ends the VM when asmjit gets no memory, as `new` does
// elsewhere. asmjit itself only returns an error, and the VM would execute code from which instructions are missing.
#pragma once

#include <asmjit/x86.h>

#include <new>

#include "runtime/base/types.h"

namespace keyhole {

class CodeHolder final : public asmjit::CodeHolder, asmjit::ErrorHandler {
 public:
  explicit CodeHolder(uptr address) {
    check(init(asmjit::Environment::host(), address));
    setErrorHandler(this);
  }

  static void check(asmjit::Error error) {
    if (error == asmjit::kErrorOutOfMemory) std::__throw_bad_alloc();
  }
  // Called after the constructor of an assembler: it has no code holder if asmjit got no memory.
  static void check(const asmjit::BaseEmitter& assembler) {
    if (assembler.code() == nullptr) std::__throw_bad_alloc();
  }

 private:
  void handleError(asmjit::Error error, const char*, asmjit::BaseEmitter*) override { check(error); }
};

}  // namespace keyhole
