// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Failed resolutions: a constant-pool entry that failed once fails for ever with the same error (JVMS 5.4.3), even if
// it could succeed later.
//
// Class and message are kept, not the object: each attempt throws a new one with its own stack trace. Only
// LinkageErrors are recorded; exhausted memory or stack, or an exception of the program's class loader, may be
// temporary.
#pragma once

#include "vm/metadata/constant_pool.h"

namespace keyhole {

// True: an earlier attempt failed, and its error is pending again.
bool rethrow_resolution_failure(JavaThread* thread, const ConstantPool* constants, u32 index) MAY_SAFEPOINT;
// Does the same for an invokedynamic instruction. The error comes back without its cause.
bool rethrow_call_site_failure(JavaThread* thread, const u8* instruction) MAY_SAFEPOINT;
void remember_call_site_failure(JavaThread* thread, const u8* instruction, const InstanceKlass* caller) TOUCHES_OBJECTS;
// Records the pending exception, and leaves it pending.
void remember_resolution_failure(JavaThread* thread, const ConstantPool* constants, u32 index) TOUCHES_OBJECTS;

}  // namespace keyhole
