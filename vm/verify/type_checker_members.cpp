// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields, calls, constructors and arrays: the instructions with a constant-pool entry.
#include <fmt/format.h>

#include "vm/link/release_behaviour.h"
#include "vm/verify/slot_types.h"
#include "vm/verify/type_checker.h"

namespace keyhole {

bool TypeChecker::field(TypeState& state, u8 opcode) {
  u32 index = bytecode::constant_index(method_->code, bci_);
  if (!pool_entry(index, {ConstantTag::Fieldref})) return false;
  const Symbol* owner_name = constants_->ref_class_name(index);
  const Symbol* name = constants_->ref_name(index);
  const Symbol* descriptor = constants_->ref_descriptor(index);
  Type owner = Type::reference(owner_name);
  if (owner.is_array()) {
    return refuse_type(
        TypeOrigin::pool(index, owner), {},
        fmt::format("Expecting reference to class {} at constant pool index {}", class_in_text(), index));
  }
  Type value = hierarchy_.type_of_descriptor(descriptor->text());
  if (opcode == GETSTATIC) return push_slots(state, value);
  if (opcode == PUTSTATIC) return pop_slots(state, value);

  Type object;
  if (opcode == GETFIELD) {
    if (!pop(state, owner, &object)) return false;
  } else {
    if (!pop_slots(state, value) || !pop(state, Type::top(), &object)) return false;  // any: checked below
    // A constructor may set fields of its own class before it calls super().
    if (object.is(TypeTag::UninitializedThis) && owner == hierarchy_.this_type() &&
        hierarchy_.klass()->find_declared_field(name, descriptor) != nullptr) {
      object = hierarchy_.this_type();
    }
    if (!hierarchy_.is_assignable(owner, object))
      return refuse_type(on_stack(state), TypeOrigin::pool(index, owner), "Bad type on operand stack in putfield");
  }
  if (object != hierarchy_.this_type() && hierarchy_.is_named_in_supers(owner_name) &&
      hierarchy_.is_protected_field(owner_name, name, descriptor) &&
      !hierarchy_.is_assignable(hierarchy_.this_type(), object, true)) {
    return refuse_type(on_stack(state), TypeOrigin::implicit(hierarchy_.this_type()),
                       fmt::format("Bad access to protected data in {}", bytecode::row(opcode).mnemonic));
  }
  if (failed()) return false;
  return opcode == PUTFIELD || push_slots(state, value);
}

bool TypeChecker::invoke(TypeState& state, u8 opcode) {
  const u8* code = method_->code;
  u32 index = bytecode::constant_index(code, bci_);
  bool allowed = false;
  switch (opcode) {
    case INVOKEINTERFACE: allowed = pool_entry(index, {ConstantTag::InterfaceMethodref}); break;
    case INVOKEDYNAMIC: allowed = pool_entry(index, {ConstantTag::InvokeDynamic}); break;
    case INVOKESPECIAL:
    case INVOKESTATIC:
      allowed = hierarchy_.klass()->major_version < 52
                    ? pool_entry(index, {ConstantTag::Methodref})
                    : pool_entry(index, {ConstantTag::Methodref, ConstantTag::InterfaceMethodref});
      break;
    default: allowed = pool_entry(index, {ConstantTag::Methodref}); break;
  }
  if (!allowed) return false;
  const Symbol* name = constants_->ref_name(index);
  const Symbol* descriptor = constants_->ref_descriptor(index);
  Type owner = opcode == INVOKEDYNAMIC ? Type::top() : Type::reference(constants_->ref_class_name(index));
  bool is_initializer = name == names::object_initializer;

  if (opcode == INVOKEINTERFACE) {
    if (code[bci_ + 3] != argument_slots_of(descriptor->text()) + 1)
      return refuse_code(bci_, "Inconsistent args count operand in invokeinterface");
    if (code[bci_ + 4] != 0) return refuse_code(bci_, "Fourth operand byte of invokeinterface must be zero");
  }
  if (opcode == INVOKEDYNAMIC && (code[bci_ + 3] != 0 || code[bci_ + 4] != 0))
    return refuse_code(bci_, "Third and fourth operand bytes of invokedynamic must be zero");
  if ((*name)[0] == '<') {
    if (opcode != INVOKESPECIAL || !is_initializer) return refuse_code(bci_, "Illegal call to internal method");
  } else if (opcode == INVOKESPECIAL && owner != hierarchy_.this_type()) {
    // invokespecial may name only a superclass or a direct superinterface.
    const InstanceKlass* klass = hierarchy_.klass();
    bool direct = klass->super != nullptr && klass->super->name == owner.name();
    for (u32 interface = 0; interface < klass->interface_count; ++interface)
      direct = direct || klass->interfaces[interface]->name == owner.name();
    if (!direct) {
      bool assignable = hierarchy_.is_assignable(owner, hierarchy_.this_type());
      if (failed()) return false;
      if (!assignable)
        return refuse_code(bci_, "Bad invokespecial instruction: current class isn't assignable to reference class.");
      bool is_interface = release::denies_direct_superinterface()
                              ? hierarchy_.is_interface(owner)
                              : constants_->tag(index) == ConstantTag::InterfaceMethodref;
      if (is_interface)
        return refuse_code(
            bci_, release::denies_direct_superinterface()
                      ? "Bad invokespecial instruction: interface method to invoke is not in a direct superinterface."
                      : "Bad invokespecial instruction: interface method reference is in an indirect superinterface.");
    }
  }

  // The last argument is popped first, so this walks the descriptor forwards once, then the list backwards.
  Type arguments[256];
  u32 count = 0;
  for (DescriptorIterator it(descriptor); !it.at_end() && count < 256; it.next())
    arguments[count++] = hierarchy_.type_of_descriptor(it.text());
  while (count > 0)
    if (!pop_slots(state, arguments[--count])) return false;

  std::string_view result = return_descriptor_of(descriptor->text());
  if (is_initializer) {
    if (!invoke_initializer(state, index, owner)) return false;
    if (result != "V") return refuse_code(bci_, "Return type must be void in <init> method");
  } else if (opcode == INVOKESPECIAL) {
    if (!pop(state, hierarchy_.this_type())) return false;
  } else if (opcode == INVOKEINTERFACE) {
    if (!pop(state, owner)) return false;
  } else if (opcode == INVOKEVIRTUAL) {
    Type object;
    if (!pop(state, owner, &object)) return false;
    bool is_array_clone = owner.name() == names::java_lang_Object && object.is_array() && name->text() == "clone";
    if (object != hierarchy_.this_type() && hierarchy_.is_named_in_supers(owner.name()) && !is_array_clone &&
        hierarchy_.is_protected_method(owner.name(), name, descriptor) &&
        !hierarchy_.is_assignable(hierarchy_.this_type(), object, true)) {
      return refuse_type(on_stack(state), TypeOrigin::implicit(hierarchy_.this_type()),
                         "Bad access to protected data in invokevirtual");
    }
    if (failed()) return false;
  }
  return push_slots(state, hierarchy_.type_of_descriptor(result));
}

bool TypeChecker::invoke_initializer(TypeState& state, u32 index, Type owner) {
  Type object;
  if (!pop(state, TypeTag::AnyReference, &object)) return false;
  if (object.is(TypeTag::UninitializedThis)) {
    const Klass* super = hierarchy_.klass()->super;
    if (owner != hierarchy_.this_type() && (super == nullptr || owner.name() != super->name)) {
      return refuse_type(TypeOrigin::implicit(owner), TypeOrigin::implicit(hierarchy_.this_type()),
                         "Bad <init> method call");
    }
    if (!handlers_.check_handlers(state, bci_)) return false;
    initialize_object(state, object, hierarchy_.this_type());
    state.flags &= ~flag_this_uninitialized;
    return true;
  }
  if (!object.is(TypeTag::Uninitialized)) {
    return refuse_type(on_stack(state), {}, "Bad operand type when invoking <init>");
  }
  u32 new_bci = object.bci();
  if (new_bci + 3 > method_->code_length || method_->code[new_bci] != NEW)
    return refuse_code(new_bci, "Expecting new instruction");
  u32 new_index = bytecode::constant_index(method_->code, new_bci);
  Type created = Type::reference(constants_->class_name(new_index));
  if (created != owner) {
    return refuse_type(TypeOrigin::pool(new_index, created), TypeOrigin::pool(index, owner),
                       "Call to wrong <init> method");
  }
  if (hierarchy_.is_named_in_supers(owner.name()) &&
      hierarchy_.is_protected_method(owner.name(), names::object_initializer, constants_->ref_descriptor(index)) &&
      !hierarchy_.is_assignable(hierarchy_.this_type(), created, true)) {
    return refuse_type(TypeOrigin::pool(new_index, created), TypeOrigin::implicit(hierarchy_.this_type()),
                       "Bad access to protected <init> method");
  }
  if (failed() || !handlers_.check_handlers(state, bci_)) return false;
  initialize_object(state, object, created);
  return true;
}

void TypeChecker::initialize_object(TypeState& state, Type uninitialized, Type initialized) {
  for (u32 slot = 0; slot < state.locals + state.depth; ++slot) {
    if (state.slots[slot] == uninitialized) state.slots[slot] = initialized;
  }
  state.locals_changed = true;
}

bool TypeChecker::create_array_of(TypeState& state) {
  u32 index = bytecode::constant_index(method_->code, bci_);
  if (!pool_entry(index, {ConstantTag::Class}) || !pop(state, TypeTag::Int)) return false;
  std::string_view element = constants_->class_name(index)->text();
  if (element.size() >= 255 && element.substr(0, 255).find_first_not_of('[') == std::string_view::npos)
    return refuse_code(bci_, "Illegal anewarray instruction, array has more than 255 dimensions");
  return push(state,
              hierarchy_.type_named(element[0] == '[' ? fmt::format("[{}", element) : fmt::format("[L{};", element)));
}

bool TypeChecker::create_multi_array(TypeState& state) {
  u32 index = bytecode::constant_index(method_->code, bci_);
  u32 dimensions = method_->code[bci_ + 3];
  if (!pool_entry(index, {ConstantTag::Class})) return false;
  Type type = Type::reference(constants_->class_name(index));
  if (!type.is_array())
    return refuse_type(TypeOrigin::pool(index, type), {}, "Illegal constant pool index in multianewarray instruction");
  if (dimensions < 1 || type.name()->text().find_first_not_of('[') < dimensions)
    return refuse_code(bci_, fmt::format("Illegal dimension in multianewarray instruction: {}", dimensions));
  for (u32 dimension = 0; dimension < dimensions; ++dimension)
    if (!pop(state, TypeTag::Int)) return false;
  return push(state, type);
}

}  // namespace keyhole
