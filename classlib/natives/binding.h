// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Native methods written as ordinary C++ functions.
//
//   i32 Object_hashCode(JavaThread* thread, Handle self);           // ()I, instance: `this` comes first
//   void System_arraycopy(JavaThread* thread, Handle from, i32 from_index, Handle to, i32 to_index, i32 count);
//
// bind<&function> makes the NativeFunction that the interpreter calls: it reads the slots, wraps references as Handles
// onto the Java stack (rooted while the method runs), widens the result. Parameter types: Handle, bool, i8, u16, i16,
// i32, i64, f32, f64.
// Results: those, void, and Object*. A function that throws (vm/link/exceptions.h) returns anything.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "vm/link/java_call.h"
#include "vm/link/loading/loader_data.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::natives {

template <typename T> inline constexpr u32 slots_of = (std::is_same_v<T, i64> || std::is_same_v<T, f64>) ? 2 : 1;

template <typename T> T read_argument(Slot*& next) {
  Slot* slot = next + slots_of<T> - 1;
  next += slots_of<T>;
  if constexpr (std::is_same_v<T, Handle>) return Handle(reinterpret_cast<Object**>(slot));
  else if constexpr (std::is_same_v<T, f32>) return __builtin_bit_cast(f32, static_cast<u32>(*slot));
  else if constexpr (std::is_same_v<T, f64>) return __builtin_bit_cast(f64, *slot);
  else if constexpr (std::is_same_v<T, bool>) return (*slot & 1) != 0;
  else return static_cast<T>(*slot);
}

template <typename T> u64 widen_result(T value) {
  if constexpr (std::is_pointer_v<T>) return reinterpret_cast<u64>(value);
  else if constexpr (std::is_same_v<T, f32>) return __builtin_bit_cast(u32, value);
  else if constexpr (std::is_same_v<T, f64>) return __builtin_bit_cast(u64, value);
  else if constexpr (std::is_same_v<T, i64>) return static_cast<u64>(value);
  else return static_cast<u32>(static_cast<i32>(value));
}

template <auto function> struct Binding;
template <typename Result, typename... Parameters, Result (*function)(JavaThread*, Parameters...)>
struct Binding<function> {
  static u64 call(JavaThread* thread, Slot* arguments) {
    [[maybe_unused]] Slot* next = arguments;
    // Braced initialisation guarantees evaluation from left to right.
    struct Pack {
      std::tuple<JavaThread*, Parameters...> values;
    } pack{{thread, read_argument<Parameters>(next)...}};
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, pack.values);
      return 0;
    } else {
      return widen_result(std::apply(function, pack.values));
    }
  }
};
template <auto function> inline constexpr NativeFunction bind = &Binding<function>::call;

// The body of a native method, found by its names in classlib/natives.def, or null. The interpreter calls find_or_throw
// (vm/link/native_methods.h).
NativeFunction find(const Symbol* class_name, const Symbol* method_name, const Symbol* descriptor);
// The entry of a native that switches continuations without a call (java.base/misc/continuation.cpp); null if `body` is
// not one of these.
MethodEntry continuation_entry(NativeFunction body);
// Visits all rows, for the test that compares them with the class files.
void for_each_row(void (*visit)(std::string_view class_name, std::string_view method_name, std::string_view descriptor,
                                void* context),
                  void* context);

}  // namespace keyhole::natives
