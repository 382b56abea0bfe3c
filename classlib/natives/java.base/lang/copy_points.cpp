// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the variables that a copy accesses.
#include "classlib/natives/java.base/lang/copy_points.h"

#include "vm/metadata/instance_klass.h"

namespace keyhole::natives {

namespace {

using controlled::Kind;

constexpr u32 most_events = 1024;  // of each kind

// Accesses of one copy, in the order in which they happen.
class Copy {
 public:
  explicit Copy(JavaThread* thread) : thread_(thread) {}

  void access(Kind kind, Object* object, u64 offset) TOUCHES_OBJECTS {
    u32& events = kind == Kind::write ? writes_ : reads_;
    if (controlled::is_exploring() && events++ < most_events) {
      if (is_first_) points::before_access(thread_, kind, object, offset);
      else points::note_part(thread_, kind, object, offset);
    }
    is_first_ = false;
    if (races::is_on()) races::hooks.copy_access(thread_, object, offset, kind == Kind::write);
  }
  void elements(Kind kind, Object* array, i32 index, i32 count) TOUCHES_OBJECTS {
    u32 shift = array->klass()->element_shift;
    for (i32 i = 0; i < count; ++i) access(kind, array, Object::element_offset(shift, static_cast<u32>(index + i)));
  }

 private:
  JavaThread* thread_;
  bool is_first_ = true;
  u32 reads_ = 0, writes_ = 0;  // events
};

}  // namespace

void stop_before_copy(JavaThread* thread, Object* source, i32 from_index, Object* target, i32 to_index, i32 count) {
  Copy copy(thread);
  copy.elements(Kind::read, source, from_index, count);
  copy.elements(Kind::write, target, to_index, count);
}

void stop_before_clone(JavaThread* thread, Object* source) {
  Copy copy(thread);
  if (source->klass()->is_array()) {
    copy.elements(Kind::read, source, 0, source->length());
    return;
  }
  for (const Klass* each = source->klass(); each != nullptr; each = each->super) {
    const InstanceKlass* holder = each->as_instance();
    for (u32 i = 0; i < holder->field_count; ++i) {
      const Field& field = holder->fields[i];
      if (!field.is_static()) copy.access(field.is_volatile() ? Kind::volatile_read : Kind::read, source, field.offset);
    }
  }
}

}  // namespace keyhole::natives
