// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification by inference (JVMS 4.10.2): the type checker as the domain of the dataflow.
#include <fmt/format.h>

#include "vm/verify/dataflow.h"
#include "vm/verify/method_verifiers.h"
#include "vm/verify/slot_types.h"
#include "vm/verify/type_checker.h"

namespace keyhole {
namespace {

class InferenceDomain {
 public:
  using Type = VerificationType;
  using State = TypeState;

  explicit InferenceDomain(TypeChecker& checker) : checker_(checker) {}

  bool enter(TypeState& state) { return checker_.enter(state); }
  bool step(TypeState& state, u32 bci) MAY_SAFEPOINT { return checker_.step(state, bci); }
  bool merge(Type& into, Type with, bool is_operand) MAY_SAFEPOINT {
    if (into == Type::top()) return false;
    Type merged =
        into.is_reference() && with.is_reference() ? checker_.hierarchy().common_supertype(into, with) : Type::top();
    if (is_operand && merged == Type::top()) checker_.refuse_code(0, "", "Mismatched stack types");
    bool changed = !(merged == into);
    into = merged;
    return changed;
  }
  // `this` is initialised only where it is on every path.
  bool merge_flags(u32& into, u32 with) {
    u32 merged = into | with;
    bool changed = merged != into;
    into = merged;
    return changed;
  }
  Type exception_type(const ExceptionHandler& handler) MAY_SAFEPOINT {
    Type type = checker_.exception_type(handler);
    if (!checker_.hierarchy().is_assignable(Type::reference(names::java_lang_Throwable), type))
      checker_.refuse_code(handler.handler_bci, "", "catch_type not a subclass of Throwable");
    return type;
  }
  bool handler_edge(TypeState&, const ExceptionHandler&, u32) { return true; }
  bool branch_edge(TypeState&, u32, u32) { return true; }
  void fault(FlowFault fault, u32 bci, u32 detail) {
    std::string what;
    switch (fault) {
      case FlowFault::FallsOffEnd: what = "Falling off the end of the code"; break;
      case FlowFault::DepthMismatch:
        what = fmt::format("Inconsistent stack height {} != {}", detail & 0xFFFF, detail >> 16);
        break;
      case FlowFault::BadReturnAddress: what = "Illegal return from subroutine"; break;
      case FlowFault::TooManySubroutines: what = "Recursive call to jsr entry"; break;
      case FlowFault::StackOverflow: what = "Stack size too large"; break;
    }
    checker_.refuse_code(bci, "", what);
  }
  bool failed() const { return checker_.failed(); }

 private:
  TypeChecker& checker_;
};

std::string shape_fault_text(const Method* method, const CodeShape& shape) {
  u8 opcode = shape.fault_bci() < method->code_length ? method->code[shape.fault_bci()] : u8{NOP};
  switch (shape.fault()) {
    case ShapeFault::EmptyCode: return "Empty code";
    case ShapeFault::BadInstruction:
      return bytecode::is_valid(opcode) && opcode != WIDE && opcode != TABLESWITCH && opcode != LOOKUPSWITCH
                 ? fmt::format("Code stops in the middle of instruction  starting at offset {}", shape.fault_bci())
                 : fmt::format("Illegal instruction found at offset {}", shape.fault_bci());
    case ShapeFault::BadTarget:
      if (opcode != TABLESWITCH && opcode != LOOKUPSWITCH) return "Illegal target of jump or branch";
      return shape.starts_at(bytecode::Switch(method->code, shape.fault_bci()).default_target())
                 ? "Illegal branch in tableswitch"
                 : "Illegal default target in switch";
    case ShapeFault::BadHandlerRange: return "Illegal exception table range";
    default: return "Illegal exception table handler";
  }
}

// Checks that include unreachable code (JVMS 4.9.1): local numbers, order of switch keys, kinds of constants.
const char* operand_fault(const TypeHierarchy& hierarchy, const Method* method, u32 bci) {
  const u8* code = method->code;
  u8 opcode = effective_opcode(code, bci);
  char letter = local_load_letter(opcode);
  if (letter == 0) letter = local_store_letter(opcode);
  if (letter != 0 || opcode == IINC || opcode == RET) {
    u32 needed = letter == 'l' || letter == 'd' ? 2 : 1;
    return bytecode::local_index(code, bci) + needed > method->max_locals ? "Illegal local variable number" : nullptr;
  }
  if (opcode == LOOKUPSWITCH) {
    bytecode::Switch table(code, bci);
    for (u32 index = 1; index < table.count(); ++index)
      if (table.key(index - 1) >= table.key(index)) return "Unsorted lookup switch";
  }
  if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
    for (u32 padding = bci + 1; padding % 4 != 0; ++padding)
      if (code[padding] != 0) return "Non zero padding bytes in switch";
  }
  u32 allowed = 0;
  auto tag_bit = [](ConstantTag tag) { return u32{1} << static_cast<u32>(tag); };
  using enum ConstantTag;
  switch (opcode) {
    case LDC: case LDC_W:
      allowed = tag_bit(Integer) | tag_bit(Float) | tag_bit(String);
      if (method->holder->major_version >= 49) allowed |= tag_bit(Class);
      break;
    case LDC2_W: allowed = tag_bit(Long) | tag_bit(Double); break;
    case GETSTATIC: case PUTSTATIC: case GETFIELD: case PUTFIELD: allowed = tag_bit(Fieldref); break;
    case INVOKEVIRTUAL: case INVOKESPECIAL: case INVOKESTATIC: allowed = tag_bit(Methodref); break;
    case INVOKEINTERFACE: allowed = tag_bit(InterfaceMethodref); break;
    case INVOKEDYNAMIC: return "invokedynamic bytecode is not supported in this class file version";
    case NEW: case ANEWARRAY: case CHECKCAST: case INSTANCEOF: case MULTIANEWARRAY: allowed = tag_bit(Class); break;
    default: return nullptr;
  }
  u32 index = bytecode::constant_index(code, bci);
  if (index == 0 || index >= method->constants->count) return "Illegal constant pool index";
  if ((tag_bit(method->constants->tag(index)) & allowed) == 0) return "Illegal type in constant pool";
  if (bytecode::has(opcode, bytecode::flag::calls)) {
    const Symbol* name = method->constants->ref_name(index);
    if (name == names::object_initializer)
      return opcode == INVOKESPECIAL ? nullptr : "Must call initializers using invokespecial";
    if ((*name)[0] == '<') return "Illegal call to internal method";
    if (opcode == INVOKESPECIAL && !hierarchy.is_named_in_supers(method->constants->ref_class_name(index)))
      return "Illegal use of nonvirtual function call";
  }
  return nullptr;
}

}  // namespace

std::string verify_by_inference(TypeHierarchy& hierarchy, const Method* method) {
  CodeShape shape;
  if (!shape.scan(method)) return old_verify_error_text(method, shape_fault_text(method, shape));
  for (u32 bci = 0; bci < method->code_length; bci += bytecode::length_at(method->code, bci, method->code_length)) {
    if (const char* fault = operand_fault(hierarchy, method, bci)) return old_verify_error_text(method, fault);
  }
  TypeChecker checker(hierarchy, method, VerifyStyle::Inference);
  InferenceDomain domain(checker);
  Dataflow<InferenceDomain> flow(method, shape, domain);
  flow.run();
  return checker.text();
}

}  // namespace keyhole
