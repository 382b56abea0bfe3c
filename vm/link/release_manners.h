// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the VM itself behaves or speaks as java of the library's release does, and no member of a class tells them
// apart.
#pragma once

#include "vm/classfile/class_path.h"

namespace keyhole::release {

// A ThreadDeath is what stops a thread, and nothing takes its place. Later releases stop none.
inline bool has_thread_death() { return library_is_within(0, 19); }

// NoSuchFieldError names the class and the type, too.
inline bool names_missing_field_in_full() { return library_is_within(21, ~0u); }

// An interface that invokespecial must not name "is not in a direct superinterface", before "is in an indirect" one.
inline bool denies_direct_superinterface() { return library_is_within(25, ~0u); }

// A reflective call of another class's object names both classes.
inline bool names_wrong_receiver() { return library_is_within(25, ~0u); }

// A program that cannot be started: "Exec failed, error: 2 (...)", before "error=2, ...".
inline bool names_failed_step() { return library_is_within(25, ~0u); }

// Of java.lang.management.
inline const char* management_version() { return library_is_within(21, ~0u) ? "4.0" : "3.0"; }

}  // namespace keyhole::release
