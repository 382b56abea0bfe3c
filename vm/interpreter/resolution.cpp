// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Quickening: finds the resolved form of each kind of instruction.
#include "vm/interpreter/resolution.h"

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/base/mutex.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/interpreter/raise.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/well_known.h"

namespace keyhole::interpreter {
namespace {

// --- which row of operations.def accesses a field of a type ----------------------------------------------------------

char loaded_type(BasicType type) {
  switch (type) {
    case BasicType::Boolean:
    case BasicType::Byte: return 'B';
    case BasicType::Char: return 'C';
    case BasicType::Short: return 'S';
    case BasicType::Int:
    case BasicType::Float: return 'I';
    case BasicType::Long:
    case BasicType::Double: return 'J';
    default: return 'A';
  }
}
char stored_type(BasicType type) {
  switch (type) {
    case BasicType::Byte: return 'B';
    case BasicType::Boolean: return 'Z';
    case BasicType::Char:
    case BasicType::Short: return 'S';
    case BasicType::Int:
    case BasicType::Float: return 'I';
    case BasicType::Long:
    case BasicType::Double: return 'J';
    default: return 'A';
  }
}

constexpr u32 field_key(bool is_static, bool is_put, bool is_volatile, char type) {
  return ((u32{is_static} * 2 + is_put) * 2 + is_volatile) * 26 + static_cast<u32>(type - 'A');
}
constexpr auto field_operations = [] {
  std::array<Operation, 8 * 26> table{};
  for (u32 i = 0; i < operation_count; ++i) {
    const OperationRow& row = interpreter::row(operation_at(i));
    bool is_static = row.category == Category::static_field;
    if ((!is_static && row.category != Category::field) || row.type == '*') continue;
    bool is_put = (row.effects & effect::writes) != 0, is_volatile = (row.effects & effect::ordered) != 0;
    table[field_key(is_static, is_put, is_volatile, row.type)] = operation_at(i);
  }
  return table;
}();

Operation field_operation(const Field* field, bool is_static, bool is_put) {
  char type = is_put ? stored_type(field->type) : loaded_type(field->type);
  return field_operations[field_key(is_static, is_put, field->is_volatile(), type)];
}

// Maps a getfield operation to the superinstruction that fuses it with the load before it; nop if there is no such
// superinstruction.
constexpr auto fused_with_load = [] {
  PerOperation<Operation> table{};
#define SUPER2(name, first, second)
#define SUPER3(name, first, second, third)
#define SUPER_RESOLVED(name, first, second)           \
  static_assert(Operation::first == Operation::load); \
  table[index_of(Operation::second)] = Operation::name;
#include "vm/code/superinstructions.def"
#undef SUPER2
#undef SUPER3
#undef SUPER_RESOLVED
  return table;
}();

u64 publish(const Instruction* pc, u64 word) {
  publish_instruction(pc, word);
  return word;
}

// Allocates metadata that an instruction refers to, in the arena of the method's class unit.
template <typename T> T* allocate_metadata(const Method* method) {
  const InstanceKlass* holder = method->holder;
  MutexLock guard(holder->loader->mutex);
  return static_cast<T*>(holder->unit->arena.allocate(sizeof(T)));
}

Object** make_root(const Method* method, Object* object) {
  const InstanceKlass* holder = method->holder;
  MutexLock guard(holder->loader->mutex);
  return holder->unit->make_root(object);
}

u64 resolve_field(JavaThread* thread, Method* method, const Instruction* pc, u64 word, bool is_put) MAY_SAFEPOINT {
  Field* field = resolve_field_at(thread, method->constants, static_cast<u32>(operand_b(word)), false, is_put, method);
  if (field == nullptr) return 0;
  Operation operation = field_operation(field, false, is_put), fused = fused_with_load[index_of(operation)];
  u64 quick = make_instruction(operation, 0, static_cast<i32>(field->offset));
  publish_instruction(pc, quick);
  method = thread->top_frame->method;  // resolution may have run Java code that redefined the method
  if (fused != Operation::nop && pc != method->body.load(std::memory_order_relaxed)->instructions()) {
    // The preceding load becomes load + getfield. The getfield stays in its place, so a jump to it still finds it
    // (instruction.h R3).
    u64 before = load_instruction(pc - 1);
    if (operation_of(before) == Operation::load) {
      publish_instruction(pc - 1, make_instruction(fused, operand_a(before), static_cast<i32>(field->offset)));
      use_getter_entry(method, fused);
    }
  }
  return quick;
}

u64 resolve_static(JavaThread* thread, Method* method, const Instruction* pc, u64 word, bool is_put) MAY_SAFEPOINT {
  Field* field = resolve_field_at(thread, method->constants, static_cast<u32>(operand_b(word)), true, is_put, method);
  if (field == nullptr) return 0;
  if (!field->holder->is_initialized() && !initialize_class(thread, field->holder)) return 0;
  u64 quick;
  if (field->offset <= 0xFFFF) {
    i32 holder = metadata_distance(static_cast<Klass*>(field->holder));
    quick = make_instruction(field_operation(field, true, is_put), field->offset, holder);
  } else {
    quick = make_instruction(is_put ? Operation::putstatic_far : Operation::getstatic_far, slot_count(field->type),
                             metadata_distance(field));
  }
  return field->holder->is_initialized() ? publish(pc, quick) : quick;
}

u64 linked_site(const Instruction* pc, const Method* method, const CallSiteLink& link, Operation operation,
                u32 operand_slots) {
  LinkedCallSite* site = allocate_metadata<LinkedCallSite>(method);
  site->target = link.target;
  site->appendix = link.appendix == nullptr ? nullptr : make_root(method, link.appendix);
  return publish(pc, make_instruction(operation, operand_slots, metadata_distance(site)));
}

}  // namespace

u64 far_static_word(const Field* field, bool is_put) {
  return make_instruction(field_operation(field, false, is_put), 0, static_cast<i32>(field->offset));
}

u64 resolve_getfield(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  return resolve_field(thread, method, pc, word, false);
}
u64 resolve_putfield(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  return resolve_field(thread, method, pc, word, true);
}
u64 resolve_getstatic(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  return resolve_static(thread, method, pc, word, false);
}
u64 resolve_putstatic(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  return resolve_static(thread, method, pc, word, true);
}

u64 resolve_ldc(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  ConstantPool* constants = method->constants;
  u32 index = static_cast<u32>(operand_b(word));
  if (constants->tag(index) == ConstantTag::Class) {
    // The class's mirror needs no entry in resolved_references, because the klass refers to it.
    Klass* klass = resolve_class_at(thread, constants, index);
    return klass == nullptr ? 0
                            : publish(pc, make_instruction(Operation::constant_mirror, 0, metadata_distance(klass)));
  }
  bool is_null = false;
  Object* object = resolve_object_at(thread, constants, index, &is_null);
  if (is_null) return publish(pc, make_instruction(Operation::constant));
  if (object == nullptr) return 0;
  if (constants->tag(index) == ConstantTag::Dynamic) {
    // A primitive value comes boxed. The value is the only instance field of the box, and lies right after the header.
    BasicType type = basic_type_of_descriptor((*constants->ref_descriptor(index))[0]);
    u32 offset = layout::only_field_offset(type);
    switch (type) {
      case BasicType::Boolean:
      case BasicType::Byte: return publish(pc, make_instruction(Operation::constant, 0, object->get<i8>(offset)));
      case BasicType::Char: return publish(pc, make_instruction(Operation::constant, 0, object->get<u16>(offset)));
      case BasicType::Short: return publish(pc, make_instruction(Operation::constant, 0, object->get<i16>(offset)));
      case BasicType::Int:
      case BasicType::Float: return publish(pc, make_instruction(Operation::constant, 0, object->get<i32>(offset)));
      case BasicType::Long:
      case BasicType::Double: {
        u64* value = allocate_metadata<u64>(method);
        *value = object->get<u64>(offset);
        return publish(pc, make_instruction(Operation::constant_pool_wide, 0, metadata_distance(value)));
      }
      default: break;
    }
  }
  u64 position = constants->resolved[index].load(std::memory_order_acquire) - 1;
  return publish(pc, make_instruction(Operation::constant_object, 0, static_cast<i32>(position)));
}

u64 resolve_new(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  Klass* klass = resolve_class_at(thread, method->constants, static_cast<u32>(operand_b(word)));
  if (klass == nullptr) return 0;
  if (!klass->is_instance() || klass->is_abstract() || klass->is_interface()) {
    throw_instantiation(thread, klass);
    return 0;
  }
  if (klass->kind == KlassKind::Mirror) {  // Java code must not make instances of java.lang.Class; only the VM does.
    throw_new(thread, names::java_lang_IllegalAccessError, "{}", external_name(klass));
    return 0;
  }
  InstanceKlass* instance = klass->as_instance();
  if (!instance->is_initialized() && !initialize_class(thread, instance)) return 0;
  u32 words = klass->instance_bytes / layout::object_alignment;
  u64 quick = words <= 0xFFFF ? make_instruction(Operation::new_instance, words, static_cast<i32>(klass->id))
                              : make_instruction(Operation::new_large_instance, 0, static_cast<i32>(klass->id));
  return instance->is_initialized() ? publish(pc, quick) : quick;
}

u64 resolve_anewarray(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  Klass* component = resolve_class_at(thread, method->constants, static_cast<u32>(operand_b(word)));
  if (component == nullptr) return 0;
  Klass* array = array_klass_of(thread, component);
  if (array == nullptr) return 0;
  return publish(pc, make_instruction(Operation::newarray, 2, static_cast<i32>(array->id)));
}

namespace {
// Operand a of the quick word is an offset in the class of the tested object: that of the superclass display's entry
// that decides the test, or that of the cache of the last search.
u64 resolve_type_test(JavaThread* thread, Method* method, const Instruction* pc, u64 word, Operation operation)
    MAY_SAFEPOINT {
  Klass* klass = resolve_class_at(thread, method->constants, static_cast<u32>(operand_b(word)));
  if (klass == nullptr) return 0;
  bool in_display = klass->depth < Klass::display_depth && !klass->is_interface() && !klass->is_array();
  usize offset =
      in_display ? offsetof(Klass, supers) + sizeof(Klass*) * klass->depth : offsetof(Klass, secondary_super_cache);
  return publish(pc, make_instruction(operation, static_cast<u32>(offset), metadata_distance(klass)));
}
}  // namespace

u64 resolve_checkcast(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  return resolve_type_test(thread, method, pc, word, Operation::checkcast);
}
u64 resolve_instanceof(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  return resolve_type_test(thread, method, pc, word, Operation::instanceof_);
}

u64 resolve_invoke(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  u32 index = static_cast<u32>(operand_b(word));
  InvokeKind kind;
  switch (operation_of(word)) {
    case Operation::invokestatic_unresolved: kind = InvokeKind::Static; break;
    case Operation::invokespecial_unresolved: kind = InvokeKind::Special; break;
    case Operation::invokeinterface_unresolved: kind = InvokeKind::Interface; break;
    default: kind = InvokeKind::Virtual; break;
  }
  ResolvedCall call{};
  ConstantPool* constants = method->constants;
  if (!resolve_call_at(thread, constants, index, kind, method, call)) return 0;
  Method* target = call.method;

  if (target->polymorphic_signature && kind == InvokeKind::Virtual) {
    CallSiteLink link{};
    if (!link_polymorphic_call(thread, thread->top_frame->method, index, link)) return 0;
    return linked_site(pc, method, link, Operation::invokehandle,
                       1 + argument_slots_of(method->constants->ref_descriptor(index)->text()));
  }
  if (kind == InvokeKind::Static) {
    if (!target->holder->is_initialized() && !initialize_class(thread, target->holder)) return 0;
    u64 quick = make_instruction(Operation::invokestatic, target->argument_slots, metadata_distance(target));
    return target->holder->is_initialized() ? publish(pc, quick) : quick;
  }
  if (kind == InvokeKind::Special && method->holder->is_interface() && !target->is_initializer()) {
    SpecialCallSite* site = allocate_metadata<SpecialCallSite>(method);
    site->target = target;
    site->interface = method->holder;
    return publish(pc,
                   make_instruction(Operation::invokespecial_checked, target->argument_slots, metadata_distance(site)));
  }
  if (kind == InvokeKind::Special || (kind == InvokeKind::Virtual && call.direct)) {
    return publish(pc, make_instruction(Operation::invokespecial, target->argument_slots, metadata_distance(target)));
  }
  if (kind == InvokeKind::Interface && !target->holder->is_interface()) {
    // An interface call of one of Object's methods becomes a virtual or direct call, which does not check the
    // receiver's class. So only the receiver of this first call is checked.
    const Object* receiver = object_of(thread->top_frame->sp[1 - static_cast<i64>(target->argument_slots)]);
    if (receiver != nullptr && !receiver->klass()->is_subtype_of(call.reference_class)) {
      throw_not_an_implementer(thread, receiver->klass(), call.reference_class);
      return 0;
    }
    if (call.direct) {
      u64 quick = make_instruction(Operation::invokespecial, target->argument_slots, metadata_distance(target));
      return receiver == nullptr ? quick : publish(pc, quick);
    }
  }
  if (call.direct)  // a private interface method
    return publish(
        pc, make_instruction(Operation::invokeinterface_private, target->argument_slots, metadata_distance(target)));
  // Object's methods have a vtable index, also if they are called through an interface.
  if (target->vtable_index >= 0) {
    const Object* receiver = object_of(thread->top_frame->sp[1 - static_cast<i64>(target->argument_slots)]);
    u32 vtable_index = static_cast<u32>(target->vtable_index);
    // With a null receiver the invoke throws now. The instruction stays unresolved, so that its next execution resolves
    // it and caches the class of a receiver.
    if (receiver == nullptr) {
      return make_instruction(Operation::invokevirtual, target->argument_slots,
                              static_cast<i32>(Klass::vtable_entry_offset(vtable_index)));
    }
    const Klass* klass = receiver->klass();
    const Method* selected = klass->vtable_entry(vtable_index).load(std::memory_order_relaxed);
    VirtualCallSite* site = allocate_metadata<VirtualCallSite>(method);
    site->expected = (u64{klass->id} << layout::klass_key_shift) | reinterpret_cast<u64>(selected);
    site->vtable_index = vtable_index;
    return publish(
        pc, make_instruction(Operation::invokevirtual_same_class, target->argument_slots, metadata_distance(site)));
  }
  InterfaceCallSite* site = allocate_metadata<InterfaceCallSite>(method);
  site->method = target;
  site->interface = target->holder;
  site->itable_index = static_cast<u32>(target->itable_index);
  site->by = kind == InvokeKind::Interface ? Selecting::InvokeInterface : Selecting::InvokeVirtual;
  return publish(pc, make_instruction(Operation::invokeinterface, target->argument_slots, metadata_distance(site)));
}

u64 resolve_invokedynamic(JavaThread* thread, Method* method, const Instruction* pc, u64 word) {
  u32 index = static_cast<u32>(operand_b(word));
  CallSiteLink link{};
  u32 bci = method->body.load(std::memory_order_relaxed)->bci_of(pc);
  if (!link_call_site(thread, method, bci, index, link)) return 0;
  return linked_site(pc, method, link, Operation::invokedynamic,
                     argument_slots_of(method->constants->ref_descriptor(index)->text()));
}

namespace {
Object* allocate_dimension(JavaThread* thread, Klass* klass, u32 dimensions, const i32* lengths) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* allocated = heap::allocate_array(thread, klass, lengths[0]);
  if (allocated == nullptr) {
    throw_array_too_large(thread, lengths[0]);
    return nullptr;
  }
  if (dimensions == 1) return allocated;
  Handle array = scope.make(allocated);
  for (i32 i = 0; i < lengths[0]; ++i) {
    Object* element = allocate_dimension(thread, klass->as_array()->component, dimensions - 1, lengths + 1);
    if (element == nullptr) return nullptr;
    barrier::store_element(array.get(), i, element);
  }
  return array.get();
}
}  // namespace

Object* allocate_multi_array(JavaThread* thread, Klass* klass, u32 dimensions, const Slot* slots) {
  i32 lengths[255];
  for (u32 i = 0; i < dimensions; ++i) lengths[i] = static_cast<i32>(slots[i]);
  for (u32 i = 0; i < dimensions; ++i) {
    if (lengths[i] < 0) {
      throw_negative_array_size(thread, lengths[i]);
      return nullptr;
    }
  }
  return allocate_dimension(thread, klass, dimensions, lengths);
}

bool register_finalizable(JavaThread* thread, Object* object) {
  HandleScope scope(thread);
  Handle rooted = scope.make(object);
  if (!initialize_class(thread, well_known::Finalizer_class)) return false;
  Slot argument = slot_of(rooted);
  call_java(thread, well_known::Finalizer_register, {&argument, 1});
  return !has_exception(thread);
}

}  // namespace keyhole::interpreter
