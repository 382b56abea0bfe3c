// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects that Java attaches to a class and that the VM itself does not use: its protection domain and its signers.
#pragma once

#include "runtime/object/klass.h"
#include "runtime/threads/handles.h"

namespace keyhole::natives {

// For instance classes. Null when none was set.
Object* protection_domain_of(const Klass* klass);
void set_protection_domain(Klass* klass, Object* domain);
Object* signers_of(const Klass* klass);
void set_signers(Klass* klass, Object* signers);

}  // namespace keyhole::natives
