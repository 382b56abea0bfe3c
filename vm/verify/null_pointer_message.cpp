// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tracks the origins of operands: the bci of the instruction that pushed each. Copies (dup, checkcast) keep the origin.
// It is unknown where paths with different origins join. For locals only writes are tracked: an argument that is not
// written is "<parameterN>" or "this".
//
// Each instruction is run once, in the order of the bcis, up to the one that failed. Backward branches are ignored: in
// a loop that writes a parameter after its use, the parameter still has its name. At a handler nothing counts as
// written. HotSpot does both, and a fixed point would know more and give other texts.
#include "vm/verify/null_pointer_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "vm/metadata/constant_pool.h"
#include "vm/verify/code_shape.h"
#include "vm/verify/slot_types.h"

namespace keyhole {
namespace {

// The origins before an instruction.
struct Origins {
  static constexpr u32 unknown = ~0u, most_locals = 64;
  u64 written = 0;            // one bit for each of the first 64 locals; later ones count as written
  std::vector<u32> operands;  // bcis; the last one is the top

  void write(u32 local) {
    if (local < most_locals) written |= u64{1} << local;
  }
  bool is_written(u32 local) const { return local >= most_locals || (written >> local & 1) != 0; }
  void merge(const Origins& other) {
    written |= other.written;
    for (usize index = 0; index < std::min(operands.size(), other.operands.size()); ++index)
      if (operands[index] != other.operands[index]) operands[index] = unknown;
  }
};

class OriginFlow {
 public:
  explicit OriginFlow(const Method* method) : method_(method), before_(method->code_length) {}

  // Runs until there is a state before the instruction at `end`, or until nothing changes.
  void run(u32 end) {
    before_[0] = Origins();
    for (u32 index = 0; index < method_->handler_count; ++index) {
      u32 bci = method_->handlers[index].handler_bci;
      if (!before_[bci]) before_[bci] = Origins{.operands = {bci}};
    }
    for (is_new_ = true; is_new_;) {
      is_new_ = false;
      for (u32 bci = 0; bci < method_->code_length; bci = behind(bci)) {
        if (bci == end && before_[end]) return;
        if (before_[bci]) run_one(bci, *before_[bci]);
      }
    }
  }

  // The state before an instruction. Null: it was never reached.
  const Origins* before(u32 bci) const { return before_[bci] ? &*before_[bci] : nullptr; }

 private:
  u32 behind(u32 bci) const { return bci + bytecode::length_at(method_->code, bci, method_->code_length); }

  void run_one(u32 bci, Origins state) {
    const u8* code = method_->code;
    u8 opcode = effective_opcode(code, bci);
    u32 next = behind(bci);
    if (is_subroutine_call(opcode)) {
      go(next, state);  // as if the subroutine did not change the operands
      state.operands.push_back(Origins::unknown);
      return go(bytecode::branch_target(code, bci), state);
    }
    if (opcode == RET || !step(state, bci, opcode)) return;
    if (!bytecode::has(opcode, bytecode::flag::ends_block)) go(next, state);
    if (bytecode::has(opcode, bytecode::flag::branches))
      for_each_branch_target(code, bci, [&](u32 target) { go(target, state); });
  }

  // Runs one instruction. False: the code was never verified, and is wrong.
  bool step(Origins& state, u32 bci, u8 opcode) {
    std::vector<u32>& operands = state.operands;
    StackEffect effect = stack_effect(method_, bci);
    if (operands.size() < effect.pops) return false;
    if (opcode == CHECKCAST) return true;
    if (opcode >= POP && opcode <= SWAP) {
      const ShufflePattern& pattern = shuffle_pattern(opcode);
      u32 taken[4];
      for (u32 index = 0; index < pattern.taken; ++index) {
        taken[index] = operands.back();
        operands.pop_back();
      }
      for (u32 index = 0; index < pattern.count; ++index) operands.push_back(taken[pattern.from_top[index]]);
      return true;
    }
    if (local_store_letter(opcode) != 0 || opcode == IINC) {
      u32 local = bytecode::local_index(method_->code, bci), end = local + (opcode == IINC ? 1 : effect.pops);
      for (; local < end; ++local) state.write(local);
    }
    operands.resize(operands.size() - effect.pops);
    operands.resize(operands.size() + effect.pushes, bci);
    return true;
  }

