// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.security.AccessController: the protection domains of the callers, up to a privileged one.
//
//   getContext           java.base: no domain               innermost
//   Inner.use            its domain
//   executePrivileged    its arguments are action, context, caller: the walk takes the caller's domain, and ends here
//   doPrivileged         not asked
//   Outer.run            not asked
//
//   the result: AccessControlContext({domain of Inner, domain of Outer}, privileged by `context`)
//
// A1: the context of a privileged frame is part of the result even without a security manager, because Subject.doAs
//     passes the subject in it.
// A2: without a security manager only checkPermission needs the domains. Java code makes them at first use, and
//     creating a thread, which keeps its maker's context, should not cost that.
#include "classlib/natives/declarations.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::natives {
namespace {

bool is_execute_privileged(const Method* method) {
  static const Symbol* controller = Symbol::intern("java/security/AccessController");
  static const Symbol* execute = Symbol::intern("executePrivileged");
  return method->name == execute && method->holder->name == controller;
}

bool asks_for_permission(JavaThread* thread) {
  auto views = virtual_frames(thread);
  auto activation = views.begin();
  ++activation;  // the native method
  return activation != views.end() && (*activation).method()->name->text() == "checkPermission";
}

struct Callers {
  std::vector<Handle> classes;  // no class twice in succession, and none of the boot loader
  bool is_privileged = false;
  Handle privileged_context;
};

Callers callers_of(JavaThread* thread, HandleScope& scope, bool with_classes) TOUCHES_OBJECTS {
  Callers callers;
  auto add = [&](Object* mirror) TOUCHES_OBJECTS {
    bool is_known = !callers.classes.empty() && callers.classes.back().get() == mirror;
    if (with_classes && !is_known && !klass_of_mirror(mirror)->loader->is_boot())
      callers.classes.push_back(scope.make(mirror));
  };
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (!is_execute_privileged(activation.method())) {
      add(activation.method()->holder->mirror);
      continue;
    }
    callers.is_privileged = true;
    callers.privileged_context = scope.make(object_of(activation.locals()[1]));
    if (Object* caller = object_of(activation.locals()[2])) add(caller);
    break;
  }
  return callers;
}

// Makes the ProtectionDomain[] of the classes. Null without an exception: all of them are system code.
Object* domains_of(JavaThread* thread, HandleScope& scope, const std::vector<Handle>& classes) MAY_SAFEPOINT {
  std::vector<Handle> domains;
  for (Handle mirror : classes) {
    Object* domain = Class_getProtectionDomain0(thread, mirror);
    if (has_exception(thread)) return nullptr;
    if (domain != nullptr && (domains.empty() || domains.back().get() != domain)) domains.push_back(scope.make(domain));
  }
  if (domains.empty()) return nullptr;
  Klass* element = resolve_class(thread, Symbol::intern("java/security/ProtectionDomain"), boot_loader());
  Object* array = element == nullptr ? nullptr : new_reference_array(thread, element, static_cast<i32>(domains.size()));
  if (array == nullptr) return nullptr;
  for (usize i = 0; i < domains.size(); ++i) barrier::store_element(array, static_cast<i32>(i), domains[i].get());
  return array;
}

}  // namespace

Object* AccessController_getStackAccessControlContext(JavaThread* thread) {
  const late::SecuritySettings* settings = late::get<late::SecuritySettings>(thread);
  const late::AccessControlContext* row = late::get<late::AccessControlContext>(thread);
  if (settings == nullptr || row == nullptr) return nullptr;
  bool has_manager = settings->klass->mirror->get_reference(settings->manager) != nullptr;
  HandleScope scope(thread);
  Callers callers = callers_of(thread, scope, has_manager || asks_for_permission(thread));
  Handle domains = scope.make(domains_of(thread, scope, callers.classes));
  if (has_exception(thread)) return nullptr;
  bool is_all_powerful = callers.is_privileged && callers.privileged_context.is_null() && domains.is_null();
  if (is_all_powerful || !initialize_class(thread, row->klass)) return nullptr;
  Object* context = new_instance(thread, row->klass);
  if (context == nullptr) return nullptr;
  barrier::store(context, row->context, domains.get());
  barrier::store(context, row->privileged_context, callers.privileged_context.get());
  context->set<bool>(row->is_privileged, callers.is_privileged);
  context->set<bool>(row->is_authorized, true);
  return context;
}

Object* AccessController_getInheritedAccessControlContext(JavaThread* thread) {
  return thread->thread_object->get_reference(well_known::Thread_inherited_access_control_context);
}

void AccessController_ensureMaterializedForStackWalk(JavaThread*, Handle) {}

}  // namespace keyhole::natives
