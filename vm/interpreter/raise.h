// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The exceptions that instructions raise by themselves, with HotSpot's texts. The caller has saved the state
// (handlers.h H2); the exception is pending afterwards.
#pragma once

#include "runtime/object/klass.h"
#include "runtime/threads/handles.h"

namespace keyhole::interpreter {

void throw_null_pointer(JavaThread* thread) MAY_SAFEPOINT;
void throw_index_out_of_bounds(JavaThread* thread, i32 index, i32 length) MAY_SAFEPOINT;
void throw_division_by_zero(JavaThread* thread) MAY_SAFEPOINT;
void throw_negative_array_size(JavaThread* thread, i32 length) MAY_SAFEPOINT;
void throw_array_store(JavaThread* thread, const Klass* stored) MAY_SAFEPOINT;
void throw_class_cast(JavaThread* thread, const Klass* from, const Klass* to) MAY_SAFEPOINT;
void throw_instantiation(JavaThread* thread, const Klass* klass) MAY_SAFEPOINT;
void throw_wrong_special_receiver(JavaThread* thread, const Klass* receiver, const Klass* caller) MAY_SAFEPOINT;
void throw_not_an_implementer(JavaThread* thread, const Klass* receiver, const Klass* interface) MAY_SAFEPOINT;
// Called at a poll. If the thread has accessed mapped memory beyond the end of its file
// (runtime/threads/mapped_files.h), returns true with an InternalError pending.
bool raise_memory_fault(JavaThread* thread) MAY_SAFEPOINT;
void throw_array_too_large(JavaThread* thread, i32 length) MAY_SAFEPOINT;

}  // namespace keyhole::interpreter
