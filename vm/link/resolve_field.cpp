// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolving field references (JVMS 5.4.3.2) and the checks of each instruction (JVMS 6.5.getfield ... putstatic).
//
// Cached is the field, once its class, its look-up and its access check have succeeded. Checks that depend on the
// instruction are made each time.
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_constraints.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/resolution_failures.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

Field* find_linkable_field(JavaThread* thread, ConstantPool* constants, u32 index) MAY_SAFEPOINT {
  Klass* reference_class = resolve_class_at(thread, constants, constants->first(index));
  if (reference_class == nullptr) return nullptr;
  const Symbol* name = constants->ref_name(index);
  Field* field = nullptr;
  if (reference_class->is_instance())
    field = find_field(reference_class->as_instance(), name, constants->ref_descriptor(index));
  if (field == nullptr) {
    if (!release::names_missing_field_in_full())
      return throw_message(thread, names::java_lang_NoSuchFieldError, name->string());
    return throw_new(thread, names::java_lang_NoSuchFieldError, "Class {} does not have member field '{} {}'",
                     external_name(reference_class->is_array() ? well_known::Object_class : reference_class),
                     external_type(constants->ref_descriptor(index)->text()), name->text());
  }
  InstanceKlass* from = constants->holder;
  bool allowed = can_access_member(thread, from, field->holder, reference_class, field->access_flags);
  if (has_exception(thread)) return nullptr;
  if (!allowed) {
    return throw_new(
        thread, names::java_lang_IllegalAccessError, "class {} tried to access {}field {}.{} ({}){}",
        external_name(from), visibility_in_words(field->access_flags), external_name(field->holder), name->text(),
        both_in_module_of_loader(from, field->holder),
        (field->access_flags & access::Private) != 0 ? nest_host_failures(thread, from, field->holder) : "");
  }
  return check_field_constraints(thread, from, field) ? field : nullptr;
}

// Checks an update of a final field. Messages name the class of the reference, not the class that declares the field.
bool check_final_update(JavaThread* thread, const InstanceKlass* from_class, const Klass* reference_class,
                        const Field* field, const Method* from) MAY_SAFEPOINT {
  const char* kind = field->is_static() ? "static" : "non-static";
  if (from_class != field->holder) {
    return throw_new(
        thread, names::java_lang_IllegalAccessError,
        "Update to {} final field {}.{} attempted from a different class ({}) than the field's declaring class", kind,
        external_name(reference_class), field->name->text(), external_name(from_class));
  }
  // Before version 53 of class files every method of the class may update it; since then only the initialisers may.
  if (from == nullptr || from_class->major_version < 53) return true;
  bool is_right = field->is_static() ? from->is_class_initializer() : from->is_initializer();
  if (is_right) return true;
  return throw_new(
      thread, names::java_lang_IllegalAccessError,
      "Update to {} final field {}.{} attempted from a different method ({}) than the initializer method {} ", kind,
      external_name(reference_class), field->name->text(), from->name->text(),
      field->is_static() ? "<clinit>" : "<init>");
}

}  // namespace

bool check_field_constraints(JavaThread* thread, const InstanceKlass* from, const Field* field) {
  if (SymbolHandle disputed = constrain_signature(field->descriptor, from->loader, field->holder->loader)) {
    return throw_new(thread, names::java_lang_LinkageError,
                     "loader constraint violation: when resolving field \"{}\" of type {}, the class loader {} of the "
                     "current class, {}, and the class "
                     "loader {} for the field's defining class, {}, have different Class objects for type {} ({}; {})",
                     field->name->text(), disputed->dotted(), loader_name_and_id(from->loader), external_name(from),
                     loader_name_and_id(field->holder->loader), external_name(field->holder), disputed->dotted(),
                     class_in_module_of_loader(from, true, true), class_in_module_of_loader(field->holder, true, true));
  }
  return true;
}

Field* resolve_field_at(JavaThread* thread, ConstantPool* constants, u32 index, bool is_static, bool is_put,
                        const Method* from) {
  auto* field = reinterpret_cast<Field*>(constants->resolved[index].load(std::memory_order_acquire));
  if (field == nullptr) {
    if (rethrow_resolution_failure(thread, constants, index)) return nullptr;
    field = find_linkable_field(thread, constants, index);
    if (field == nullptr) {
      remember_resolution_failure(thread, constants, index);
      return nullptr;
    }
    constants->resolved[index].store(reinterpret_cast<u64>(field), std::memory_order_release);
  }
  bool updates_final = is_put && field->is_final();
  if (field->is_static() == is_static && !updates_final) [[likely]]
    return field;
  const Klass* reference_class = resolve_class_at(thread, constants, constants->first(index));
  if (field->is_static() != is_static) {
    return throw_new(thread, names::java_lang_IncompatibleClassChangeError, "Expected {} field {}.{}",
                     is_static ? "static" : "non-static", external_name(reference_class), field->name->text());
  }
  return check_final_update(thread, constants->holder, reference_class, field, from) ? field : nullptr;
}

}  // namespace keyhole
