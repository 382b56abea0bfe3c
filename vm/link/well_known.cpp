// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading what the VM itself needs, in the order of well_known.def.
#include "vm/link/well_known.h"

#include "vm/classfile/class_path.h"
#include "vm/link/execution_engine.h"
#include "vm/link/loading/array_klasses.h"
#include "vm/link/loading/mirrors.h"

namespace keyhole::well_known {

#define WELL_KNOWN_CLASS(identifier, name) InstanceKlass* identifier##_class;
#define WELL_KNOWN_FIELD(owner, identifier, name, descriptor) u32 owner##_##identifier;
#define WELL_KNOWN_STATIC(owner, identifier, name, descriptor) u32 owner##_##identifier;
#define WELL_KNOWN_METHOD(owner, identifier, name, descriptor) Method* owner##_##identifier;
#include "vm/link/well_known.def"
#undef WELL_KNOWN_CLASS
#undef WELL_KNOWN_FIELD
#undef WELL_KNOWN_STATIC
#undef WELL_KNOWN_METHOD

namespace {

InstanceKlass* load_core_class(JavaThread* thread, const char* name) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern(name), boot_loader());
  return klass == nullptr ? nullptr : klass->as_instance();
}

u32 field_offset(const InstanceKlass* owner, std::string_view name, std::string_view descriptor, bool is_static) {
  const Field* field = owner->find_declared_field(Symbol::intern(name), Symbol::intern(descriptor));
  if (field == nullptr || field->is_static() != is_static) {
    vm_exit_during_initialization("{} has no {}field {} of type {}", owner->name->text(), is_static ? "static " : "",
                                  name, descriptor);
  }
  return field->offset;
}

Method* method_of(const InstanceKlass* owner, std::string_view name, std::string_view descriptor) {
  Method* method = owner->find_declared_method(Symbol::intern(name), Symbol::intern(descriptor));
  if (method == nullptr) vm_exit_during_initialization("{} has no method {}{}", owner->name->text(), name, descriptor);
  return method;
}

// Offsets that lower layers use.
void publish_reference_offsets() {
  auto offset = [](const char* name, const char* descriptor) {
    return field_offset(Reference_class, name, descriptor, false);
  };
  reference_referent_offset = offset("referent", "Ljava/lang/Object;");
  reference_discovered_offset = offset("discovered", "Ljava/lang/ref/Reference;");
  reference_next_offset = Reference_next;
}

// The collector updates the clock of soft references as soon as it knows their class. So the class is published last,
// after the offsets of its statics: a collection may come in between.
void publish_soft_references() {
  soft_reference_timestamp_offset = SoftReference_timestamp;
  soft_reference_clock_offset = SoftReference_clock;
  soft_reference_klass = SoftReference_class;
}

}  // namespace

bool load(JavaThread* thread) {
  // Fields and statics are laid out once java.lang.Class is known, so its row follows Object's.
#define WELL_KNOWN_FIELD(owner, identifier, name, descriptor)
#define WELL_KNOWN_STATIC(owner, identifier, name, descriptor)
#define WELL_KNOWN_METHOD(owner, identifier, name, descriptor)
#define WELL_KNOWN_CLASS(identifier, name) \
  if (identifier##_class = load_core_class(thread, name); identifier##_class == nullptr) return false;
#define WELL_KNOWN_WHEN(first, last, row) \
  if (library_is_within(first, last)) {   \
    row                                   \
  }
#include "vm/link/well_known.def"
#undef WELL_KNOWN_CLASS
#undef WELL_KNOWN_FIELD

#define WELL_KNOWN_CLASS(identifier, name)
#define WELL_KNOWN_FIELD(owner, identifier, name, descriptor) \
  owner##_##identifier = field_offset(owner##_class, name, descriptor, false);
#define WELL_KNOWN_WHEN(first, last, row) \
  if (library_is_within(first, last)) {   \
    row                                   \
  }
#include "vm/link/well_known.def"
#undef WELL_KNOWN_FIELD
#undef WELL_KNOWN_METHOD
  publish_reference_offsets();
  if (!make_early_mirrors(thread)) return false;
  if (!make_primitive_klasses(thread)) return false;

#define WELL_KNOWN_FIELD(owner, identifier, name, descriptor)
#define WELL_KNOWN_METHOD(owner, identifier, name, descriptor) \
  owner##_##identifier = method_of(owner##_class, name, descriptor);
#undef WELL_KNOWN_STATIC
#define WELL_KNOWN_STATIC(owner, identifier, name, descriptor) \
  owner##_##identifier = field_offset(owner##_class, name, descriptor, true);
#define WELL_KNOWN_WHEN(first, last, row) \
  if (library_is_within(first, last)) {   \
    row                                   \
  }
#include "vm/link/well_known.def"
#undef WELL_KNOWN_CLASS
#undef WELL_KNOWN_FIELD
#undef WELL_KNOWN_STATIC
#undef WELL_KNOWN_METHOD
  publish_soft_references();
  if (Class_get_protection_domain != nullptr) make_native(Class_get_protection_domain);
  return true;
}

void make_native(Method* method) {
  method->access_flags |= access::Native;
  method->code = nullptr;
  method->code_length = 0;
  method->max_stack = method->handler_count = 0;
  method->max_locals = method->argument_slots;
  method->entry.store(execution_engine().first_entry(method), std::memory_order_release);
}

void take_body(Method* method, const Method* body) {
  method->constants = body->constants;
  method->code = body->code;
  method->code_length = body->code_length;
  method->max_stack = body->max_stack;
  method->max_locals = body->max_locals;
  method->handlers = body->handlers;
  method->handler_count = body->handler_count;
  method->lines = body->lines;
  method->line_count = body->line_count;
  method->stack_map = body->stack_map;
  method->stack_map_length = body->stack_map_length;
}

}  // namespace keyhole::well_known
