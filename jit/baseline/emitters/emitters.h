// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitters: all emitters of one compilation; chooses one by operation.
#pragma once

#include "jit/baseline/emitters/emit_arithmetic.h"
#include "jit/baseline/emitters/emit_arrays.h"
#include "jit/baseline/emitters/emit_branches.h"
#include "jit/baseline/emitters/emit_entry.h"
#include "jit/baseline/emitters/emit_fields.h"
#include "jit/baseline/emitters/emit_intrinsics.h"
#include "jit/baseline/emitters/emit_invoke.h"
#include "jit/baseline/emitters/emit_locals.h"
#include "jit/baseline/emitters/emit_objects.h"

namespace keyhole::baseline {

struct Emitters {
  explicit Emitters(Compilation& compilation)
      : profile(compilation), locals(compilation), arithmetic(compilation), arrays(compilation, profile),
        fields(compilation), objects(compilation, profile), locks(compilation), entry(compilation, profile, locks),
        returns(compilation, locks), branches(compilation, profile, returns), intrinsics(compilation),
        inliner(compilation, *this), invokes(compilation, profile, inliner) {}
  Emitters(const Emitters&) = delete;

  // Emits the current bytecode by the emitter of its category.
  void emit(Operation operation, u64 word);

  ProfileEmitter profile;
  LocalEmitter locals;
  ArithmeticEmitter arithmetic;
  ArrayEmitter arrays;
  FieldEmitter fields;
  ObjectEmitter objects;
  LockEmitter locks;
  EntryEmitter entry;
  ReturnEmitter returns;
  BranchEmitter branches;
  IntrinsicEmitter intrinsics;
  Inliner inliner;
  InvokeEmitter invokes;
};

}  // namespace keyhole::baseline
