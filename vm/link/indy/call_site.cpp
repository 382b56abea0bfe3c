// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// invokedynamic: links the sites of well-known bootstrap methods in C++, runs all other bootstrap methods in Java, and
// caches the results.
//
// R1: a site is linked once. Threads that link it at the same time all use the result that was entered first.
// R2: a site that failed with a LinkageError fails for ever with that error (JVMS 5.4.3.6).
#include <map>

#include "gc/barrier.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/points.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/indy/indy.h"
#include "vm/link/indy/lambda.h"
#include "vm/link/indy/polymorphic.h"
#include "vm/link/indy/record_methods.h"
#include "vm/link/indy/string_concat.h"
#include "vm/link/indy/support.h"
#include "vm/link/loading/class_unloading.h"
#include "vm/link/resolution_failures.h"

namespace keyhole {

using namespace indy;

namespace {

LazyClass call_site_class("java/lang/invoke/CallSite");
LazyMethod link_in_java(linkage_class, "linkCallSite",
                        "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/invoke/"
                        "MethodType;[Ljava/lang/Object;)Ljava/lang/Object;");
LazyMethod type_switch(linkage_class, "typeSwitch", "(Ljava/lang/Object;I[Ljava/lang/Object;)I");
LazyMethod enum_switch(linkage_class, "enumSwitch", "(Ljava/lang/Enum;I[Ljava/lang/Object;)I");

struct LinkedSite {
  const InstanceKlass* caller;
  Method* target;
  Object** appendix;  // a root of the caller's unit; null: no appendix
};
using SiteKey = const u8*;  // the instruction's address; a redefined class has new instructions

Mutex sites_mutex{LockRank::call_sites};  // not held while linking
std::map<SiteKey, LinkedSite>& linked_sites() REQUIRES(sites_mutex) {
  static std::map<SiteKey, LinkedSite> table;
  return table;
}

enum class Bootstrap : u8 {
  Other,
  Lambda,
  AlternativeLambda,
  Concat,
  ConcatWithConstants,
  Record,
  TypeSwitch,
  EnumSwitch
};

// A bootstrap method whose sites are linked in C++. Other bootstrap methods are looked up like any method.
struct KnownBootstrap {
  std::string_view owner, name, descriptor;
  Bootstrap bootstrap;
};
#define SITE "Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
constexpr KnownBootstrap known_bootstraps[] = {
    {"java/lang/invoke/LambdaMetafactory", "metafactory",
     "(" SITE "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/"
     "invoke/CallSite;",
     Bootstrap::Lambda},
    {"java/lang/invoke/LambdaMetafactory", "altMetafactory", "(" SITE "[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
     Bootstrap::AlternativeLambda},
    {"java/lang/invoke/StringConcatFactory", "makeConcat", "(" SITE ")Ljava/lang/invoke/CallSite;", Bootstrap::Concat},
    {"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
     "(" SITE "Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;", Bootstrap::ConcatWithConstants},
    {"java/lang/runtime/ObjectMethods", "bootstrap",
     "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/TypeDescriptor;Ljava/lang/"
     "Class;Ljava/lang/String;"
     "[Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;",
     Bootstrap::Record},
    {"java/lang/runtime/SwitchBootstraps", "typeSwitch", "(" SITE "[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
     Bootstrap::TypeSwitch},
    {"java/lang/runtime/SwitchBootstraps", "enumSwitch", "(" SITE "[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
     Bootstrap::EnumSwitch},
};
#undef SITE

// Does a pattern switch have a value of a primitive type, or a primitive type as a label? Then the JDK's own bootstrap
// method links it.
bool switches_over_primitives(ConstantPool* constants, u32 constant_index) {
  std::string_view site = constants->ref_descriptor(constant_index)->text();
  if (!site.starts_with("(L") && !site.starts_with("([")) return true;
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  for (u32 i = 0; i < bootstrap[1]; ++i) {
    u32 label = bootstrap[2 + i];
    if (constants->tag(label) == ConstantTag::Dynamic &&
        constants->ref_descriptor(label)->text() == "Ljava/lang/Class;")
      return true;
  }
  return false;
}

Bootstrap bootstrap_of(ConstantPool* constants, u32 constant_index) {
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  u64 handle = constants->values[bootstrap[0]];
  u32 reference = static_cast<u32>(handle) & 0xFFFF;
  if (static_cast<ReferenceKind>(handle >> 16) != ReferenceKind::InvokeStatic ||
      constants->tag(reference) != ConstantTag::Methodref)
    return Bootstrap::Other;
  std::string_view owner = constants->ref_class_name(reference)->text(), name = constants->ref_name(reference)->text();
  std::string_view descriptor = constants->ref_descriptor(reference)->text();
  for (const KnownBootstrap& known : known_bootstraps) {
    if (known.name != name || known.owner != owner || known.descriptor != descriptor) continue;
    bool is_other = known.bootstrap == Bootstrap::TypeSwitch && switches_over_primitives(constants, constant_index);
    return is_other ? Bootstrap::Other : known.bootstrap;
  }
  return Bootstrap::Other;
}

// Resolves the types of the site and of its static arguments. Fails with the exception that resolving them to
// MethodTypes would throw for a missing or inaccessible class. Classes of the boot path are trusted.
bool resolve_types(JavaThread* thread, ConstantPool* constants, u32 constant_index) MAY_SAFEPOINT {
  if (constants->holder->is_boot) return true;
  const InstanceKlass* from = constants->holder;
  if (!check_types_of(thread, constants->ref_descriptor(constant_index)->text(), from)) return false;
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  for (u32 i = 0; i < bootstrap[1]; ++i) {
    u32 argument = bootstrap[2 + i];
    u32 value = static_cast<u32>(constants->values[argument]);
    std::string_view descriptor;
    if (constants->tag(argument) == ConstantTag::MethodType) descriptor = constants->utf8(value)->text();
    else if (constants->tag(argument) == ConstantTag::MethodHandle)
      descriptor = constants->ref_descriptor(value & 0xFFFF)->text();
    if (descriptor.starts_with('(') && !check_types_of(thread, descriptor, from)) return false;
  }
  return true;
}

// Links a pattern switch. The array of labels is the site's appendix.
bool link_switch(JavaThread* thread, Method* method, u32 constant_index, LazyMethod& target, CallSiteLink& link)
    MAY_SAFEPOINT {
  HandleScope scope(thread);
  ConstantPool* constants = method->constants;
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  Handle labels = scope.make(allocate_objects(thread, bootstrap[1]));
  if (labels.is_null()) return false;
  Handle label = scope.make(nullptr);
  for (u32 i = 0; i < bootstrap[1]; ++i) {
    if (!bootstrap_argument(thread, constants, bootstrap[2 + i], label)) return false;
    barrier::store_element(labels.get(), static_cast<i32>(i), label.get());
  }
  link.target = target.get(thread);
  link.appendix = labels.get();
  return link.target != nullptr;
}

// Links by the general rule (JVMS 5.4.3.6): calls the bootstrap method in Java and takes the target of the call site
// that it returns.
bool link_by_bootstrap(JavaThread* thread, Method* method, u32 constant_index, CallSiteLink& link) MAY_SAFEPOINT {
  HandleScope scope(thread);
  ConstantPool* constants = method->constants;
  Handle bootstrap = scope.make(nullptr), arguments = scope.make(nullptr);
  std::string_view descriptor = constants->ref_descriptor(constant_index)->text();
  if (!bootstrap_arguments(thread, constants, constant_index, bootstrap, arguments)) return false;
  Handle type = scope.make(method_type_of(thread, descriptor, constants->holder));
  if (type.is_null()) return false;
  Object* name = intern_symbol(thread, constants->ref_name(constant_index));
  if (name == nullptr) return false;
  Handle made = scope.make(link_in_java.call(thread, {slot_of(constants->holder->mirror), slot_of(bootstrap),
                                                      slot_of(name), slot_of(type), slot_of(arguments)}));
  if (has_exception(thread)) return false;
  InstanceKlass* site_class = call_site_class.get(thread);
  if (site_class == nullptr) return false;
  bool is_site = made->klass()->is_subtype_of(site_class);
  link.target = handle_adapter(thread, is_site ? AdapterKind::Mutable : AdapterKind::Constant, descriptor);
  link.appendix = made.get();
  return link.target != nullptr;
}

bool link_fresh(JavaThread* thread, Method* method, u32 constant_index, CallSiteLink& link) MAY_SAFEPOINT {
  bool handled = true;
  bool linked = false;
  Bootstrap bootstrap = bootstrap_of(method->constants, constant_index);
  if (bootstrap != Bootstrap::Other && !resolve_types(thread, method->constants, constant_index)) return false;
  method = thread->top_frame->method;  // read again: resolving may have redefined the class
  switch (bootstrap) {
    case Bootstrap::Lambda: linked = link_lambda(thread, method, constant_index, false, link, handled); break;
    case Bootstrap::AlternativeLambda: linked = link_lambda(thread, method, constant_index, true, link, handled); break;
    case Bootstrap::Concat: linked = link_string_concat(thread, method, constant_index, false, link, handled); break;
    case Bootstrap::ConcatWithConstants:
      linked = link_string_concat(thread, method, constant_index, true, link, handled);
      break;
    case Bootstrap::Record: linked = link_record_method(thread, method, constant_index, link, handled); break;
    case Bootstrap::TypeSwitch: return link_switch(thread, method, constant_index, type_switch, link);
    case Bootstrap::EnumSwitch: return link_switch(thread, method, constant_index, enum_switch, link);
    case Bootstrap::Other:
      handled = false;
      linked = true;
      break;
  }
  if (!linked || handled) return linked;
  return link_by_bootstrap(thread, thread->top_frame->method, constant_index, link);
}

// Fills the link from the table. False: the site is not in the table.
bool take_linked(const SiteKey& key, CallSiteLink& link) {
  MutexLock guard(sites_mutex);
  auto found = linked_sites().find(key);
  if (found == linked_sites().end()) return false;
  const LinkedSite& site = found->second;
  link = {site.target, site.appendix == nullptr ? nullptr : *site.appendix};
  return true;
}

}  // namespace

void forget_call_sites_of_dead_classes() {
  safepoint::assert_holds(sites_mutex);
  std::erase_if(linked_sites(), [](const auto& entry) { return is_dead(entry.second.caller); });
}

bool link_call_site(JavaThread* thread, Method* method, u32 bci, u32 constant_index, CallSiteLink& link) {
  SiteKey key = method->code + bci;
  if (take_linked(key, link)) return true;
  if (rethrow_call_site_failure(thread, key)) return false;
  link = {nullptr, nullptr};
  if (!link_fresh(thread, method, constant_index, link)) {
    wrap_in_bootstrap_error(thread);
    remember_call_site_failure(thread, key, method->holder);
    return false;
  }
  KEYHOLE_LOG(debug, indy, "{} @ {}: linked to {}", method->external_name(), bci, link.target->external_name());
  LinkedSite site{method->holder, link.target, nullptr};
  if (link.appendix != nullptr) {
    points::publish(link.appendix);
    MutexLock guard(method->holder->loader->mutex);
    site.appendix = method->holder->unit->make_root(link.appendix);
  }
  {
    MutexLock guard(sites_mutex);
    linked_sites().try_emplace(key, site);
  }
  return take_linked(key, link);
}

}  // namespace keyhole
