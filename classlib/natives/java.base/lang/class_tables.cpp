// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects that Java attaches to a class. They are fields of the class, and its unit reports them to the collector as
// roots.
#include "classlib/natives/java.base/lang/class_tables.h"

#include "vm/metadata/instance_klass.h"

namespace keyhole::natives {

Object* protection_domain_of(const Klass* klass) { return klass->as_instance()->protection_domain; }
void set_protection_domain(Klass* klass, Object* domain) { klass->as_instance()->protection_domain = domain; }
Object* signers_of(const Klass* klass) { return klass->as_instance()->signers; }
void set_signers(Klass* klass, Object* value) { klass->as_instance()->signers = value; }

}  // namespace keyhole::natives
