// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the verifier for linking, redefinition and unloading. vm/verify implements it, in a layer above.
#pragma once

#include <span>
#include <string>

#include "runtime/threads/java_thread.h"
#include "vm/metadata/method.h"

namespace keyhole {

// The reason why a class is rejected: the error that java throws, and its text.
struct Rejection {
  enum class Kind : u8 { None, Verify, ClassFormat };
  Kind kind = Kind::None;
  std::string text = {};
  explicit operator bool() const { return kind != Kind::None; }
};

class ClassVerifier {
 public:
  // Type-checks all methods of `klass`: class files from version 50 by their StackMapTable (JVMS 4.10.1), older ones by
  // inference (4.10.2). Loads classes: when that threw, the exception is pending and nothing is rejected.
  virtual Rejection verify_class(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT = 0;
  // Checks the new methods of a redefinition in the same way; they come from a file of this version.
  virtual Rejection verify_methods(JavaThread* thread, InstanceKlass* klass, std::span<Method* const> methods,
                                   u16 major_version) MAY_SAFEPOINT = 0;
  // Frees the cached frame maps (vm/verify/frame_map.h): the method's class is being unloaded.
  virtual void release_frame_maps(Method* method) = 0;

 protected:
  ~ClassVerifier() = default;
};

// Called once, before the first class is linked.
void register_verifier(ClassVerifier* verifier);
ClassVerifier& verifier();

}  // namespace keyhole