  // Merges the state into that of a branch target. Afterwards `state` has the merged state, for further targets.
  void go(u32 bci, Origins& state) {
    if (bci >= method_->code_length) return;
    if (before_[bci]) state.merge(*before_[bci]);
    else is_new_ = true;
    before_[bci] = state;
  }

  const Method* method_;
  std::vector<std::optional<Origins>> before_;  // by bci
  bool is_new_ = false;
};

// Shows "java.lang.Object" and "java.lang.String" without their package. In a parameter list this also happens to names
// that begin with these.
std::string shown_class_name(std::string name) {
  return name == "java.lang.Object" ? "Object" : name == "java.lang.String" ? "String" : name;
}
std::string shown_parameters(const Symbol* descriptor) {
  std::string text;
  for (DescriptorIterator it(descriptor); !it.at_end(); it.next()) {
    std::string_view type = it.text();
    usize dimensions = type.find_first_not_of('[');
    std::string name;
    switch (type[dimensions]) {
      case 'Z': name = "boolean"; break;
      case 'B': name = "byte"; break;
      case 'C': name = "char"; break;
      case 'S': name = "short"; break;
      case 'I': name = "int"; break;
      case 'J': name = "long"; break;
      case 'F': name = "float"; break;
      case 'D': name = "double"; break;
      default:
        name = type.substr(dimensions + 1, type.size() - dimensions - 2);
        std::replace(name.begin(), name.end(), '/', '.');
        if (name.starts_with("java.lang.Object") || name.starts_with("java.lang.String"))
          name = name.substr(sizeof("java.lang.") - 1);
        break;
    }
    if (!text.empty()) text += ", ";
    text += name;
    for (usize dimension = 0; dimension < dimensions; ++dimension) text += "[]";
  }
  return text;
}

class MessageMaker {
 public:
  MessageMaker(const Method* method, u32 bci) : method_(method), code_(method->code), bci_(bci), flow_(method) {}

  std::string run() {
    std::string text = action();
    int position = null_position();
    if (text.empty() || position < 0) return {};
    flow_.run(bci_);
    std::string cause;
    if (describe(bci_, static_cast<u32>(position), depth_limit, false, cause)) text += cause + "\" is null";
    return text;
  }

 private:
  static constexpr int depth_limit = 5;
  static constexpr u32 description_limit = 200;  // limits indices within indices, which depth_limit does not

  u32 constant_index(u32 bci) const { return bytecode::constant_index(code_, bci); }

  std::string method_text(u32 bci) const {
    u32 index = constant_index(bci);
    const ConstantPool* constants = method_->constants;
    return fmt::format("{}.{}({})", shown_class_name(constants->ref_class_name(index)->dotted()),
                       constants->ref_name(index)->text(), shown_parameters(constants->ref_descriptor(index)));
  }
  std::string_view field_name(u32 bci) const { return method_->constants->ref_name(constant_index(bci))->text(); }

  // Describes the action that failed; empty for instructions that never raise this exception.
  std::string action() const {
    static constexpr const char* elements[] = {"int",    "long",         "float", "double",
                                               "object", "byte/boolean", "char",  "short"};
    u8 opcode = code_[bci_];
    if (opcode >= IALOAD && opcode <= SALOAD)
      return fmt::format("Cannot load from {} array", elements[opcode - IALOAD]);
    if (opcode >= IASTORE && opcode <= SASTORE)
      return fmt::format("Cannot store to {} array", elements[opcode - IASTORE]);
    switch (opcode) {
      case ARRAYLENGTH: return "Cannot read the array length";
      case ATHROW: return "Cannot throw exception";
      case MONITORENTER: return "Cannot enter synchronized block";
      case MONITOREXIT: return "Cannot exit synchronized block";
      case GETFIELD: return fmt::format("Cannot read field \"{}\"", field_name(bci_));
      case PUTFIELD: return fmt::format("Cannot assign field \"{}\"", field_name(bci_));
      case INVOKEVIRTUAL:
      case INVOKESPECIAL:
      case INVOKEINTERFACE: return fmt::format("Cannot invoke \"{}\"", method_text(bci_));
      default: return {};
    }
  }

