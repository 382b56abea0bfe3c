// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification of a class: each method, by the verifier for its version.
//
//   version >= 51   StackMapTable only
//   version 50      StackMapTable; rejected code gets a second chance by inference, as tools of that time left bad
//                   tables
//   version < 50    inference
#include "runtime/base/log.h"
#include "vm/link/exceptions.h"
#include "vm/link/verification.h"
#include "vm/verify/method_verifiers.h"

namespace keyhole {

std::string verify_class(JavaThread* thread, InstanceKlass* klass) {
  return verify_methods(thread, klass, {klass->methods, klass->method_count}, klass->major_version);
}

std::string verify_methods(JavaThread* thread, InstanceKlass* klass, std::span<Method* const> methods,
                           u16 major_version) {
  TypeHierarchy hierarchy(thread, klass);
  std::string fault;
  for (const Method* method : methods) {
    if (!fault.empty() || has_exception(thread)) break;
    if (method->code == nullptr) continue;
    if (major_version >= 50) fault = verify_by_stack_maps(thread, hierarchy, method);
    bool second_chance = major_version == 50 && !fault.empty() && !has_exception(thread);
    if (second_chance)
      KEYHOLE_LOG(info, class_init, "Fail over class verification to old verifier for: {}", klass->name->dotted());
    if (major_version < 50 || second_chance) fault = verify_by_inference(hierarchy, method);
  }
  return has_exception(thread) ? std::string() : fault;
}

}  // namespace keyhole
