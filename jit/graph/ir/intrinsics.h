// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The methods that become nodes instead of calls: the rows of two tables, and, by their names, the accessors of
// jdk.internal.misc.Unsafe:
//
//     {get, put} TYPE {nothing, Opaque, Volatile, Acquire, Release, Unaligned}     of an object and an offset
//     compareAndSet TYPE, compareAndExchange TYPE, getAndAdd TYPE, getAndSet TYPE
#pragma once

#include <optional>

#include "vm/metadata/method.h"

namespace keyhole::graph {

// The interpreter's intrinsics come first, in the order of its enum.
enum class Intrinsic : u8 {
  none,
#define INTRINSIC_TOO(name, class_name, method, descriptor)
#define INTRINSIC(name, class_name, method, descriptor) name,
#include "vm/interpreter/intrinsics.def"
#define INTRINSIC_TOO(name, class_name, method, descriptor)
#include "jit/graph/ir/intrinsics.def"
#undef INTRINSIC
};
Intrinsic intrinsic_of(const Method* method);

struct UnsafeAccess {
  enum Kind : u8 { Get, Put, CompareAndSet, CompareAndExchange, GetAndAdd, GetAndSet };
  Kind kind;
  char type;         // as in a descriptor: B S C I J F D Z, A
  bool is_ordered;   // otherwise like a plain field access; the last four kinds are always ordered
  bool is_released;  // of a Put: ordered after all earlier accesses, but before no later one
};
std::optional<UnsafeAccess> unsafe_access_of(const Method* method);

// A fact about a class that never changes: the attribute of Op::class_fact.
enum class ClassFact : u8 { Modifiers, IsArray, IsInterface, IsPrimitive };
i32 fact_of(const Klass* klass, ClassFact fact);

}  // namespace keyhole::graph
