// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolving method references (JVMS 5.4.3.3, 5.4.3.4) and the checks of each invoke instruction (JVMS 6.5).
//
// Cached is the resolved method, once class, look-up and access check have succeeded. Checks that depend on the
// instruction are made each time.
#include <fmt/format.h>

#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_constraints.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/resolution_failures.h"
#include "vm/link/vtable.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

Thrown throw_incompatible(JavaThread* thread, const std::string& message) MAY_SAFEPOINT {
  return throw_message(thread, names::java_lang_IncompatibleClassChangeError, message);
}

// Throws for conflicting defaults among `candidates`. The text names abstract candidates, too.
Thrown throw_conflicting_defaults(JavaThread* thread, const std::vector<Method*>& candidates) MAY_SAFEPOINT {
  std::string message = "Conflicting default methods:";
  for (const Method* method : candidates)
    message += fmt::format(" {}.{}", method->holder->name->text(), method->name->text());
  return throw_incompatible(thread, message);
}

// Returns the only default among the maximally-specific methods of `klass`, or `method` when all are abstract. Null: an
// exception is pending, because there are several.
Method* only_default(JavaThread* thread, InstanceKlass* klass, Method* method) MAY_SAFEPOINT {
  std::vector<Method*> candidates = maximally_specific_methods(klass, method->name, method->descriptor);
  Method* only = nullptr;
  for (Method* candidate : candidates) {
    if (candidate->is_abstract()) continue;
    if (only != nullptr) return throw_conflicting_defaults(thread, candidates);
    only = candidate;
  }
  return only == nullptr ? method : only;
}

// Finds a signature-polymorphic method, which takes any descriptor (JVMS 5.4.3.3 step 2).
Method* find_polymorphic(const Klass* klass, const Symbol* name) {
  if (!klass->is_instance() || !klass->loader->is_boot() || !klass->name->starts_with("java/lang/invoke/"))
    return nullptr;
  const InstanceKlass* instance = klass->as_instance();
  for (u32 i = 0; i < instance->method_count; ++i) {
    if (instance->methods[i]->polymorphic_signature && instance->methods[i]->name == name) return instance->methods[i];
  }
  return nullptr;
}

}  // namespace

Thrown throw_abstract(JavaThread* thread, const Klass* receiver, const Method* resolved, const Method* selected) {
  std::string what = fmt::format("'{}{}' of {} {}.", resolved->is_abstract() ? "abstract " : "",
                                 external_method_name(nullptr, resolved->name, resolved->descriptor),
                                 external_kind(resolved->holder), external_name(resolved->holder));
  std::string message =
      receiver == nullptr
          ? "Missing implementation of resolved method " + what
          : fmt::format("Receiver class {} does not define or inherit an implementation of the resolved method {}",
                        external_name(receiver), what);
  if (selected != nullptr && selected != resolved) {
    message += fmt::format(" Selected method is '{}{}'.", selected->is_abstract() ? "abstract " : "",
                           selected->external_name());
  }
  return throw_message(thread, names::java_lang_AbstractMethodError, message);
}

bool check_method_access(JavaThread* thread, InstanceKlass* from, Klass* reference_class, Method* method) {
  // Arrays have a public clone (JLS 10.7).
  if (reference_class->is_array() && method->name->text() == "clone" &&
      method->descriptor->text() == "()Ljava/lang/Object;")
    return true;
  bool allowed = can_access_member(thread, from, method->holder, reference_class, method->access_flags);
  if (has_exception(thread)) return false;
  if (allowed) return true;
  return throw_new(thread, names::java_lang_IllegalAccessError, "class {} tried to access {}{}method '{}' ({}){}",
                   external_name(from), method->is_abstract() ? "abstract " : "",
                   visibility_in_words(method->access_flags), method->external_name(),
                   both_in_module_of_loader(from, method->holder),
                   method->is_private() ? nest_host_failures(thread, from, method->holder) : "");
}

bool check_method_constraints(JavaThread* thread, const InstanceKlass* from, const Klass* reference_class,
                              const Method* method) {
  SymbolHandle disputed = constrain_signature(method->descriptor, from->loader, method->holder->loader);
  if (disputed == nullptr) return true;
  return throw_new(
      thread, names::java_lang_LinkageError,
      "loader constraint violation: when resolving {} '{}' the class loader {} of the current class, {}, and the "
      "class loader {} for the "
      "method's defining class, {}, have different Class objects for the type {} used in the signature ({}; {})",
      reference_class->is_interface() ? "interface method" : "method",
      external_method_name(reference_class, method->name, method->descriptor), loader_name_and_id(from->loader),
      external_name(from), loader_name_and_id(method->holder->loader), external_name(method->holder),
      disputed->dotted(), class_in_module_of_loader(from, true, true),
      class_in_module_of_loader(method->holder, true, true));
}

