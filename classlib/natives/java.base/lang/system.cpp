// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.System and java.lang.Runtime.
#include <time.h>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/copy_points.h"
#include "classlib/natives/support.h"
#include "runtime/base/flags.h"
#include "runtime/base/platform/processors.h"
#include "runtime/base/platform/wall_clock.h"
#include "runtime/sync/synchronizer.h"
#include "vm/link/loading/loader_names.h"

namespace keyhole::natives {

// --- arraycopy -------------------------------------------------------------------------------------------------------

namespace {

// Names the elements of an array in arraycopy's messages: "int", or "object array" for references.
std::string elements_name(const Klass* array) {
  return array->kind == KlassKind::ReferenceArray ? "object array" : external_type(array->name->text().substr(1));
}

Thrown throw_store(JavaThread* thread, const std::string& message) MAY_SAFEPOINT {
  return throw_message(thread, names::java_lang_ArrayStoreException, message);
}

template <typename... Arguments>
Thrown throw_index(JavaThread* thread, fmt::format_string<Arguments...> format, Arguments&&... arguments)
    MAY_SAFEPOINT {
  return throw_new(thread, names::java_lang_ArrayIndexOutOfBoundsException, format,
                   std::forward<Arguments>(arguments)...);
}

[[gnu::noinline]] Thrown throw_bad_range(JavaThread* thread, Object* from, i32 from_index, Object* to, i32 to_index,
                                         i32 count) MAY_SAFEPOINT {
  std::string source = elements_name(from->klass());
  std::string target = elements_name(to->klass());
  i32 from_length = from->length();
  i32 to_length = to->length();
  if (from_index < 0)
    return throw_index(thread, "arraycopy: source index {} out of bounds for {}[{}]", from_index, source, from_length);
  if (to_index < 0)
    return throw_index(thread, "arraycopy: destination index {} out of bounds for {}[{}]", to_index, target, to_length);
  if (count < 0) return throw_index(thread, "arraycopy: length {} is negative", count);
  u32 last = static_cast<u32>(from_index) + static_cast<u32>(count);
  if (last > static_cast<u32>(from_length))
    return throw_index(thread, "arraycopy: last source index {} out of bounds for {}[{}]", last, source, from_length);
  last = static_cast<u32>(to_index) + static_cast<u32>(count);
  return throw_index(thread, "arraycopy: last destination index {} out of bounds for {}[{}]", last, target, to_length);
}

// Copies references into an array whose component type is no supertype of the source's. Each element is checked;
// elements before a bad one stay copied.
void copy_checked(JavaThread* thread, Handle from, i32 from_index, Handle to, i32 to_index, i32 count) MAY_SAFEPOINT {
  const Klass* wanted = to->klass()->as_array()->component;
  const Klass* given = from->klass()->as_array()->component;
  for (i32 i = 0; i < count; ++i) {
    Object* element = from->reference_at(from_index + i);
    if (element != nullptr && !element->klass()->is_subtype_of(wanted)) {
      if (!wanted->is_subtype_of(given)) {
        throw_store(thread, fmt::format("arraycopy: type mismatch: can not copy {}[] into {}[]", external_name(given),
                                        external_name(wanted)));
      } else {
        throw_store(
            thread,
            fmt::format("arraycopy: element type mismatch: can not cast one of the elements of {}[] to the type of the "
                        "destination array, {}",
                        external_name(given), external_name(wanted)));
      }
      return;
    }
    barrier::store_element(to.get(), to_index + i, element);
  }
}

}  // namespace

void System_arraycopy(JavaThread* thread, Handle from, i32 from_index, Handle to, i32 to_index, i32 count) {
  if (from.is_null() || to.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  Object* source = from.get();
  Object* target = to.get();
  Klass* source_klass = source->klass();
  Klass* target_klass = target->klass();
  bool same_kind =
      source_klass->is_array() && (source_klass == target_klass || (source_klass->kind == KlassKind::ReferenceArray &&
                                                                    target_klass->kind == KlassKind::ReferenceArray));
  if (!same_kind) [[unlikely]] {
    if (!source_klass->is_array()) {
      throw_store(thread, fmt::format("arraycopy: source type {} is not an array", external_name(source_klass)));
    } else if (!target_klass->is_array()) {
      throw_store(thread, fmt::format("arraycopy: destination type {} is not an array", external_name(target_klass)));
    } else {
      std::string into = elements_name(target_klass);
      throw_store(thread, fmt::format("arraycopy: type mismatch: can not copy {}[] into {}[]",
                                      elements_name(source_klass), into));
    }
    return;
  }
  if (from_index < 0 || to_index < 0 || count < 0 || i64{from_index} + count > source->length() ||
      i64{to_index} + count > target->length()) [[unlikely]] {
    throw_bad_range(thread, source, from_index, target, to_index, count);
    return;
  }
  before_copy(thread, source, from_index, target, to_index, count);
  if (source_klass->kind == KlassKind::PrimitiveArray) {
    u32 shift = source_klass->element_shift;
    memmove(target->address<char>(Object::element_offset(shift, static_cast<u32>(to_index))),
            source->address<char>(Object::element_offset(shift, static_cast<u32>(from_index))),
            static_cast<usize>(count) << shift);
    return;
  }
  if (source_klass == target_klass ||
      source_klass->as_array()->component->is_subtype_of(target_klass->as_array()->component)) {
    barrier::copy_elements(source, from_index, target, to_index, count);
    return;
  }
  copy_checked(thread, from, from_index, to, to_index, count);
}

// --- the rest of System ----------------------------------------------------------------------------------------------

i64 System_currentTimeMillis(JavaThread*) { return hardware::wall_clock_nanoseconds() / 1'000'000; }

i64 System_nanoTime(JavaThread*) { return hardware::now_nanoseconds(); }

i32 System_identityHashCode(JavaThread* thread, Handle object) {
  return object.is_null() ? 0 : sync::identity_hash(thread, object);
}

Object* System_mapLibraryName(JavaThread* thread, Handle name) {
  if (name.is_null()) return throw_null_pointer(thread);
  return make_string_utf8(thread, "lib" + string_to_utf8(name.get()) + ".so");
}

// The fields are final in Java; only these natives may set them.
void System_setIn0(JavaThread*, Handle stream) {
  barrier::store(well_known::System_class->mirror, well_known::System_in, stream.get());
}
void System_setOut0(JavaThread*, Handle stream) {
  barrier::store(well_known::System_class->mirror, well_known::System_out, stream.get());
}
void System_setErr0(JavaThread*, Handle stream) {
  barrier::store(well_known::System_class->mirror, well_known::System_err, stream.get());
}

// --- Runtime ---------------------------------------------------------------------------------------------------------

i32 Runtime_availableProcessors(JavaThread*, Handle) { return static_cast<i32>(hardware::available_processors()); }

i64 Runtime_freeMemory(JavaThread*, Handle) {
  u64 used = heap::used_bytes();
  u64 capacity = heap::capacity_bytes();
  return used < capacity ? static_cast<i64>(capacity - used) : 0;
}
i64 Runtime_totalMemory(JavaThread*, Handle) { return static_cast<i64>(heap::capacity_bytes()); }
i64 Runtime_maxMemory(JavaThread*, Handle) { return static_cast<i64>(heap::maximum_bytes()); }

void Runtime_gc(JavaThread* thread, Handle) {
  if (!flags::DisableExplicitGC) heap::collect(thread, heap::Cause::SystemGC);
}

}  // namespace keyhole::natives
