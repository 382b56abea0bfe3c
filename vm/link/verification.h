// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The verifier's interface for linking, redefining and unloading. Implemented by vm/verify, a layer above.
#pragma once

#include <span>
#include <string>

#include "runtime/threads/java_thread.h"
#include "vm/metadata/method.h"

namespace keyhole {

// Why a class is not acceptable: the error that java throws, and its text.
struct Rejection {
  enum class Kind : u8 { None, Verify, ClassFormat };
  Kind kind = Kind::None;
  std::string text = {};
  explicit operator bool() const { return kind != Kind::None; }
};

// Type-checks all methods of `klass`: class files from version 50 by their StackMapTable (JVMS 4.10.1), older ones by
// inference (4.10.2). Loads classes: when that threw, the exception is pending and nothing is rejected.
Rejection verify_class(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;
// The same for the new methods of a redefinition, from a file of this version.
Rejection verify_methods(JavaThread* thread, InstanceKlass* klass, std::span<Method* const> methods,
                         u16 major_version) MAY_SAFEPOINT;
// Frees the cached frame maps (vm/verify/frame_map.h): the method's class is being unloaded.
void release_frame_maps(Method* method);

}  // namespace keyhole