namespace {

// Checks that the instruction, the kind of the class that it names and the kind of the pool entry fit together.
bool check_reference_kind(JavaThread* thread, const ConstantPool* constants, u32 index, InvokeKind kind,
                          const Klass* reference_class) MAY_SAFEPOINT {
  bool is_interface = reference_class->is_interface();
  if (kind == InvokeKind::Interface && !is_interface) {
    return throw_incompatible(
        thread, fmt::format("Found class {}, but interface was expected", external_name(reference_class)));
  }
  if (kind == InvokeKind::Virtual && is_interface) {
    return throw_incompatible(
        thread, fmt::format("Found interface {}, but class was expected", external_name(reference_class)));
  }
  if (is_interface == (constants->tag(index) == ConstantTag::InterfaceMethodref)) return true;
  std::string name =
      external_method_name(reference_class, constants->ref_name(index), constants->ref_descriptor(index));
  return throw_incompatible(
      thread, fmt::format("Method '{}' must be {} constant", name, is_interface ? "InterfaceMethodref" : "Methodref"));
}

Method* find_linkable_method(JavaThread* thread, ConstantPool* constants, u32 index, Klass* reference_class)
    MAY_SAFEPOINT {
  const Symbol* name = constants->ref_name(index);
  const Symbol* descriptor = constants->ref_descriptor(index);
  if (Method* polymorphic = find_polymorphic(reference_class, name)) return polymorphic;
  Method* method = find_method(reference_class, name, descriptor);
  if (method == nullptr) {
    return throw_new(thread, names::java_lang_NoSuchMethodError, "'{}'",
                     external_method_name(reference_class, name, descriptor));
  }
  bool fits = check_method_access(thread, constants->holder, reference_class, method) &&
              check_method_constraints(thread, constants->holder, reference_class, method);
  return fits ? method : nullptr;
}

Thrown throw_unimplemented(JavaThread* thread, const Klass* holder, const Method* method) MAY_SAFEPOINT {
  return throw_new(thread, names::java_lang_AbstractMethodError, "'{}'",
                   external_method_name(holder, method->name, method->descriptor));
}

// The method's name for messages. Conflicting defaults appear as methods of the class itself.
std::string name_in(Klass* reference_class, const Method* method) {
  if (has_conflicting_defaults(reference_class, method))
    return external_method_name(reference_class, method->name, method->descriptor);
  return method->external_name();
}

// Selects the method that invokespecial runs (JVMS 6.5.invokespecial).
bool select_special(JavaThread* thread, ConstantPool* constants, Klass* reference_class, ResolvedCall& result)
    MAY_SAFEPOINT {
  InstanceKlass* from = constants->holder;
  Method* method = result.method;
  if (method->is_initializer() && method->holder != reference_class) {
    return throw_new(thread, names::java_lang_NoSuchMethodError, "{}: method '{}' not found",
                     external_name(reference_class), external_method_name(nullptr, method->name, method->descriptor));
  }
  if (method->is_static()) {
    return throw_incompatible(thread,
                              fmt::format("{} '{}'",
                                          reference_class->is_interface() ? "Expected instance not static method"
                                                                          : "Expecting non-static method",
                                          method->external_name()));
  }
  if (reference_class->is_interface() && reference_class != from && !(from->is_hidden && from->is_boot)) {
    bool is_direct = false;
    for (u32 i = 0; i < from->interface_count; ++i) is_direct |= from->interfaces[i] == reference_class;
    if (!is_direct) {
      return throw_incompatible(
          thread, fmt::format("Interface method reference: '{}', is {} superinterface of {}", method->external_name(),
                              release::denies_direct_superinterface() ? "not in a direct" : "in an indirect",
                              external_name(from)));
    }
  }
  bool is_superclass = !reference_class->is_interface() && reference_class != from &&
                       static_cast<Klass*>(from)->is_subtype_of(reference_class);
  Method* selected = method;
  if (is_superclass && !method->is_initializer() && !method->is_private() &&
      (from->access_flags & access::Super) != 0) {
    // super.m(): starts at the direct superclass, independent of the class at compile time.
    selected = find_method(from->super, method->name, method->descriptor);
    if (selected == nullptr) return throw_abstract(thread, from->super, method, nullptr);
    if (selected->is_static()) {
      return throw_incompatible(thread,
                                fmt::format("Expected instance not static method '{}'", selected->external_name()));
    }
    if (selected != method && !check_method_constraints(thread, from, reference_class, selected)) return false;
    if (selected->holder->is_interface()) {
      selected = only_default(thread, from->super->as_instance(), selected);
      if (selected != nullptr && selected->is_abstract()) return throw_unimplemented(thread, method->holder, method);
    }
  } else if (reference_class->is_instance() && method->holder->is_interface() && !method->is_private()) {
    selected = only_default(thread, reference_class->as_instance(), method);
  }
  if (selected == nullptr) return false;
  if (selected->is_abstract()) return throw_unimplemented(thread, reference_class, method);
  result.method = selected;
  result.direct = true;
  return true;
}

}  // namespace

