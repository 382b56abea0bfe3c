// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations on primitive variables of any width, for VarHandle accesses that come with boxed values.
#include "classlib/natives/java.base/invoke/declarations.h"
#include "runtime/threads/points.h"

namespace keyhole::natives {

namespace {

// java.lang.invoke.VarHandle.READ ...
enum Operation : i32 {
  Read,
  Write,
  Compare,
  Exchange,
  Swap,
  Add,
  Or,
  And,
  Xor,
  PlainRead,
  PlainWrite,
  OpaqueRead,
  OpaqueWrite,
  AcquireRead,
  ReleaseWrite
};

template <typename Bits> Bits update(Bits old, i32 operation, Bits operand) {
  switch (operation) {
    case Add: return static_cast<Bits>(old + operand);
    case Or: return old | operand;
    case And: return old & operand;
    default: return old ^ operand;
  }
}

template <typename Bits> i64 access(Bits* place, i32 operation, Bits first, Bits second) {
  switch (operation) {
    case PlainRead: return static_cast<i64>(__atomic_load_n(place, __ATOMIC_RELAXED));
    case PlainWrite: __atomic_store_n(place, first, __ATOMIC_RELAXED); return 0;
    case OpaqueRead:
    case AcquireRead:
    case Read: return static_cast<i64>(__atomic_load_n(place, __ATOMIC_SEQ_CST));
    case OpaqueWrite:
    case ReleaseWrite:
    case Write: __atomic_store_n(place, first, __ATOMIC_SEQ_CST); return 0;
    case Compare:
      return __atomic_compare_exchange_n(place, &first, second, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;
    case Exchange:
      __atomic_compare_exchange_n(place, &first, second, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      return static_cast<i64>(first);
    case Swap: return static_cast<i64>(__atomic_exchange_n(place, first, __ATOMIC_SEQ_CST));
    default: {
      Bits old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
      while (!__atomic_compare_exchange_n(place, &old, update(old, operation, first), false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST)) {
      }
      return static_cast<i64>(old);
    }
  }
}

template <typename Real, typename Bits> i64 add_real(Bits* place, Bits operand) {
  Bits old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  for (;;) {
    Real sum = __builtin_bit_cast(Real, old) + __builtin_bit_cast(Real, operand);
    if (__atomic_compare_exchange_n(place, &old, __builtin_bit_cast(Bits, sum), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      return static_cast<i64>(old);
  }
}

template <typename Bits> i64 access_as(char* address, i32 operation, i64 first, i64 second) {
  return access(reinterpret_cast<Bits*>(address), operation, static_cast<Bits>(first), static_cast<Bits>(second));
}

u32 bytes_of(u16 type) {
  switch (type) {
    case 'Z':
    case 'B': return 1;
    case 'S':
    case 'C': return 2;
    case 'J':
    case 'D': return 8;
    default: return 4;
  }
}

using controlled::Kind;

Kind weaker(Kind weak, Kind strong) { return controlled::is_on() && controlled::has_histories() ? weak : strong; }

void stop_before(JavaThread* thread, const Object* base, u64 offset, i32 operation, u16 type) {
  switch (operation) {
    case PlainRead: return points::before_access(thread, Kind::read, base, offset);
    case PlainWrite: return points::before_store(thread, base, offset, bytes_of(type));
    // Opaque accesses and the like count as volatile ones, except with write histories.
    case OpaqueRead: return points::before_access(thread, weaker(Kind::opaque_read, Kind::volatile_read), base, offset);
    case OpaqueWrite:
      return points::before_access(thread, weaker(Kind::opaque_write, Kind::volatile_write), base, offset);
    case AcquireRead:
      return points::before_access(thread, weaker(Kind::acquire_read, Kind::volatile_read), base, offset);
    case ReleaseWrite:
      return points::before_access(thread, weaker(Kind::release_write, Kind::volatile_write), base, offset);
    case Read: return points::before_access(thread, Kind::volatile_read, base, offset);
    case Write: return points::before_access(thread, Kind::volatile_write, base, offset);
    default: return points::before_access(thread, Kind::update, base, offset);
  }
}

}  // namespace

i64 VarHandle_accessBits(JavaThread* thread, Handle base, i64 offset, i32 operation, u16 type, i64 first, i64 second) {
  stop_before(thread, base.get(), static_cast<u64>(offset), operation, type);
  // Without a base, the offset is the address.
  char* address = reinterpret_cast<char*>(reinterpret_cast<i64>(base.get()) + offset);
  if (operation == Add && type == 'F') return add_real<f32>(reinterpret_cast<u32*>(address), static_cast<u32>(first));
  if (operation == Add && type == 'D') return add_real<f64>(reinterpret_cast<u64*>(address), static_cast<u64>(first));
  switch (bytes_of(type)) {
    case 1: return access_as<u8>(address, operation, first, second);
    case 2: return access_as<u16>(address, operation, first, second);
    case 8: return access_as<u64>(address, operation, first, second);
    default: return access_as<u32>(address, operation, first, second);
  }
}

}  // namespace keyhole::natives
