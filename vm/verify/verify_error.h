// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a VerifyError, as HotSpot writes it.
//
//   Bad type on operand stack                      <- what
//   Exception Details:
//     Location:
//       A.foo()V @3: iadd
//     Reason:
//       Type 'java/lang/String' (current frame, stack[0]) is not assignable to integer
//     Current Frame: / Stackmap Frame:             bci, flags, locals, stack; where the reason speaks of one
//     Bytecode: / Exception Handler Table: / Stackmap Table:
//
// Class files that are verified by inference (before version 50) get one line:
//   (class: A, method: foo signature: ()V) Expecting to find integer on stack
#pragma once

#include <string>

#include "vm/verify/dataflow.h"
#include "vm/verify/verification_type.h"

namespace keyhole {

using TypeState = FlowState<VerificationType>;
inline constexpr u32 flag_this_uninitialized = 1;  // in TypeState::flags

// The text of a frame in messages. It is made together with the error. Locals beyond used_locals are omitted.
std::string describe_frame(const TypeState& state, u32 bci, u32 depth);

// The location of a type in an error.
struct TypeOrigin {
  enum class Place : u8 { None, FrameLocal, FrameStack, MapLocal, MapStack, Pool, Signature, Implicit };
  Place place = Place::None;
  u32 index = 0;
  VerificationType type;
  std::string frame;  // the text of describe_frame, or empty

  static TypeOrigin implicit(VerificationType type) { return {Place::Implicit, 0, type, {}}; }
  static TypeOrigin signature(VerificationType type) { return {Place::Signature, 0, type, {}}; }
  static TypeOrigin pool(u32 index, VerificationType type) { return {Place::Pool, index, type, {}}; }
  std::string text() const;
};

struct ErrorContext {
  enum class Kind : u8 {
    InvalidBytecode,
    WrongType,
    FlagsMismatch,
    BadPoolIndex,
    BadLocalIndex,
    LocalsMismatch,
    StackMismatch,
    StackOverflow,
    StackUnderflow,
    MissingStackMap,
    BadStackMap,
  };
  Kind kind;
  u32 bci;
  u32 index = 0;  // only for BadPoolIndex and BadLocalIndex
  TypeOrigin type = {}, expected = {};
};

std::string verify_error_text(const Method* method, const std::string& what, const ErrorContext& context);
std::string old_verify_error_text(const Method* method, const std::string& what);

}  // namespace keyhole
