// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.misc.Unsafe: loads, stores and compare-and-set.
//
// An address is (object, offset) or, with a null object, the offset itself as an absolute address. Plain accesses are
// relaxed atomics (the same instructions); the volatile ones and compare-and-set are sequentially consistent.
#include <atomic>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"
#include "runtime/threads/points.h"

namespace keyhole::natives {

namespace {

// The address is a sum of integers, because arithmetic on null is undefined in C++.
uptr accessed_address(Handle object, i64 offset) TOUCHES_OBJECTS {
  return reinterpret_cast<uptr>(object.get()) + static_cast<uptr>(offset);
}

template <typename T> std::atomic<T>& cell(Handle object, i64 offset) TOUCHES_OBJECTS {
  return *reinterpret_cast<std::atomic<T>*>(accessed_address(object, offset));
}

// The representation of a type in memory: boolean is a byte that is 0 or 1.
template <typename T> struct Stored {
  using Type = T;
};
template <> struct Stored<bool> {
  using Type = u8;
};
template <> struct Stored<f32> {
  using Type = u32;
};
template <> struct Stored<f64> {
  using Type = u64;
};

template <typename T> T load(Handle object, i64 offset, std::memory_order order) TOUCHES_OBJECTS {
  using S = typename Stored<T>::Type;
  // Off-heap addresses need not be aligned; a plain access then need not be atomic either.
  if (sizeof(S) > 1 && (accessed_address(object, offset) & (sizeof(S) - 1)) != 0) {
    T value;
    memcpy(&value, reinterpret_cast<const char*>(accessed_address(object, offset)), sizeof value);
    return value;
  }
  S value = cell<S>(object, offset).load(order);
  if constexpr (std::is_same_v<T, bool>) return value != 0;
  else return __builtin_bit_cast(T, value);
}

template <typename T> void store(Handle object, i64 offset, T value, std::memory_order order) TOUCHES_OBJECTS {
  using S = typename Stored<T>::Type;
  S stored;
  if constexpr (std::is_same_v<T, bool>) stored = value ? 1 : 0;
  else stored = __builtin_bit_cast(S, value);
  if (sizeof(S) > 1 && (accessed_address(object, offset) & (sizeof(S) - 1)) != 0) {
    memcpy(reinterpret_cast<char*>(accessed_address(object, offset)), &stored, sizeof stored);
    return;
  }
  cell<S>(object, offset).store(stored, order);
}

using controlled::Kind;

void before(JavaThread* thread, Kind kind, Handle object, i64 offset) TOUCHES_OBJECTS {
  points::before_access(thread, kind, object.get(), static_cast<u64>(offset));
}

}  // namespace

template <typename T> T Unsafe_get(JavaThread* thread, Handle, Handle object, i64 offset) {
  before(thread, Kind::read, object, offset);
  return load<T>(object, offset, std::memory_order_relaxed);
}
template <typename T> void Unsafe_put(JavaThread* thread, Handle, Handle object, i64 offset, T value) {
  points::before_store(thread, object.get(), static_cast<u64>(offset), sizeof(T));
  store<T>(object, offset, value, std::memory_order_relaxed);
}
template <typename T> T Unsafe_get_volatile(JavaThread* thread, Handle, Handle object, i64 offset) {
  before(thread, Kind::volatile_read, object, offset);
  return load<T>(object, offset, std::memory_order_seq_cst);
}
template <typename T> void Unsafe_put_volatile(JavaThread* thread, Handle, Handle object, i64 offset, T value) {
  before(thread, Kind::volatile_write, object, offset);
  store<T>(object, offset, value, std::memory_order_seq_cst);
}

#define INSTANTIATE(T)                                                 \
  template T Unsafe_get<T>(JavaThread*, Handle, Handle, i64);          \
  template void Unsafe_put<T>(JavaThread*, Handle, Handle, i64, T);    \
  template T Unsafe_get_volatile<T>(JavaThread*, Handle, Handle, i64); \
  template void Unsafe_put_volatile<T>(JavaThread*, Handle, Handle, i64, T)
INSTANTIATE(bool);
INSTANTIATE(i8);
INSTANTIATE(u16);
INSTANTIATE(i16);
INSTANTIATE(i32);
INSTANTIATE(i64);
INSTANTIATE(f32);
INSTANTIATE(f64);
#undef INSTANTIATE

// --- references ------------------------------------------------------------------------------------------------------

Object* Unsafe_getReference(JavaThread* thread, Handle, Handle object, i64 offset) {
  before(thread, Kind::read, object, offset);
  return decode(cell<NarrowRef>(object, offset).load(std::memory_order_relaxed));
}
Object* Unsafe_getReferenceVolatile(JavaThread* thread, Handle, Handle object, i64 offset) {
  before(thread, Kind::volatile_read, object, offset);
  return decode(cell<NarrowRef>(object, offset).load(std::memory_order_seq_cst));
}
void Unsafe_putReference(JavaThread* thread, Handle, Handle object, i64 offset, Handle value) {
  points::before_store(thread, object.get(), static_cast<u64>(offset), sizeof(NarrowRef));
  barrier::store(object.get(), static_cast<u32>(offset), value.get());
}
void Unsafe_putReferenceVolatile(JavaThread* thread, Handle, Handle object, i64 offset, Handle value) {
  before(thread, Kind::volatile_write, object, offset);
  barrier::store_ordered(object.get(), static_cast<u32>(offset), value.get(), std::memory_order_seq_cst);
}
bool Unsafe_compareAndSetReference(JavaThread* thread, Handle, Handle object, i64 offset, Handle expected,
                                   Handle value) {
  before(thread, Kind::update, object, offset);
  return barrier::compare_exchange(object.get(), static_cast<u32>(offset), expected.get(), value.get());
}
Object* Unsafe_compareAndExchangeReference(JavaThread* thread, Handle, Handle object, i64 offset, Handle expected,
                                           Handle value) {
  before(thread, Kind::update, object, offset);
  Object* witness = nullptr;
  barrier::compare_exchange(object.get(), static_cast<u32>(offset), expected.get(), value.get(), &witness);
  return witness;
}
Object* Unsafe_getUncompressedObject(JavaThread*, Handle, i64 address) { return *reinterpret_cast<Object**>(address); }

// --- compare-and-set -------------------------------------------------------------------------------------------------

i32 Unsafe_compareAndExchangeInt(JavaThread* thread, Handle, Handle object, i64 offset, i32 expected, i32 value) {
  before(thread, Kind::update, object, offset);
  cell<i32>(object, offset).compare_exchange_strong(expected, value);
  return expected;
}
i64 Unsafe_compareAndExchangeLong(JavaThread* thread, Handle, Handle object, i64 offset, i64 expected, i64 value) {
  before(thread, Kind::update, object, offset);
  cell<i64>(object, offset).compare_exchange_strong(expected, value);
  return expected;
}
bool Unsafe_compareAndSetInt(JavaThread* thread, Handle, Handle object, i64 offset, i32 expected, i32 value) {
  before(thread, Kind::update, object, offset);
  return cell<i32>(object, offset).compare_exchange_strong(expected, value);
}
bool Unsafe_compareAndSetLong(JavaThread* thread, Handle, Handle object, i64 offset, i64 expected, i64 value) {
  before(thread, Kind::update, object, offset);
  return cell<i64>(object, offset).compare_exchange_strong(expected, value);
}

void Unsafe_fullFence(JavaThread* thread, Handle) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  points::before_fence(thread, Kind::full_fence);
}
void Unsafe_loadFence(JavaThread* thread, Handle) {
  std::atomic_thread_fence(std::memory_order_acquire);
  points::before_fence(thread, Kind::acquire_fence);
  if (races::is_on()) [[unlikely]]
    races::end_optimistic_read(thread);
}
void Unsafe_storeFence(JavaThread* thread, Handle) {
  std::atomic_thread_fence(std::memory_order_release);
  points::before_fence(thread, Kind::release_fence);
}

}  // namespace keyhole::natives
