// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of classes and frames for histograms and dumps. The layers above provide them.
#pragma once

#include <string>
#include <vector>

#include "runtime/object/klass.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::gc::inspect {

struct FieldDescription {
  const Symbol* name;
  BasicType type;
  u32 offset;  // offset in the object, or in the mirror
  bool is_static;
};

struct FrameDescription {
  const Symbol* method;
  const Symbol* descriptor;
  const Symbol* source_file;  // null: unknown
  const Klass* holder;
  i32 line;  // -1 unknown, -2 native
};

// Functions of the layers above; called with the world stopped.
struct Describer {
  void (*fields)(const Klass* klass,
                 std::vector<FieldDescription>& out);  // the fields declared in this class, in its order
  std::string (*external_name)(const Klass* klass);    // "java.lang.String", "[I"
  std::string (*module)(const Klass* klass);           // "java.base@17.0.15"; empty: unnamed
  Object* (*loader)(const Klass* klass);               // null: the boot loader
  void (*frames)(JavaThread* thread, std::vector<FrameDescription>& out);  // innermost first
  // Visits each reference in the thread's frames. frame: the index among frames(); -1 for references between two of
  // them.
  void (*frame_roots)(JavaThread* thread, void (*visit)(Object* object, i32 frame, void* context), void* context);
};

// Registers the describer, while the VM starts. Without one (in tests of gc alone) a class has no fields, and its
// internal name.
void describe_with(const Describer& describer);
const Describer& describer();

}  // namespace keyhole::gc::inspect
