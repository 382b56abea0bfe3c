// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification by inference (JVMS 4.10.2.2). Each instruction has a state before it. As long as some state has changed,
// its instruction runs on it, and the result is merged into the states of the instruction's successors.
//
//   unreached ---- first merge: copied ----> changed <------ a merge that changes it ------+
//                                               |                                          |
//                                               +--- apply, merge into successors ---> settled
//
// Types only climb a finite lattice, so it ends. Instructions are visited in the order of the code, repeatedly; if
// there are several faults, this order decides which is found first.
#include <fmt/format.h>

#include <algorithm>

#include "vm/verify/inference_effects.h"
#include "vm/verify/inference_operands.h"
#include "vm/verify/method_verifiers.h"
#include "vm/verify/verify_error.h"

namespace keyhole {
namespace inference {
namespace {

class Verifier {
 public:
  Verifier(TypeHierarchy& hierarchy, const Method* method)
      : hierarchy_(hierarchy), method_(method), operands_(hierarchy, method), effects_(hierarchy, method),
        code_(operands_.instructions()) {}

  Rejection run() MAY_SAFEPOINT {
    if (operands_.read()) {
      if (enter_method() && flow()) return {};
    } else {
      fault_ = operands_.fault();
    }
    if (fault_.empty()) fault_ = effects_.fault();
    if (hierarchy_.threw()) return {};
    return {operands_.is_format_fault() ? Rejection::Kind::ClassFormat : Rejection::Kind::Verify,
            old_verify_error_text(method_, fault_)};
  }

 private:
  bool refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  bool enter_method() {
    std::vector<Type>& locals = code_[0].before.locals.writable();
    auto put = [&](Type type) {
      locals.push_back(type);
      if (type.is_category2()) locals.push_back(type.upper());
    };
    is_constructor_ = method_->is_initializer() && hierarchy_.klass()->super != nullptr;
    if (!method_->is_static()) put(is_constructor_ ? Type(TypeTag::UninitializedThis) : hierarchy_.this_type());
    for (DescriptorIterator it(method_->descriptor); !it.at_end(); it.next())
      put(hierarchy_.type_of_descriptor(it.text()));
    code_[0].reached = code_[0].changed = true;
    return true;
  }

  bool flow() MAY_SAFEPOINT {
    for (bool work = true; work;) {
      work = false;
      for (u32 number = 0; number < code_.size(); ++number) {
        if (!code_[number].changed) continue;
        work = true;
        code_[number].changed = false;
        if (!visit(number)) return false;
      }
    }
    return true;
  }

  bool check_return(const Instruction& instruction) {
    if (instruction.opcode < IRETURN || instruction.opcode > RETURN) return true;
    const State& state = instruction.before;
    if (instruction.opcode == RETURN && is_constructor_ && !state.is_constructed)
      return refuse("Constructor must call super() or this()");
    return !state.must_not_return || refuse("Cannot return normally");
  }

  bool visit(u32 number) MAY_SAFEPOINT {
    Instruction& instruction = code_[number];
    State after = instruction.before;
    if (!effects_.check_local(instruction, after) || !check_return(instruction) || !effects_.apply(instruction, after))
      return false;
    if (effects_.constructed()) after.is_constructed = true;
    if (!merge_into_handlers(number, after)) return false;
    u8 opcode = instruction.opcode;
    if (opcode == RET) return merge_after_callers(number, after);
    if (is_subroutine_call(opcode)) {
      if (instruction.ret != no_instruction) code_[instruction.ret].changed = true;
      if (!enter_subroutine(instruction.targets[0], after)) return false;
    }
    if (!bytecode::has(opcode, bytecode::flag::ends_block) && !merge_into(number + 1, after)) return false;
    for (u32 target : instruction.targets)
      if (!merge_into(target, after)) return false;
    return true;
  }

  // Merges the locals before the instruction into the handlers; the exception replaces the operands. A constructor may
  // have initialised its object before it throws, so the locals after its call reach the handler, too.
  bool merge_into_handlers(u32 number, const State& after) MAY_SAFEPOINT {
    for (const Handler& handler : operands_.handlers()) {
      if (number < handler.first || number >= handler.end) continue;
      State thrown = code_[number].before;
      thrown.operands = Shared<std::vector<Type>>();
      thrown.operands.writable() = {handler.caught};
      thrown.must_not_return |= effects_.constructed();
      if (!merge_into(handler.target, thrown)) return false;
      if (!code_[number].calls_initializer) continue;
      thrown.locals = after.locals;
      if (!merge_into(handler.target, thrown)) return false;
    }
    return true;
  }

  // --- subroutines ---------------------------------------------------------------------------------------------------

  // Drops uninitialised objects that `new` has made, because they do not cross the border of a subroutine. `this` does.
  static void forget_uninitialized(State& state) {
    for (Type& type : state.operands.writable())
      if (type.is(TypeTag::Uninitialized)) type = Type::top();
    for (Type& type : state.locals.writable())
      if (type.is(TypeTag::Uninitialized)) type = Type::top();
  }

