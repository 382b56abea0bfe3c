// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Access checks (JVMS 5.4.4), packages and nests.
#include <fmt/format.h>

#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_data.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/reflection_accessors.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

bool host_lists_member(const InstanceKlass* host, const InstanceKlass* member) {
  for (u32 i = 0; i < host->nest_member_count; ++i) {
    if (host->constants->class_name(host->nest_members[i]) == member->name) return true;
  }
  return false;
}

// Says why a class is not a member of the nest that it names; empty if it is one.
std::string nest_host_failure(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  if (klass->nest_host_index == 0 || nest_host_of(thread, klass) != klass) return "";
  Klass* named = resolve_class_at(thread, klass->constants, klass->nest_host_index);
  if (named == nullptr) {
    HandleScope scope(thread);
    Handle failure = scope.make(take_exception(thread));
    Object* message = failure->get_reference(well_known::Throwable_detail_message);
    return fmt::format("Nest host resolution of {} with host {} failed: {}{}", external_name(klass),
                       klass->constants->class_name(klass->nest_host_index)->text(), external_name(failure->klass()),
                       message == nullptr ? "" : ": " + string_to_utf8(message));
  }
  const char* why = !named->is_instance()         ? "host is not an instance class"
                    : !same_package(named, klass) ? "types are in different packages"
                                                  : "current type is not listed as a nest member";
  return fmt::format("Type {} (loader: {}) is not a nest member of type {} (loader: {}): {}", external_name(klass),
                     loader_name_and_id(klass->loader), external_name(named), loader_name_and_id(named->loader), why);
}

}  // namespace

bool same_package(const Klass* a, const Klass* b) {
  a = bottom_class(a);
  b = bottom_class(b);
  return a->loader == b->loader && package_of(a) == package_of(b);
}

bool can_access_class(const InstanceKlass* from, const Klass* target) {
  target = bottom_class(target);
  return from == target || (target->access_flags & access::Public) != 0 || same_package(from, target) ||
         is_reflection_accessor(from);
}

// The nest host of a class (JVMS 5.4.4). A class is its own host, alone in its nest, if the host that it names cannot
// be loaded, is in another package, or does not list the class.
InstanceKlass* nest_host_of(JavaThread* thread, InstanceKlass* klass) {
  InstanceKlass* known = std::atomic_ref(klass->nest_host).load(std::memory_order_acquire);
  if (known != nullptr) return known;
  InstanceKlass* host = klass;
  if (klass->nest_host_index != 0) {
    HandleScope scope(thread);
    Handle pending = scope.make(take_exception(thread));
    Klass* named = resolve_class_at(thread, klass->constants, klass->nest_host_index);
    if (named == nullptr) {
      Handle failure = scope.make(take_exception(thread));
      std::string_view kind = failure->klass()->name->text();
      // Out of memory and stack overflow may be temporary: the failed result is not cached.
      if (kind == "java/lang/OutOfMemoryError" || kind == "java/lang/StackOverflowError") {
        throw_object(thread, pending ? pending.get() : failure.get());
        return klass;
      }
    } else if (named->is_instance() && same_package(named, klass) && host_lists_member(named->as_instance(), klass)) {
      host = named->as_instance();
    }
    if (pending) throw_object(thread, pending.get());
  }
  std::atomic_ref(klass->nest_host).store(host, std::memory_order_release);
  return host;
}

std::string nest_host_failures(JavaThread* thread, InstanceKlass* from, InstanceKlass* holder) {
  std::string both;
  for (InstanceKlass* klass : {from, holder}) {
    std::string failure = nest_host_failure(thread, klass);
    if (failure.empty()) continue;
    both += (both.empty() ? "" : ", ") + failure;
  }
  return both.empty() ? both : ", (" + both + ")";
}

bool can_access_member(JavaThread* thread, InstanceKlass* from, InstanceKlass* holder, Klass* reference_class,
                       u32 member_flags) {
  if (from == holder || (member_flags & access::Public) != 0) return true;
  if ((member_flags & access::Private) != 0) {
    return is_reflection_accessor(from) || nest_host_of(thread, from) == nest_host_of(thread, holder);
  }
  if (same_package(from, holder) || is_reflection_accessor(from)) return true;
  if ((member_flags & access::Protected) == 0) return false;
  // Protected members: a subclass may access them; instance members only if the reference class is its subclass or
  // superclass.
  bool is_subclass = false;
  for (const Klass* super = from; super != nullptr; super = super->super) is_subclass |= super == holder;
  if (!is_subclass) return false;
  if ((member_flags & access::Static) != 0) return true;
  return reference_class == nullptr || reference_class == from || reference_class->is_subtype_of(from) ||
         from->is_subtype_of(reference_class);
}

}  // namespace keyhole
