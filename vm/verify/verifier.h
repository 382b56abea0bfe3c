// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of vm/verify: type checking of whole classes, and the registration with the linker.
#pragma once

#include "vm/link/verification.h"

namespace keyhole::verify {

// Registers the verifier (vm/link/verification.h). Called once, while the VM starts.
void initialize();

// Implements ClassVerifier; public for tests.
Rejection verify_class(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;
Rejection verify_methods(JavaThread* thread, InstanceKlass* klass, std::span<Method* const> methods, u16 major_version)
    MAY_SAFEPOINT;

}  // namespace keyhole::verify