  bool enter_subroutine(u32 entry, State& state) {
    for (const Mask& mask : *state.masks)
      if (mask.entry == entry) return refuse("Recursive call to jsr entry");
    state.masks.writable().push_back({entry, std::vector<bool>(method_->max_locals)});
    forget_uninitialized(state);
    return true;
  }

  bool merge_after_callers(u32 ret, const State& after) MAY_SAFEPOINT {
    u32 entry = (*after.locals)[code_[ret].local].context();
    const std::vector<Mask>& masks = *after.masks;
    auto mask = std::find_if(masks.begin(), masks.end(), [&](const Mask& m) { return m.entry == entry; });
    for (u32 caller = 0; caller < code_.size(); ++caller) {
      Instruction& call = code_[caller];
      if (!is_subroutine_call(call.opcode) || call.targets[0] != entry) continue;
      if (mask == masks.end()) return refuse("Illegal return from subroutine");
      if (call.ret != no_instruction && call.ret != ret) return refuse("Multiple returns to single jsr");
      call.ret = ret;
      if (!call.reached) continue;
      State returned = after;
      forget_uninitialized(returned);
      returned.masks.writable().assign(masks.begin(), mask);
      const std::vector<Type>& untouched = *call.before.locals;
      std::vector<Type>& locals = returned.locals.writable();
      locals.resize(std::max(locals.size(), untouched.size()), Type::top());
      for (u32 local = 0; local < locals.size(); ++local) {
        if (mask->written[local]) continue;
        locals[local] = local < untouched.size() ? untouched[local] : Type::top();
      }
      if (!merge_into(caller + 1, returned)) return false;
    }
    return true;
  }

  // --- merging -------------------------------------------------------------------------------------------------------

  bool merge_into(u32 number, const State& from) MAY_SAFEPOINT {
    if (number >= code_.size()) return refuse("Falling off the end of the code");
    Instruction& instruction = code_[number];
    if (!instruction.reached) {
      instruction.reached = instruction.changed = true;
      instruction.before = from;
      return true;
    }
    State& into = instruction.before;
    bool changed = false;
    if (into.operands->size() != from.operands->size())
      return refuse(fmt::format("Inconsistent stack height {} != {}", from.operands->size(), into.operands->size()));
    for (u32 operand = 0; !into.operands.is_same(from.operands) && operand < into.operands->size(); ++operand) {
      if ((*into.operands)[operand] == (*from.operands)[operand]) continue;
      if (!merge_type(into.operands, operand, (*from.operands)[operand], changed)) return false;
      if ((*into.operands)[operand] == Type::top()) return refuse("Mismatched stack types");
    }
    if (!into.locals.is_same(from.locals) && !merge_locals(into.locals, *from.locals, changed)) return false;
    if (!into.masks.is_same(from.masks)) changed |= merge_masks(into.masks, *from.masks);
    if (into.is_constructed && !from.is_constructed) {
      into.is_constructed = false;
      changed = true;
    }
    if (!into.must_not_return && from.must_not_return) into.must_not_return = changed = true;
    if (changed) instruction.changed = true;
    return true;
  }

  bool merge_locals(Shared<std::vector<Type>>& into, const std::vector<Type>& from, bool& changed) MAY_SAFEPOINT {
    if (into->size() > from.size()) {
      changed = true;
      into.writable().resize(from.size());
    }
    for (u32 local = 0; local < into->size(); ++local)
      if (!merge_type(into, local, from[local], changed)) return false;
    while (!into->empty() && into->back() == Type::top()) into.writable().pop_back();
    return true;
  }

  bool merge_type(Shared<std::vector<Type>>& types, u32 index, Type from, bool& changed) MAY_SAFEPOINT {
    Type into = (*types)[index];
    if (into == from || into == Type::top()) return true;
    Type merged = into.is_reference() && from.is_reference() ? hierarchy_.common_supertype(into, from) : Type::top();
    if (hierarchy_.threw()) return false;
    if (merged == into) return true;
    types.writable()[index] = merged;
    changed = true;
    return true;
  }

  // Keeps the subroutines that both states are in. A mask then has the locals that either state has written.
  static bool merge_masks(Shared<std::vector<Mask>>& into, const std::vector<Mask>& from) {
    std::vector<Mask> kept;
    usize next = 0;
    for (const Mask& mask : *into) {
      for (usize at = next; at < from.size(); ++at) {
        if (from[at].entry != mask.entry) continue;
        kept.push_back(mask);
        for (usize local = 0; local < mask.written.size(); ++local)
          if (from[at].written[local]) kept.back().written[local] = true;
        next = at + 1;
        break;
      }
    }
    if (kept == *into) return false;
    into.writable() = std::move(kept);
    return true;
  }

  TypeHierarchy& hierarchy_;
  const Method* method_;
  OperandReader operands_;
  Effects effects_;
  std::vector<Instruction>& code_;
  bool is_constructor_ = false;
  std::string fault_;
};

}  // namespace
}  // namespace inference

Rejection verify_by_inference(TypeHierarchy& hierarchy, const Method* method) {
  return inference::Verifier(hierarchy, method).run();
}

}  // namespace keyhole
