// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A dataflow (dataflow.h) whose types are the origins of values: the bci of the instruction that pushed an operand.
// Copies (dup, checkcast) keep the origin; where paths with different origins join it is unknown. For locals it only
// tracks whether they were written: an unwritten argument is "<parameterN>" or "this".
#include "vm/verify/null_pointer_message.h"

#include <fmt/format.h>

#include "vm/link/constant_pool.h"
#include "vm/verify/slot_types.h"

namespace keyhole {
namespace {

class Origin {
 public:
  enum class Kind : u8 { Unknown, PushedAt, ReturnAddress, Unwritten };
  constexpr Origin() = default;
  static constexpr Origin top() { return {}; }
  static constexpr Origin pushed_at(u32 bci) { return Origin(Kind::PushedAt, bci); }
  static constexpr Origin unwritten() { return Origin(Kind::Unwritten, 0); }
  static constexpr Origin return_address(u32 context) { return Origin(Kind::ReturnAddress, context); }
  constexpr bool is_return_address() const { return kind_ == Kind::ReturnAddress; }
  constexpr bool is_pushed() const { return kind_ == Kind::PushedAt; }
  constexpr bool is_unwritten() const { return kind_ == Kind::Unwritten; }
  constexpr u32 bci() const { return value_; }
  constexpr u32 context() const { return value_; }
  friend constexpr bool operator==(Origin, Origin) = default;

 private:
  constexpr Origin(Kind kind, u32 value) : kind_(kind), value_(value) {}
  Kind kind_ = Kind::Unknown;
  u32 value_ = 0;
};

class OriginDomain {
 public:
  using Type = Origin;
  using State = FlowState<Origin>;
  explicit OriginDomain(const Method* method) : method_(method) {}

  bool enter(State& state) {
    if (method_->argument_slots > state.locals) return fail();
    for (u32 local = 0; local < method_->argument_slots; ++local) state.local(local) = Origin::unwritten();
    return true;
  }
  bool step(State& state, u32 bci) {
    u8 opcode = effective_opcode(method_->code, bci);
    StackEffect effect = stack_effect(method_, bci);
    if (state.depth < effect.pops || state.depth - effect.pops + effect.pushes > state.stack_capacity()) return fail();
    if (opcode == CHECKCAST) return true;
    if (opcode >= POP && opcode <= SWAP) {
      const ShufflePattern& pattern = shuffle_pattern(opcode);
      Origin taken[4];
      for (u32 index = 0; index < pattern.taken; ++index) taken[index] = state.operand(--state.depth);
      for (u32 index = 0; index < pattern.count; ++index) state.operand(state.depth++) = taken[pattern.from_top[index]];
      return true;
    }
    if (local_store_letter(opcode) != 0 || opcode == IINC) {
      u32 local = bytecode::local_index(method_->code, bci);
      u32 count = opcode == IINC ? 1 : effect.pops;
      if (local + count > state.locals) return fail();
      bool is_return_address = opcode != IINC && state.operand(state.depth - 1).is_return_address();
      for (u32 index = 0; index < count; ++index)
        state.local(local + index) = is_return_address ? state.operand(state.depth - 1) : Origin::top();
      state.locals_changed = true;
    }
    state.depth -= effect.pops;
    for (u32 index = 0; index < effect.pushes; ++index) state.operand(state.depth++) = Origin::pushed_at(bci);
    return true;
  }
  bool merge(Origin& into, Origin, bool) {
    bool changed = !(into == Origin::top());
    into = Origin::top();
    return changed;
  }
  bool merge_flags(u32&, u32) { return false; }
  Origin exception_type(const ExceptionHandler&) { return Origin::top(); }
  bool handler_edge(State&, const ExceptionHandler&, u32) { return true; }
  bool branch_edge(State&, u32, u32) { return true; }
  void fault(FlowFault, u32, u32) { failed_ = true; }
  bool failed() const { return failed_; }

 private:
  bool fail() { failed_ = true; return false; }
  const Method* method_;
  bool failed_ = false;
};

// "java.lang.Object" and "java.lang.String" are shown without their package; so is any name that begins with these in a
// parameter list.
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
  MessageMaker(const Method* method, u32 bci)
      : method_(method), code_(method->code), bci_(bci), domain_(method), flow_(method, shape_, domain_) {}

