// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Offsets of fields: largest first; fields fill every gap that they fit into, even gaps of superclasses.
//
//   class A { int i; byte b; }          | header 8 | i | b . . . |           A: 16 bytes, three bytes free
//   class B extends A { long l; byte c; short s; }
//                                       | header 8 | i | b c s s | l |       B: 24 bytes
//
// Statics live in the mirror: references first (the collector scans them as one run), then the others by size.
#pragma once

#include "runtime/base/arena.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {

// Sets the offsets of klass's instance fields, instance_bytes, reference_spans; places what the VM injects.
void layout_instance_fields(InstanceKlass* klass, Arena& arena);
// Sets the offsets of klass's static fields in a mirror whose own fields end at `base`, and the mirror's size.
void layout_static_fields(InstanceKlass* klass, u32 base);

// Offset of the LoaderData* that the VM injects into java.lang.ClassLoader. 0 until that class is loaded.
extern u32 class_loader_data_offset;

}  // namespace keyhole
