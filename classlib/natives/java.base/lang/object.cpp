// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Object.
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/copy_points.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/no_safepoint.h"
#include "vm/link/loading/loader_names.h"

namespace keyhole::natives {

namespace {

// Copies the fields or elements of `from` to `to`, which is new and has the same class and length. Copies word by word,
// so every field is copied whole. Headers and lengths are not copied.
void copy_body(Object* from, Object* to, u64 bytes) TOUCHES_OBJECTS {
  const Klass* klass = from->klass();
  if (klass->kind == KlassKind::ReferenceArray) {
    barrier::copy_elements(from, 0, to, 0, from->length());
    return;
  }
  u32 start = klass->is_array() ? layout::array_base_offset(klass->element_shift) : layout::header_bytes;
  if (start % 8 != 0) {
    to->atomic<u32>(start).store(from->atomic<u32>(start).load(std::memory_order_relaxed), std::memory_order_relaxed);
    start += 4;
  }
  for (u32 offset = start; offset < bytes; offset += 8) {
    to->atomic<u64>(offset).store(from->atomic<u64>(offset).load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  if (klass->is_array()) return;
  for (u32 i = 0; i < klass->reference_span_count; ++i) {
    const ReferenceSpan& span = klass->reference_spans[i];
    for (u32 k = 0; k < span.count; ++k)
      barrier::store(to, span.offset + 4 * k, to->get_reference(span.offset + 4 * k));
  }
}

void throw_unless_done(JavaThread* thread, sync::Status status) MAY_SAFEPOINT {
  switch (status) {
    case sync::Status::Done: return;
    case sync::Status::NotOwner:
      throw_message(thread, names::java_lang_IllegalMonitorStateException, "current thread is not owner");
      return;
    case sync::Status::Interrupted: throw_message(thread, names::java_lang_InterruptedException, nullptr); return;
    case sync::Status::OutOfMemory: throw_out_of_memory(thread, "Java heap space"); return;
  }
}

}  // namespace

Object* Object_getClass(JavaThread*, Handle self) { return self->klass()->mirror; }

i32 Object_hashCode(JavaThread* thread, Handle self) { return sync::identity_hash(thread, self); }

Object* Object_clone(JavaThread* thread, Handle self) {
  Klass* klass = self->klass();
  if (klass->is_array()) {
    before_clone(thread, self.get());
    Object* copy = new_array(thread, klass, self->length());
    if (copy == nullptr) return nullptr;
    NoSafepoint no_safepoint;
    copy_body(self.get(), copy, layout::array_bytes(klass->element_shift, static_cast<u32>(copy->length())));
    return copy;
  }
  // A Reference cannot be cloned: its referent must not become reachable through a copy that is not registered.
  if (!klass->is_subtype_of(well_known::Cloneable_class) || klass->kind == KlassKind::Reference ||
      klass->kind == KlassKind::Mirror)
    return throw_new(thread, names::java_lang_CloneNotSupportedException, "{}", external_name(klass));
  before_clone(thread, self.get());
  Object* object = new_instance(thread, klass->as_instance());
  if (object == nullptr) return nullptr;
  copy_body(self.get(), object, klass->instance_bytes);
  if (!klass->as_instance()->has_finalizer) return object;

  HandleScope scope(thread);
  Handle copy = scope.make(object);
  const late::Finalizer* finalizer = late::get<late::Finalizer>(thread);
  if (finalizer == nullptr || !initialize_class(thread, finalizer->klass)) return nullptr;
  Slot argument[] = {slot_of(copy)};
  call_java(thread, finalizer->register_object, argument);
  return copy.get();
}

void Object_notify(JavaThread* thread, Handle self) { throw_unless_done(thread, sync::notify(thread, self)); }

void Object_notifyAll(JavaThread* thread, Handle self) { throw_unless_done(thread, sync::notify_all(thread, self)); }

void Object_wait(JavaThread* thread, Handle self, i64 milliseconds) {
  if (milliseconds < 0) {
    throw_message(thread, names::java_lang_IllegalArgumentException, "timeout value is negative");
    return;
  }
  sync::Status status = sync::wait(thread, self, milliseconds);
  if (!asynchronous::answer(thread)) throw_unless_done(thread, status);
}

}  // namespace keyhole::natives
