// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of the exceptions that instructions raise, the same as HotSpot 17's.
#include "vm/interpreter/raise.h"

#include "gc/heap/heap.h"
#include "runtime/threads/mapped_files.h"
#include "vm/interpreter/method_data.h"
#include "vm/link/exceptions.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::interpreter {

void throw_null_pointer(JavaThread* thread) {
  note_trap(thread, Trap::null_check);
  throw_message(thread, names::java_lang_NullPointerException, nullptr);
}

void throw_index_out_of_bounds(JavaThread* thread, i32 index, i32 length) {
  note_trap(thread, Trap::range_check);
  throw_new(thread, names::java_lang_ArrayIndexOutOfBoundsException, "Index {} out of bounds for length {}", index,
            length);
}

void throw_division_by_zero(JavaThread* thread) {
  note_trap(thread, Trap::div0_check);
  throw_message(thread, names::java_lang_ArithmeticException, "/ by zero");
}

void throw_negative_array_size(JavaThread* thread, i32 length) {
  note_trap(thread, Trap::negative_size);
  throw_new(thread, names::java_lang_NegativeArraySizeException, "{}", length);
}

void throw_array_store(JavaThread* thread, const Klass* stored) {
  note_trap(thread, Trap::array_check);
  throw_message(thread, names::java_lang_ArrayStoreException, external_name(stored));
}

void throw_class_cast(JavaThread* thread, const Klass* from, const Klass* to) {
  note_trap(thread, Trap::class_check);
  throw_new(thread, names::java_lang_ClassCastException, "class {} cannot be cast to class {} ({})",
            external_name(from), external_name(to), both_in_module_of_loader(from, to));
}

void throw_instantiation(JavaThread* thread, const Klass* klass) {
  throw_message(thread, names::java_lang_InstantiationError, external_name(klass));
}

void throw_wrong_special_receiver(JavaThread* thread, const Klass* receiver, const Klass* caller) {
  throw_new(thread, names::java_lang_IllegalAccessError,
            "Receiver class {} must be the current class or a subtype of interface {}", external_name(receiver),
            external_name(caller));
}

void throw_not_an_implementer(JavaThread* thread, const Klass* receiver, const Klass* interface) {
  throw_new(thread, names::java_lang_IncompatibleClassChangeError,
            "Class {} does not implement the requested interface {}", external_name(receiver),
            external_name(interface));
}

bool raise_memory_fault(JavaThread* thread) {
  if (!mapped_files::take_fault(thread)) return false;
  throw_message(thread, names::java_lang_InternalError, release::memory_fault());
  return true;
}

void throw_array_too_large(JavaThread* thread, i32 length) {
  throw_out_of_memory(thread, heap::array_failure_message(length));
}

}  // namespace keyhole::interpreter
