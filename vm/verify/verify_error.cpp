// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Composes the text of the error.
#include "vm/verify/verify_error.h"

#include <fmt/format.h>

#include "vm/metadata/instance_klass.h"
#include "vm/verify/stack_map_table.h"

namespace keyhole {

std::string describe_frame(const TypeState& state, u32 bci, u32 depth) {
  auto list = [&](u32 first, u32 count) {
    std::string text;
    for (u32 index = 0; index < count; ++index) {
      text += (index == 0 ? " " : ", ") + state.slots[first + index].text();
    }
    return text;
  };
  return fmt::format("    bci: @{}\n    flags: {{{} }}\n    locals: {{{} }}\n    stack: {{{} }}\n", bci,
                     (state.flags & flag_this_uninitialized) != 0 ? " flagThisUninit" : "", list(0, state.used_locals),
                     list(state.locals, depth));
}

std::string TypeOrigin::text() const {
  std::string spelled = type.text();
  switch (place) {
    case Place::FrameLocal: return fmt::format("{} (current frame, locals[{}])", spelled, index);
    case Place::FrameStack: return fmt::format("{} (current frame, stack[{}])", spelled, index);
    case Place::MapLocal: return fmt::format("{} (stack map, locals[{}])", spelled, index);
    case Place::MapStack: return fmt::format("{} (stack map, stack[{}])", spelled, index);
    case Place::Pool: return fmt::format("{} (constant pool {})", spelled, index);
    case Place::Signature: return spelled + " (from method signature)";
    default: return spelled;
  }
}

namespace {

std::string reason_text(const ErrorContext& context) {
  using Kind = ErrorContext::Kind;
  bool has_expected = context.expected.place != TypeOrigin::Place::None;
  switch (context.kind) {
    case Kind::InvalidBytecode: return "Error exists in the bytecode";
    case Kind::WrongType:
      return has_expected ? fmt::format("Type {} is not assignable to {}", context.type.text(), context.expected.text())
                          : "Invalid type: " + context.type.text();
    case Kind::FlagsMismatch:
      return has_expected ? "Current frame's flags are not assignable to stack map frame's."
                          : "Current frame's flags are invalid in this context.";
    case Kind::BadPoolIndex: return fmt::format("Constant pool index {} is invalid", context.index);
    case Kind::BadLocalIndex: return fmt::format("Local index {} is invalid", context.index);
    case Kind::LocalsMismatch: return "Current frame's local size doesn't match stackmap.";
    case Kind::StackMismatch: return "Current frame's stack size doesn't match stackmap.";
    case Kind::StackOverflow: return "Exceeded max stack size.";
    case Kind::StackUnderflow: return "Attempt to pop empty stack.";
    case Kind::MissingStackMap: return "Expected stackmap frame at this location.";
    case Kind::BadStackMap: return "Invalid stackmap specification.";
  }
  return {};
}

// Prints the code in rows of 16 bytes, in pairs.
std::string hexadecimal_rows(const u8* bytes, u32 length) {
  std::string text;
  for (u32 row = 0; row < length / 16 * 16 + 16; row += 16) {
    text += fmt::format("    {:07x}:", row);
    for (u32 at = row; at < row + 16; ++at) {
      if (at % 2 == 0) text += ' ';
      text += at < length ? fmt::format("{:02x}", bytes[at]) : "  ";
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string verify_error_text(const Method* method, const std::string& what, const ErrorContext& context) {
  const char* mnemonic = "<invalid>";
  if (context.bci < method->code_length) {
    u8 opcode = method->code[context.bci];
    mnemonic = bytecode::is_valid(opcode) ? bytecode::row(opcode).mnemonic.data() : "<illegal>";
  }
  std::string text = fmt::format("{}\nException Details:\n  Location:\n    {}.{}{} @{}: {}\n  Reason:\n    {}\n", what,
                                 method->holder->name->text(), method->name->text(), method->descriptor->text(),
                                 context.bci, mnemonic, reason_text(context));
  if (!context.type.frame.empty()) text += "  Current Frame:\n" + context.type.frame;
  if (!context.expected.frame.empty()) text += "  Stackmap Frame:\n" + context.expected.frame;
  text += "  Bytecode:\n" + hexadecimal_rows(method->code, method->code_length);
  if (method->handler_count != 0) {
    text += "  Exception Handler Table:\n";
    for (u32 index = 0; index < method->handler_count; ++index) {
      const ExceptionHandler& handler = method->handlers[index];
      text += fmt::format("    bci [{}, {}] => handler: {}\n", handler.start_bci, handler.end_bci, handler.handler_bci);
    }
  }
  if (method->stack_map != nullptr) text += "  Stackmap Table:\n" + describe_stack_map_table(method, "    ");
  return text;
}

std::string old_verify_error_text(const Method* method, const std::string& what) {
  return fmt::format("(class: {}, method: {} signature: {}) {}", method->holder->name->text(), method->name->text(),
                     method->descriptor->text(), what);
}

}  // namespace keyhole
