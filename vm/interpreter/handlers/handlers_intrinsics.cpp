// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries without a frame: the intrinsics of intrinsics.def, and getters.
// An invoke jumps to such an entry as to any other (entries.h), and has checked that the receiver is not null. An entry
// pops the arguments from the caller's stack only when it cannot fail any more. An entry that fails jumps to the entry
// of the method's body, which finds the arguments in place.
#include "gc/barrier.h"
#include "runtime/threads/continuations/continuation.h"
#include "vm/interpreter/array_copy.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/intrinsic_macros.h"
#include "vm/interpreter/string_intrinsics.h"

namespace keyhole::interpreter {

// --- getters (aload_0, getfield, return) whose field is resolved: the first instruction is load_getfield -------------

#define GETTER(name, type, slots, convert)                                                               \
  HANDLER(entry_getter_##name) {                                                                         \
    const MethodCode* body = reinterpret_cast<const Method*>(tos)->body.load(std::memory_order_relaxed); \
    u32 offset = static_cast<u32>(operand_b(load_instruction(body->instructions())));                    \
    type value = as_object(*sp)->atomic<type>(offset).load(std::memory_order_relaxed);                   \
    RETURN_SLOTS(1, slots, convert);                                                                     \
  }
GETTER(boolean, u8, 1, value & 1u)
GETTER(int, u32, 1, value)
GETTER(long, u64, 2, value)
GETTER(reference, NarrowRef, 1, to_slot(decode(value)))

// --- java.lang.Math --------------------------------------------------------------------------------------------------

HANDLER(intrinsic_sqrt) { RETURN_WIDE(2, to_slot(__builtin_elementwise_sqrt(as_double(*sp)))); }
HANDLER(intrinsic_abs_int) {
  i32 value = as_int(*sp);
  RETURN_ONE(1, to_slot(value < 0 ? 0u - static_cast<u32>(value) : static_cast<u32>(value)));
}
HANDLER(intrinsic_abs_long) {
  i64 value = as_long(*sp);
  RETURN_WIDE(2, value < 0 ? u64{0} - static_cast<u64>(value) : static_cast<u64>(value));
}
HANDLER(intrinsic_abs_double) { RETURN_WIDE(2, *sp & ~(u64{1} << 63)); }

#define CHOOSE_INT(name, better)                               \
  HANDLER(intrinsic_##name##_int) {                            \
    i32 left = as_int(sp[-1]), right = as_int(sp[0]);          \
    RETURN_ONE(2, to_slot(left better right ? left : right));  \
  }                                                            \
  HANDLER(intrinsic_##name##_long) {                           \
    i64 left = as_long(sp[-2]), right = as_long(sp[0]);        \
    RETURN_WIDE(4, to_slot(left better right ? left : right)); \
  }
CHOOSE_INT(min, <)
CHOOSE_INT(max, >)

// --- java.lang.String ------------------------------------------------------------------------------------------------

HANDLER(intrinsic_string_length) {
  u32 length;
  if (!strings::length(as_object(*sp), length)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(1, length);
}
HANDLER(intrinsic_string_is_empty) {
  u32 length;
  if (!strings::length(as_object(*sp), length)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(1, length == 0);
}
HANDLER(intrinsic_string_coder) { RETURN_ONE(1, strings::coder(as_object(*sp))); }
HANDLER(intrinsic_string_is_latin1) { RETURN_ONE(1, strings::coder(as_object(*sp)) == 0); }

HANDLER(intrinsic_string_char_at) {
  u32 unit;
  if (!strings::char_at(as_object(sp[-1]), as_int(sp[0]), unit)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(2, unit);
}

HANDLER(intrinsic_string_hash_code) {
  u32 hash = as_object(*sp)->get<u32>(well_known::String_hash);
  if (hash == 0) RUN_BODY();
  RETURN_ONE(1, hash);
}

HANDLER(intrinsic_string_equals) {
  bool equal;
  if (!strings::equals(as_object(sp[-1]), as_object(sp[0]), equal)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(2, equal);
}

HANDLER(intrinsic_latin1_hash_code) {
  const Object* value = as_object(*sp);
  if (value == nullptr) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(1, strings::latin1_hash_code(value));
}

HANDLER(intrinsic_latin1_char_at) {
  const Object* value = as_object(sp[-1]);
  u32 index = static_cast<u32>(as_int(sp[0]));
  if (value == nullptr || index >= static_cast<u32>(value->length())) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(2, strings::bytes_of(value)[index]);
}

// --- natives ---------------------------------------------------------------------------------------------------------

HANDLER(intrinsic_get_class) { RETURN_ONE(1, to_slot(as_object(*sp)->klass()->mirror)); }

HANDLER(intrinsic_is_instance) {
  const Klass* wanted = klass_of_mirror(as_object(sp[-1]));
  const Object* object = as_object(*sp);
  RETURN_ONE(2, object != nullptr && !wanted->is_primitive() && object->klass()->is_subtype_of(wanted));
}

// Reference.refersTo, with the same effect as gc::refers_to.
HANDLER(intrinsic_refers_to) {
  RETURN_ONE(2, as_object(sp[-1])->get_reference(reference_referent_offset) == as_object(*sp));
}

HANDLER(intrinsic_current_thread) {
  // This entry needs no PUSH, because tos is the Method, and the caller's top operand is already in its stack slot.
  RETURN_ONE(0, to_slot(thread->current_object));
}

HANDLER(intrinsic_current_carrier) { RETURN_ONE(0, to_slot(thread->carrier->thread->thread_object)); }
HANDLER(intrinsic_scoped_value_cache) { RETURN_ONE(0, to_slot(thread->scoped_value_cache)); }
HANDLER(intrinsic_set_scoped_value_cache) {
  thread->scoped_value_cache = as_object(*sp);
  RETURN_NOTHING(1);
}

HANDLER(intrinsic_set_current_thread) {
  thread->current_object = as_object(*sp);
  RETURN_NOTHING(2);
}
// Intrinsics that notify JVMTI agents of virtual threads. This VM has no JVMTI agents, so the entries do nothing.
HANDLER(intrinsic_ignore_receiver) { RETURN_NOTHING(1); }
HANDLER(intrinsic_ignore_receiver_and_int) { RETURN_NOTHING(2); }
HANDLER(intrinsic_ignore_int) { RETURN_NOTHING(1); }
HANDLER(intrinsic_pin) {
  if (thread->continuation != nullptr) ++thread->continuation->pins;
  RETURN_NOTHING(0);
}
HANDLER(intrinsic_unpin) {
  if (thread->continuation != nullptr) --thread->continuation->pins;
  RETURN_NOTHING(0);
}
HANDLER(intrinsic_spin_wait) {
  HardwareWorld::pause();
  RETURN_NOTHING(0);
}

// This call of copy_array is not inlined into the handler, so the handler itself needs no native frame.
[[gnu::noinline]] static bool copy_array(const Slot* arguments) TOUCHES_OBJECTS {
  return copy_array(as_object(arguments[0]), as_int(arguments[1]), as_object(arguments[2]), as_int(arguments[3]),
                    as_int(arguments[4]));
}

HANDLER(intrinsic_array_copy) {
  if (!copy_array(sp - 4)) [[unlikely]]
    GO(interp_entry_native_void);
  RETURN_NOTHING(5);
}

HANDLER(intrinsic_clone) {
  Object* copy = clone_if_room(thread, as_object(*sp));
  if (copy == nullptr) [[unlikely]]
    GO(interp_entry_native_value);
  RETURN_ONE(1, to_slot(copy));
}

// --- jdk.internal.misc.Unsafe: slot 0 is the Unsafe, 1 the object (null: off-heap), 3 the offset ---------------------

HANDLER(intrinsic_full_fence) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  RETURN_NOTHING(1);
}
// This entry serves loadFence (orders loads before all later accesses) and storeFence (orders all earlier accesses
// before later stores). On x86-64 neither fence needs an instruction.
HANDLER(intrinsic_load_store_fence) {
  std::atomic_thread_fence(std::memory_order_acq_rel);
  RETURN_NOTHING(1);
}

#define AT(type, count) (*reinterpret_cast<std::atomic<type>*>(ARGUMENT(1, count) + ARGUMENT(3, count)))

// Plain accesses need not be aligned; those that are aligned are single instructions on every machine.
template <typename T> struct [[gnu::packed, gnu::may_alias]] AnyAddress {
  T value;
};
#define PLAIN(type, count) \
  (reinterpret_cast<volatile AnyAddress<type>*>(ARGUMENT(1, count) + ARGUMENT(3, count))->value)

HANDLER(intrinsic_get_byte) { RETURN_ONE(4, to_slot(i32{PLAIN(i8, 4)})); }
HANDLER(intrinsic_get_short) { RETURN_ONE(4, to_slot(i32{PLAIN(i16, 4)})); }
HANDLER(intrinsic_get_char) { RETURN_ONE(4, to_slot(i32{PLAIN(u16, 4)})); }
HANDLER(intrinsic_get_int) { RETURN_ONE(4, to_slot(PLAIN(i32, 4))); }
HANDLER(intrinsic_get_long) { RETURN_WIDE(4, PLAIN(u64, 4)); }
HANDLER(intrinsic_get_reference) { RETURN_ONE(4, to_slot(decode(PLAIN(NarrowRef, 4)))); }

#define PUT(name, type, count)                   \
  HANDLER(intrinsic_put_##name) {                \
    PLAIN(type, count) = static_cast<type>(*sp); \
    RETURN_NOTHING(count);                       \
  }
PUT(byte, u8, 5)
PUT(short, u16, 5)
PUT(char, u16, 5)
PUT(int, u32, 5)
PUT(long, u64, 6)

HANDLER(intrinsic_get_reference_volatile) {
  RETURN_ONE(4, to_slot(decode(AT(NarrowRef, 4).load(std::memory_order_seq_cst))));
}
HANDLER(intrinsic_compare_and_set_int) {
  u32 expected = static_cast<u32>(sp[-1]);
  RETURN_ONE(6, AT(u32, 6).compare_exchange_strong(expected, static_cast<u32>(sp[0])));
}
HANDLER(intrinsic_compare_and_set_long) {
  u64 expected = sp[-2];
  RETURN_ONE(8, AT(u64, 8).compare_exchange_strong(expected, sp[0]));
}
HANDLER(intrinsic_compare_and_set_reference) {
  RETURN_ONE(6, barrier::compare_exchange(as_object(ARGUMENT(1, 6)), static_cast<u32>(ARGUMENT(3, 6)),
                                          as_object(sp[-1]), as_object(sp[0])));
}
HANDLER(intrinsic_compare_and_exchange_reference) {
  Object* witness;
  barrier::compare_exchange(as_object(ARGUMENT(1, 6)), static_cast<u32>(ARGUMENT(3, 6)), as_object(sp[-1]),
                            as_object(sp[0]), &witness);
  RETURN_ONE(6, to_slot(witness));
}
HANDLER(intrinsic_put_reference_volatile) {
  barrier::store_ordered(as_object(ARGUMENT(1, 5)), static_cast<u32>(ARGUMENT(3, 5)), as_object(sp[0]),
                         std::memory_order_seq_cst);
  RETURN_NOTHING(5);
}
HANDLER(intrinsic_get_and_add_int) { RETURN_ONE(5, AT(u32, 5).fetch_add(static_cast<u32>(sp[0]))); }
HANDLER(intrinsic_get_and_add_long) { RETURN_WIDE(6, AT(u64, 6).fetch_add(sp[0])); }

}  // namespace keyhole::interpreter
