// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calling Java from C++. The registered engine (execution_engine.h) runs `method` to its end, interpreted or compiled.
//
// Arguments are slots as in the callee's locals: `this` first, long and double as two slots with the value in the upper
// one. References in `arguments` need not be rooted by the caller: they are copied to the Java stack at once, before
// anything can move. The result is 0 when an exception is pending. Raw pointers of the caller are stale.
#pragma once

#include <span>

#include "runtime/base/capabilities.h"
#include "runtime/threads/handles.h"
#include "vm/metadata/method.h"

namespace keyhole {

u64 call_java(JavaThread* thread, Method* method, std::span<const Slot> arguments) MAY_SAFEPOINT;
// Calls the implementation that the receiver's class selects.
u64 call_java_virtual(JavaThread* thread, Method* method, std::span<const Slot> arguments) MAY_SAFEPOINT;

inline Slot slot_of(Object* object) { return reinterpret_cast<Slot>(object); }
inline Slot slot_of(Handle handle) TOUCHES_OBJECTS { return reinterpret_cast<Slot>(handle.get()); }
inline Object* object_of(Slot slot) { return reinterpret_cast<Object*>(slot); }
// A float as the interpreter keeps it: 32 bits, zero-extended; double: 64 bits; int: 32 bits, the upper half undefined.
inline Slot slot_of(f32 value) { return __builtin_bit_cast(u32, value); }
inline Slot slot_of(f64 value) { return __builtin_bit_cast(u64, value); }
inline Slot slot_of(i32 value) { return static_cast<u32>(value); }
inline Slot slot_of(i64 value) { return static_cast<u64>(value); }

}  // namespace keyhole
