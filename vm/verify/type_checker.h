// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// TypeChecker: the requirements and the effect of one instruction on a frame (JVMS 4.10.1.9). It ignores control flow:
// split_verifier.cpp (StackMapTable) and inference_verifier.cpp (the dataflow) drive it.
//
// The first rejection is kept as the finished text of the VerifyError, in the style of the driver.
#pragma once

#include <string>

#include "vm/verify/type_hierarchy.h"
#include "vm/verify/verify_error.h"

namespace keyhole {

enum class VerifyStyle : u8 { StackMaps, Inference };

class TypeChecker {
 public:
  TypeChecker(TypeHierarchy& hierarchy, const Method* method, VerifyStyle style)
      : hierarchy_(hierarchy), method_(method), constants_(method->constants), style_(style) {}

  // The frame at method entry.
  bool enter(TypeState& state);
  // Everything but branching. False: failed() is true.
  bool step(TypeState& state, u32 bci) MAY_SAFEPOINT;

  bool failed() const { return !text_.empty() || hierarchy_.threw(); }
  const std::string& text() const { return text_; }
  TypeHierarchy& hierarchy() { return hierarchy_; }
  const Method* method() const { return method_; }
  VerifyStyle style() const { return style_; }

  // Rejections; each returns false. `old_what` is the wording of the old verifier.
  bool refuse(const std::string& what, const ErrorContext& context, const std::string& old_what);
  bool refuse_code(u32 bci, const std::string& what, const std::string& old_what);

  // The class type of a handler's exception.
  VerificationType exception_type(const ExceptionHandler& handler) const;

 private:
  using Type = VerificationType;

  bool refuse_pool(u32 index, const std::string& what, const std::string& old_what);
  bool refuse_type(TypeOrigin type, TypeOrigin expected, const std::string& what, const std::string& old_what);
  TypeOrigin on_stack(const TypeState& state) const;   // the operand that was just popped
  TypeOrigin in_local(const TypeState& state, u32 index) const;

  bool pop(TypeState& state, Type wanted, const char* old_what = nullptr, Type* popped = nullptr) MAY_SAFEPOINT;
  bool pop_value(TypeState& state, Type wanted, const char* old_what = nullptr) MAY_SAFEPOINT;   // one or two slots
  bool push(TypeState& state, Type type);
  // None for Top (void), one or two slots.
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
  bool return_from(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool field(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool invoke(TypeState& state, u8 opcode) MAY_SAFEPOINT;
  bool invoke_initializer(TypeState& state, u32 index, Type owner) MAY_SAFEPOINT;
  bool create_array_of(TypeState& state) MAY_SAFEPOINT;
  bool create_multi_array(TypeState& state) MAY_SAFEPOINT;
  bool handlers_end_in_throw(u32 handler_bci) const;
  void initialize_object(TypeState& state, Type uninitialized, Type initialized);
  std::string class_in_text() const;

  TypeHierarchy& hierarchy_;
  const Method* method_;
  const ConstantPool* constants_;
  VerifyStyle style_;
  std::string text_;
  u32 bci_ = 0;
  u32 depth_before_ = 0;      // of the current instruction: messages show the frame before it
};

}  // namespace keyhole
