// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registration of the native methods with the linker.
#pragma once

namespace keyhole::natives {

// Registers the native methods (vm/link/native_methods.h). Called once, while the VM starts.
void initialize();

}  // namespace keyhole::natives
