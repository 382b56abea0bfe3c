// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Accessors that the JDK's reflection generates: subclasses of jdk.internal.reflect.MagicAccessorImpl, which libraries
// up to 23 have. They use members without permission and are not verified, because their bytecode names members that
// the JDK has already checked. Each has a loader of its own.
//
//   boot loader               MagicAccessorImpl <- MethodAccessorImpl, ConstructorAccessorImpl ...
//   DelegatingClassLoader     GeneratedMethodAccessor1 ...
//
// A1: only a class that one of these loaders defines is an accessor. A name or a superclass does not make it one: the
//     definition of any other class with a superclass in this package fails.
#pragma once

#include "vm/metadata/instance_klass.h"

namespace keyhole {

struct LoaderData;

bool is_reflection_accessor(const InstanceKlass* klass);
// Checks rule A1 for a class whose superclass is being checked.
bool may_extend_accessor(const LoaderData* loader, const InstanceKlass* super);

}  // namespace keyhole
