// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Assembler translates the text of one method into its Code attribute. The language is described in
// tests/support/class_builder.h.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "tests/support/byte_writer.h"
#include "tests/support/class_builder.h"
#include "vm/bytecodes.h"

namespace keyhole::testing {

class Assembler {
 public:
  Assembler(ClassBuilder& builder, ClassBuilder::Body& body) : builder_(builder), body_(body) {}
  void run(std::string_view text);

 private:
  using Words = std::vector<std::string>;

  void line(std::string_view text);
  void directive(const Words& words);
  void instruction(const Words& words);
  void load_constant(u8 opcode, const Words& words);
  void member_instruction(u8 opcode, const Words& words);
  void switch_instruction(u8 opcode, const Words& words);
  void frame(const Words& words);
  void branch(u32 from, const std::string& label, u32 bytes);
  u32 place(const std::string& label) const;
  [[noreturn]] void fail(const char* why) const;

  ClassBuilder& builder_;
  ClassBuilder::Body& body_;
  ByteWriter code_;
  std::string current_;
  std::map<std::string, u32> labels_;
  std::vector<std::function<void()>> at_end_;  // actions that need all labels
  struct PendingFrame {
    u32 bci;
    Words locals, stack;
  };
  std::vector<PendingFrame> frames_;
};

}  // namespace keyhole::testing