bool resolve_call_at(JavaThread* thread, ConstantPool* constants, u32 index, InvokeKind kind, const Method* from,
                     ResolvedCall& result) {
  Klass* reference_class = resolve_class_at(thread, constants, constants->first(index));
  if (reference_class == nullptr || !check_reference_kind(thread, constants, index, kind, reference_class))
    return false;
  auto* method = reinterpret_cast<Method*>(constants->resolved[index].load(std::memory_order_acquire));
  if (method == nullptr) {
    if (rethrow_resolution_failure(thread, constants, index)) return false;
    method = find_linkable_method(thread, constants, index, reference_class);
    if (method == nullptr) {
      remember_resolution_failure(thread, constants, index);
      return false;
    }
    constants->resolved[index].store(reinterpret_cast<u64>(method), std::memory_order_release);
  }
  result.method = method;
  result.reference_class = reference_class;
  switch (kind) {
    case InvokeKind::Static:
      if (!method->is_static())
        return throw_incompatible(thread, fmt::format("Expected static method '{}'", name_in(reference_class, method)));
      result.direct = true;
      return true;
    case InvokeKind::Special: return select_special(thread, constants, reference_class, result);
    case InvokeKind::Virtual:
    case InvokeKind::Interface:
      if (method->is_static()) {
        const char* wanted =
            kind == InvokeKind::Virtual ? "Expecting non-static method" : "Expected instance not static method";
        return throw_incompatible(thread, fmt::format("{} '{}'", wanted, method->external_name()));
      }
      result.direct = method->is_private() || method->polymorphic_signature ||
                      (!method->holder->is_interface() &&
                       (method->is_final() || (method->holder->access_flags & access::Final) != 0));
      return true;
  }
  return false;
}

Method* select_interface_method(JavaThread* thread, Klass* klass, Method* method, Selecting by) {
  InstanceKlass* interface = method->holder;
  if (!interface->is_interface()) {
    // The method is one of Object's, so it is in the vtable.
    return klass->vtable_entry(static_cast<u32>(method->vtable_index)).load(std::memory_order_relaxed);
  }
  if (!klass->is_subtype_of(interface)) {
    return throw_new(thread, names::java_lang_IncompatibleClassChangeError,
                     "Class {} does not implement the requested interface {}", external_name(klass),
                     external_name(interface));
  }
  if (method->is_private()) return method;
  InstanceKlass* receiver = klass->is_array() ? klass->super->as_instance() : klass->as_instance();
  if (!klass->is_array()) {
    for (u32 i = 0; i < receiver->interface_table_count; ++i) {
      if (receiver->interface_tables[i].interface != interface) continue;
      Method* selected = receiver->interface_tables[i].methods[method->itable_index].load(std::memory_order_relaxed);
      if (selected != nullptr && (selected->access_flags & access::Public) != 0) return selected;
      break;
    }
  }
  Selection selection = select_for_interface_method(receiver, method);
  if (selection.other != nullptr) {  // conflicting defaults
    if (by == Selecting::InvokeInterface && !release::names_conflicting_defaults())
      return throw_abstract(thread, klass, method, nullptr);
    return throw_conflicting_defaults(thread, maximally_specific_methods(receiver, method->name, method->descriptor));
  }
  if (selection.method == nullptr) {
    // This search ignores private and static methods of the class; the message names an abstract method if one was
    // found.
    Method* found = find_method(receiver, method->name, method->descriptor);
    return throw_abstract(thread, klass, method, found != nullptr && found->is_abstract() ? found : nullptr);
  }
  if (by != Selecting::InvokeVirtual && (selection.method->access_flags & access::Public) == 0) {
    return throw_new(thread, names::java_lang_IllegalAccessError, "'{}'", selection.method->external_name());
  }
  return selection.method;
}

}  // namespace keyhole
