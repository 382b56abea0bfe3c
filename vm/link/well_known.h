// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes, fields and methods that the VM itself uses, found once at start: `well_known::String_class`,
// `well_known::String_value` (an offset), `well_known::Thread_run` (a Method*). Rows in well_known.def; a missing
// member ends the start with its name.
#pragma once

#include "vm/link/linker.h"

namespace keyhole::well_known {

#define WELL_KNOWN_CLASS(identifier, name) extern InstanceKlass* identifier##_class;
#define WELL_KNOWN_FIELD(owner, identifier, name, descriptor) extern u32 owner##_##identifier;
#define WELL_KNOWN_STATIC(owner, identifier, name, descriptor) extern u32 owner##_##identifier;
#define WELL_KNOWN_METHOD(owner, identifier, name, descriptor) extern Method* owner##_##identifier;
#include "vm/link/well_known.def"
#undef WELL_KNOWN_CLASS
#undef WELL_KNOWN_FIELD
#undef WELL_KNOWN_STATIC
#undef WELL_KNOWN_METHOD

// Loads (does not initialise) the classes of the table in order, makes their mirrors, fills the offsets.
[[nodiscard]] bool load(JavaThread* thread) MAY_SAFEPOINT;

// Gives a Java method of a class that is not linked yet the body that natives.def has for it (NATIVE_INSTEAD).
void make_native(Method* method);
// Gives a method the body of another class's method, which has the same parameters, with the receiver as its first.
void take_body(Method* method, const Method* body);

}  // namespace keyhole::well_known
