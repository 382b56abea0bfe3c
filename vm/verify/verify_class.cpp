// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification of a class: each method, by the verifier for its version.
//
//   version >= 51   StackMapTable only
//   version 50      StackMapTable; a rejected class is verified again by inference, as tools of that time left bad
//                   tables. Where both reject, the kind of error is that of inference, the text that of the first.
//   version < 50    inference
#include "vm/verify/verifier.h"

#include <ranges>

#include "runtime/base/log.h"
#include "vm/link/exceptions.h"
#include "vm/verify/frame_map.h"
#include "vm/verify/method_verifiers.h"

namespace keyhole::verify {
namespace {

template <typename Methods, typename Verifier>
Rejection first_rejection(JavaThread* thread, Methods&& methods, Verifier&& verify) CALLS_VISITOR {
  for (const Method* method : methods) {
    if (method->code == nullptr) continue;
    Rejection rejection = verify(method);
    if (rejection || has_exception(thread)) return rejection;
  }
  return {};
}

}  // namespace

Rejection verify_class(JavaThread* thread, InstanceKlass* klass) {
  return verify_methods(thread, klass, {klass->methods, klass->method_count}, klass->major_version);
}

Rejection verify_methods(JavaThread* thread, InstanceKlass* klass, std::span<Method* const> methods,
                         u16 major_version) {
  TypeHierarchy hierarchy(thread, klass);
  auto infer = [&](const Method* method) MAY_SAFEPOINT { return verify_by_inference(hierarchy, method); };
  // The verifier by inference begins with the last method, as HotSpot's does: of a class with several faults both
  // throw the same error.
  auto last_first = methods | std::views::reverse;
  Rejection rejection;
  if (major_version < 50) {
    rejection = first_rejection(thread, last_first, infer);
  } else {
    rejection = first_rejection(thread, methods, [&](const Method* method) MAY_SAFEPOINT {
      return verify_by_stack_maps(thread, hierarchy, method);
    });
    if (major_version == 50 && rejection && !has_exception(thread)) {
      KEYHOLE_LOG(info, class_init, "Fail over class verification to old verifier for: {}", klass->name->dotted());
      Rejection second = first_rejection(thread, last_first, infer);
      if (!second) return {};
      rejection.kind = second.kind;
    }
  }
  return has_exception(thread) ? Rejection() : rejection;
}

namespace {

struct RegisteredVerifier final : ClassVerifier {
  Rejection verify_class(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT override {
    return verify::verify_class(thread, klass);
  }
  Rejection verify_methods(JavaThread* thread, InstanceKlass* klass, std::span<Method* const> methods,
                           u16 major_version) MAY_SAFEPOINT override {
    return verify::verify_methods(thread, klass, methods, major_version);
  }
  void release_frame_maps(Method* method) override { keyhole::release_frame_maps(method); }
};
RegisteredVerifier instance;

}  // namespace

void initialize() { register_verifier(&instance); }

}  // namespace keyhole::verify