  std::string run() {
    std::string text = action();
    int position = null_position();
    if (text.empty() || position < 0) return {};
    if (!shape_.scan(method_) || !flow_.run()) return text;
    std::string cause;
    if (describe(bci_, static_cast<u32>(position), depth_limit, false, cause)) text += cause + "\" is null";
    return text;
  }

 private:
  static constexpr int depth_limit = 5;
  static constexpr u32 description_limit = 200;   // indices in indices do not count as depth

  u32 constant_index(u32 bci) const { return bytecode::constant_index(code_, bci); }

  std::string method_text(u32 bci) const {
    u32 index = constant_index(bci);
    const ConstantPool* constants = method_->constants;
    return fmt::format("{}.{}({})", shown_class_name(constants->ref_class_name(index)->dotted()),
                       constants->ref_name(index)->text(), shown_parameters(constants->ref_descriptor(index)));
  }
  std::string_view field_name(u32 bci) const { return method_->constants->ref_name(constant_index(bci))->text(); }

  // The action that failed; empty for instructions that never raise this exception.
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
      case INVOKEINTERFACE:
        return fmt::format("Cannot invoke \"{}\"", method_text(bci_));
      default: return {};
    }
  }

  // The position of the null on the operand stack, counted from the top; -1: none.
  int null_position() const {
    u8 opcode = code_[bci_];
    if (opcode >= IALOAD && opcode <= SALOAD) return 1;
    switch (opcode) {
      case LASTORE: case DASTORE: return 3;
      case IASTORE: case FASTORE: case AASTORE: case BASTORE: case CASTORE: case SASTORE: return 2;
      case PUTFIELD: return static_cast<int>(stack_effect(method_, bci_).pops) - 1;
      case INVOKEVIRTUAL: case INVOKESPECIAL: case INVOKEINTERFACE:
        // A constructor runs on an object that `new` has just made.
        if (method_->constants->ref_name(constant_index(bci_)) == names::object_initializer) return -1;
        return static_cast<int>(invoke_argument_slots(method_, bci_)) - 1;
      default: return 0;
    }
  }

  // The state before the instruction at bci. False: unreachable.
  bool state_at(u32 bci, FlowState<Origin>& state) {
    for (u32 node = 0; node < flow_.nodes().size(); ++node) {
      if (flow_.nodes()[node].bci > bci) continue;
      bool found = false;
      flow_.replay(node, [&](u32 at, FlowState<Origin>& here) {
        if (at != bci) return;
        state = here;
        found = true;
      }, [](u32) {});
      if (found) return true;
    }
    return false;
  }

  void describe_local(u32 local, u32 use_bci, const FlowState<Origin>& state, std::string& out) const {
    for (u32 row = 0; row < method_->local_variable_count; ++row) {
      const u8* at = method_->local_variables + row * 10;   // start, length, name, descriptor, slot
      u32 start = bytecode::read_u16(at), end = start + bytecode::read_u16(at + 2);
      if (use_bci >= start && use_bci < end && bytecode::read_u16(at + 8) == local) {
        out += method_->constants->utf8(bytecode::read_u16(at + 4))->text();
        return;
      }
    }
    bool is_argument = local < state.locals && state.slots[local].is_unwritten();
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

  // The expression that made the operand `position` (from the top) before `bci`. `inner`: inside an index, where there
  // is no introduction.
  bool describe(u32 bci, u32 position, int depth, bool inner, std::string& out) {
    if (depth <= 0 || ++described_ > description_limit) return false;
    FlowState<Origin> state;
    if (!state_at(bci, state) || position >= state.depth) return false;
    Origin origin = state.operand(state.depth - 1 - position);
    if (!origin.is_pushed()) return false;
    u32 source = origin.bci();
    u8 opcode = effective_opcode(code_, source);
    bool outermost = depth == depth_limit && !inner;
    bool is_invoke = opcode >= INVOKEVIRTUAL && opcode <= INVOKEDYNAMIC;
    std::string text = outermost && !is_invoke ? " because \"" : "";
    char letter = local_load_letter(opcode);
    if (letter == 'i' || letter == 'a') {
      describe_local(bytecode::local_index(code_, source), source, state, text);
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
  CodeShape shape_;
  OriginDomain domain_;
  Dataflow<OriginDomain> flow_;
};

}  // namespace

std::string null_pointer_message(Method* method, u32 bci) {
  if (method->code == nullptr || bci >= method->code_length) return {};
  return MessageMaker(method, bci).run();
}

}  // namespace keyhole