  // The position of the null on the operand stack, counted from the top; -1: none.
  int null_position() const {
    u8 opcode = code_[bci_];
    if (opcode >= IALOAD && opcode <= SALOAD) return 1;
    switch (opcode) {
      case LASTORE:
      case DASTORE: return 3;
      case IASTORE:
      case FASTORE:
      case AASTORE:
      case BASTORE:
      case CASTORE:
      case SASTORE: return 2;
      case PUTFIELD: return static_cast<int>(stack_effect(method_, bci_).pops) - 1;
      case INVOKEVIRTUAL:
      case INVOKESPECIAL:
      case INVOKEINTERFACE:
        // No message for a constructor: it runs on an object that `new` has just made.
        if (method_->constants->ref_name(constant_index(bci_)) == names::object_initializer) return -1;
        return static_cast<int>(invoke_argument_slots(method_, bci_)) - 1;
      default: return 0;
    }
  }

  void describe_local(u32 local, u32 use_bci, const Origins& state, std::string& out) const {
    for (u32 row = 0; row < method_->local_variable_count; ++row) {
      const u8* at = method_->local_variables + row * 10;  // start, length, name, descriptor, slot
      u32 start = bytecode::read_u16(at), end = start + bytecode::read_u16(at + 2);
      if (use_bci >= start && use_bci < end && bytecode::read_u16(at + 8) == local) {
        out += method_->constants->utf8(bytecode::read_u16(at + 4))->text();
        return;
      }
    }
    bool is_argument = !state.is_written(local);
    if (is_argument && local == 0 && !method_->is_static()) {
      out += "this";
      return;
    }
    u32 first = method_->is_static() ? 0 : 1, number = 1;
    for (DescriptorIterator it(method_->descriptor); is_argument && !it.at_end(); it.next(), ++number) {
      u32 end = first + slot_count(it.type());
      if (local >= first && local < end) {
        out += fmt::format("<parameter{}>", number);
        return;
      }
      first = end;
    }
    out += fmt::format("<local{}>", local);
  }

  // Describes the expression that made the operand at `position` (from the top) before `bci`. `inner`: the expression
  // is part of an index, so it gets no introduction.
  bool describe(u32 bci, u32 position, int depth, bool inner, std::string& out) {
    if (depth <= 0 || ++described_ > description_limit) return false;
    const Origins* state = flow_.before(bci);
    if (state == nullptr || position >= state->operands.size()) return false;
    u32 source = state->operands[state->operands.size() - 1 - position];
    if (source == Origins::unknown) return false;
    u8 opcode = effective_opcode(code_, source);
    bool outermost = depth == depth_limit && !inner;
    bool is_invoke = opcode >= INVOKEVIRTUAL && opcode <= INVOKEDYNAMIC;
    std::string text = outermost && !is_invoke ? " because \"" : "";
    char letter = local_load_letter(opcode);
    if (letter == 'i' || letter == 'a') {
      describe_local(bytecode::local_index(code_, source), source, *state, text);
    } else if (opcode == ACONST_NULL) {
      text += "null";
    } else if ((opcode >= ICONST_M1 && opcode <= ICONST_5) || opcode == BIPUSH || opcode == SIPUSH) {
      text += std::to_string(bytecode::immediate(code_, source));
    } else if (opcode == GETSTATIC) {
      text +=
          fmt::format("{}.{}", shown_class_name(method_->constants->ref_class_name(constant_index(source))->dotted()),
                      field_name(source));
    } else if (opcode == GETFIELD) {
      if (describe(source, 0, depth - 1, inner, text)) text += ".";
      text += field_name(source);
    } else if (is_invoke && opcode != INVOKEDYNAMIC) {
      if (outermost) text += " because the return value of \"";
      text += method_text(source);
    } else if (opcode == IALOAD || opcode == AALOAD) {
      if (!describe(source, 1, depth - 1, inner, text)) text += "<array>";
      text += "[";
      if (!describe(source, 0, depth, true, text)) text += "...";
      text += "]";
    } else {
      return false;
    }
    out += text;
    return true;
  }

  const Method* method_;
  const u8* code_;
  u32 bci_;
  u32 described_ = 0;
  OriginFlow flow_;
};

}  // namespace

std::string null_pointer_message(Method* method, u32 bci) {
  if (method->code == nullptr || bci >= method->code_length) return {};
  return MessageMaker(method, bci).run();
}

}  // namespace keyhole
