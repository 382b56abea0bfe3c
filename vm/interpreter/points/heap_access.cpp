// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes addresses from operands, and finds fields by their offsets.
#include "vm/interpreter/points/heap_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "vm/link/strings.h"
#include "vm/link/well_known.h"
#include "vm/metadata/external_names.h"

namespace keyhole::interpreter {

u32 shift_of(char type) {
  switch (type) {
    case 'B':
    case 'Z': return 0;
    case 'C':
    case 'S': return 1;
    case 'D':
    case 'J': return 3;
    default: return 2;
  }
}

HeapAccess heap_access_of(const Frame* frame, u64 word) {
  Operation operation = operation_of(word);
  const OperationRow& columns = row(operation);
  if (operation == Operation::getstatic_far || operation == Operation::putstatic_far) {
    const Field* field = metadata_at<const Field>(operand_b(word));
    return {static_cast<const Klass*>(field->holder)->mirror, field->offset};
  }
  u32 shift = shift_of(columns.type);
  if (columns.category == Category::static_field)
    return {metadata_at<const Klass>(operand_b(word))->mirror, operand_a(word), shift};
  const Slot* deepest = frame->sp + 1 - slots_popped(operation);
  Object* holder = as_object(deepest[0]);
  if (columns.category == Category::field) return {holder, static_cast<u32>(operand_b(word)), shift};
  if (holder == nullptr || static_cast<u32>(as_int(deepest[1])) >= static_cast<u32>(holder->length())) return {};
  return {holder, Object::element_offset(shift, static_cast<u32>(as_int(deepest[1]))), shift};
}

bool is_refused_store(const Frame* frame, Operation operation) {
  if (operation != Operation::aastore) return false;
  const Object* array = as_object(frame->sp[-2]);
  const Object* value = as_object(frame->sp[0]);
  return value != nullptr && !value->klass()->is_subtype_of(array->klass()->as_array()->component);
}

bool is_heap_access(Operation operation) {
  Category category = row(operation).category;
  bool is_heap = category == Category::array || category == Category::field || category == Category::static_field;
  return is_heap && has(operation, effect::reads | effect::writes) && !has(operation, effect::unresolved);
}

const Field* field_at(const Object* base, u64 offset) {
  const Klass* klass = base->klass();
  if (klass->is_array()) return nullptr;
  const Klass* described = klass->kind == KlassKind::Mirror ? klass_of_mirror(base) : nullptr;
  bool is_static = described != nullptr && described->is_instance() && offset >= described->static_reference_offset;
  for (const Klass* each = is_static ? described : klass; each != nullptr; each = each->super) {
    const InstanceKlass* holder = each->as_instance();
    for (u32 i = 0; i < holder->field_count; ++i) {
      const Field& field = holder->fields[i];
      if (field.is_static() == is_static && field.offset == offset) return &field;
    }
    if (is_static) break;
  }
  return nullptr;
}

u64 index_at(const Object* base, u64 offset) {
  u32 shift = base->klass()->element_shift;
  return (offset - Object::element_offset(shift, 0)) >> shift;
}

std::string simple_name(const Klass* klass) {
  std::string_view descriptor = klass->name->text();
  std::string name = external_type(klass->is_array() ? std::string(descriptor) : fmt::format("L{};", descriptor));
  usize length = std::min(name.find('['), name.size());
  std::string dimensions = name.substr(length);
  name.resize(std::min(name.find('+'), length));  // without the address in the name of a hidden class
  name.erase(0, name.find_last_of('.') + 1);
  usize end = name.find("$$Lambda");
  bool is_lambda = end != std::string::npos;
  if (is_lambda) name.resize(end + strlen("$$Lambda"));
  else end = name.size();
  // The simple name begins after the last $ that a number does not follow: an anonymous class is "Main$1".
  usize begin = end;
  for (usize at = 1; at < end; ++at) {
    bool is_number = at + 1 < end && name[at + 1] >= '0' && name[at + 1] <= '9';
    if (name[at] == '$' && at + 1 < end && !is_number) begin = at + 1;
  }
  if (begin != end) name.erase(0, begin);
  return name + dimensions;
}

std::string indefinite_name(const Klass* klass) {
  std::string name = simple_name(klass);
  bool begins_with_vowel = name.find_first_of("AEIOaeio") == 0;
  return (begins_with_vowel ? "an " : "a ") + name;
}

// Reads Thread.name, which is written only before the thread starts and when the program renames the thread.
std::string name_of_thread(const JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS {
  if (thread->thread_object == nullptr) return thread->vm_name != nullptr ? thread->vm_name : "a thread of the VM";
  Object* name = thread->thread_object->get_reference(well_known::Thread_name);
  return name == nullptr ? "null" : string_to_utf8(name);
}

}  // namespace keyhole::interpreter
