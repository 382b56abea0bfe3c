// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Intrinsics: the methods that become nodes instead of calls. They are the rows of the two tables below, and accessors
// of jdk.internal.misc.Unsafe whose names have one of these forms:
//
//     {get, put} TYPE {nothing, Opaque, Volatile, Acquire, Release, Unaligned}     of an object and an offset
//     compareAndSet TYPE, compareAndExchange TYPE, getAndAdd TYPE, getAndSet TYPE
#pragma once

#include <optional>

#include "vm/interpreter/kernel_calls.h"
#include "vm/metadata/method.h"

namespace keyhole::graph {

// The interpreter's intrinsics come first, in the order of the interpreter's enum.
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
// The library kernel of an intrinsic; null if it has none.
const interpreter::KernelCall* kernel_of(Intrinsic intrinsic);
// The maximal number of parameters of a kernel that compiled code calls, because the code passes all parameters in
// registers.
inline constexpr u32 most_kernel_parameters = 6;

struct UnsafeAccess {
  enum Kind : u8 { Get, Put, CompareAndSet, CompareAndExchange, GetAndAdd, GetAndSet };
  Kind kind;
  char type;  // the accessed type: a letter of descriptors (B S C I J F D Z), or A for a reference
  // whether the access is a volatile one, one of the four atomic operations, or a Get with acquire order
  bool is_ordered;
  bool is_released;  // whether the access is a Put with release order: accesses after the Put may move before it
};
std::optional<UnsafeAccess> unsafe_access_of(const Method* method);

// A fact about a class that never changes. It is the attribute of Op::class_fact.
enum class ClassFact : u8 { Modifiers, IsArray, IsInterface, IsPrimitive };
i32 fact_of(const Klass* klass, ClassFact fact);

}  // namespace keyhole::graph
