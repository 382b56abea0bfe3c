// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// TypeChecker: the requirements and the effect of one instruction on a frame (JVMS 4.10.1.9). It ignores control flow:
// split_verifier.cpp drives it.
//
// The first rejection is kept, as the complete text of the VerifyError.
#pragma once

#include <string>

#include "vm/verify/type_hierarchy.h"
#include "vm/verify/verify_error.h"

namespace keyhole {

// Compares a frame with the maps of the handlers that cover bci.
class HandlerChecks {
 public:
  virtual bool check_handlers(const TypeState& state, u32 bci) MAY_SAFEPOINT = 0;

 protected:
  ~HandlerChecks() = default;
};

class TypeChecker {
 public:
  TypeChecker(TypeHierarchy& hierarchy, const Method* method, HandlerChecks& handlers)
      : hierarchy_(hierarchy), method_(method), constants_(method->constants), handlers_(handlers) {}

  // Makes the frame at method entry.
  bool enter(TypeState& state);
  // Checks and executes an instruction, except for its branching. False: failed() is true.
  bool step(TypeState& state, u32 bci) MAY_SAFEPOINT;

  bool failed() const { return !text_.empty() || hierarchy_.threw(); }
  const std::string& text() const { return text_; }
  TypeHierarchy& hierarchy() { return hierarchy_; }
  const Method* method() const { return method_; }

  // Rejections; each returns false.
  bool refuse(const std::string& what, const ErrorContext& context);
  bool refuse_code(u32 bci, const std::string& what);

  // The class type of a handler's exception.
  VerificationType exception_type(const ExceptionHandler& handler) const;

 private:
  using Type = VerificationType;

  bool refuse_pool(u32 index, const std::string& what);
  bool refuse_pool_type(u32 index);
  bool refuse_type(TypeOrigin type, TypeOrigin expected, const std::string& what);
  TypeOrigin on_stack(const TypeState& state) const;  // the origin of the operand that was just popped
  TypeOrigin in_local(const TypeState& state, u32 index) const;

  bool pop(TypeState& state, Type wanted, Type* popped = nullptr) MAY_SAFEPOINT;
  bool pop_value(TypeState& state, Type wanted) MAY_SAFEPOINT;  // one or two slots
  // Pops the value of a field or argument slot by slot, so that the first bad half is the one reported.
  bool pop_slots(TypeState& state, Type wanted) MAY_SAFEPOINT;
  bool push_slots(TypeState& state, Type type);
  bool push(TypeState& state, Type type);
  // Pushes one or two slots, or none for Top (void).
  bool push_value(TypeState& state, Type type);
  bool get_local(TypeState& state, u32 index, Type wanted, Type* type) MAY_SAFEPOINT;
  bool load(TypeState& state, char letter) MAY_SAFEPOINT;
  bool store(TypeState& state, char letter) MAY_SAFEPOINT;
  void set_local(TypeState& state, u32 index, Type type);
  bool pool_entry(u32 index, std::initializer_list<ConstantTag> tags);

  bool simple(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool shuffle(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool array_access(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool load_constant(TypeState& state, u8 opcode);
  // Does what type_of_descriptor does, but with the name that messages show.
  Type type_of_result(std::string_view descriptor);
  bool return_from(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool field(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool invoke(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool invoke_initializer(TypeState& state, u32 index, Type owner) MAY_SAFEPOINT;
  bool create_array_of(TypeState& state) MAY_SAFEPOINT;
  bool create_multi_array(TypeState& state) MAY_SAFEPOINT;
  void initialize_object(TypeState& state, Type uninitialized, Type initialized);
  std::string class_in_text() const;

  TypeHierarchy& hierarchy_;
  const Method* method_;
  const ConstantPool* constants_;
  HandlerChecks& handlers_;
  std::string text_;
  u32 bci_ = 0;
  u32 depth_before_ = 0;  // the depth before the current instruction, which messages show
};

}  // namespace keyhole
