// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// com.sun.management.internal.Flag: the -XX flags as HotSpotDiagnosticMXBean shows and changes them. Those of kind
// `manageable` can be changed.
#include "runtime/base/flags.h"

#include <fmt/format.h>

#include <charconv>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/java.management/diagnostic_commands.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/threads/safepoint.h"

namespace keyhole::natives {

namespace {

// The flag's value as a Boolean, Long, Double or String.
Object* value_of(JavaThread* thread, const flags::Row& row) MAY_SAFEPOINT {
  switch (row.type) {
    case flags::Type::boolean:
      return box(thread, BasicType::Boolean, slot_of(i32{*static_cast<const bool*>(row.variable)}));
    case flags::Type::integer: return box(thread, BasicType::Long, slot_of(*static_cast<const i64*>(row.variable)));
    case flags::Type::size:
      return box(thread, BasicType::Long, slot_of(static_cast<i64>(*static_cast<const u64*>(row.variable))));
    case flags::Type::real: return box(thread, BasicType::Double, slot_of(*static_cast<const double*>(row.variable)));
    case flags::Type::text: return make_string_utf8(thread, *static_cast<const std::string*>(row.variable));
  }
  return nullptr;
}

Object* new_flag(JavaThread* thread, const flags::Row& row) MAY_SAFEPOINT {
  const auto* flag = late::get<late::ManagementFlag>(thread);
  const auto* origins = late::get<late::FlagOrigin>(thread);
  if (flag == nullptr || origins == nullptr || !initialize_class(thread, flag->klass) ||
      !initialize_class(thread, origins->klass))
    return nullptr;
  HandleScope scope(thread);
  auto keep = [&](Object* object) TOUCHES_OBJECTS { return object == nullptr ? Handle() : scope.make(object); };
  Handle result = keep(new_instance(thread, flag->klass));
  Handle name = has_exception(thread) ? Handle() : keep(make_string_utf8(thread, row.name));
  Handle value = has_exception(thread) ? Handle() : keep(value_of(thread, row));
  if (has_exception(thread)) return nullptr;
  u32 origin = row.origin == flags::Origin::command_line ? origins->vm_creation
               : row.origin == flags::Origin::management ? origins->management
                                                         : origins->defaulted;
  bool writeable = row.kind == flags::Kind::manageable, external = row.kind == flags::Kind::manageable;
  Slot arguments[] = {slot_of(result),        slot_of(name),
                      slot_of(value),         slot_of(i32{writeable}),
                      slot_of(i32{external}), slot_of(origins->klass->mirror->get_reference(origin))};
  call_java(thread, flag->constructor, arguments);
  return has_exception(thread) ? nullptr : result.get();
}

// Returns an empty string, or the reason why the text is no value of the flag.
std::string check_value(const flags::Row& row, std::string_view text) {
  switch (row.type) {
    case flags::Type::boolean:
      if (text == "true" || text == "false" || text == "1" || text == "0") return {};
      return "flag value must be a boolean (1/0 or true/false)";
    case flags::Type::integer:
    case flags::Type::size: {
      i64 number = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size() || (number < 0 && row.minimum >= 0))
        return fmt::format("flag value must be an {}", row.minimum < 0 ? "integer" : "unsigned integer");
      if (number >= row.minimum && number <= row.maximum) return {};
      return fmt::format("{} error: must have value in range [{}...{}]", row.name, row.minimum, row.maximum);
    }
    case flags::Type::real: {
      f64 number = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size()) return "flag value must be a double";
      auto minimum = static_cast<f64>(row.minimum), maximum = static_cast<f64>(row.maximum);
      if (number >= minimum && number <= maximum) return {};
      return fmt::format("{} error: must have value in range [{}...{}]", row.name, minimum, maximum);
    }
    case flags::Type::text: return {};
  }
  return {};
}

void change(JavaThread* thread, Handle name, const std::string& value) MAY_SAFEPOINT {
  std::string problem = set_manageable_flag(thread, string_to_utf8(name.get()), value);
  if (!problem.empty()) throw_message(thread, names::java_lang_IllegalArgumentException, problem);
}

}  // namespace

std::string set_manageable_flag(JavaThread* thread, std::string_view name, std::optional<std::string_view> value) {
  const flags::Row* row = flags::find_row(name);
  if (row == nullptr) return fmt::format("flag {} does not exist", name);
  if (row->kind != flags::Kind::manageable) return "only 'writeable' flags can be set";
  if (!value) return "flag value is missing";
  std::string problem = check_value(*row, *value);
  if (!problem.empty()) return problem;
  std::string_view text =
      row->type == flags::Type::boolean ? (*value == "1" || *value == "true" ? "true" : "false") : *value;
  auto operation = [&] {
    std::string before = flags::value_text(*row);
    problem = flags::change(name, text);
    if (!problem.empty() || flags::MinHeapFreeRatio <= flags::MaxHeapFreeRatio) return;
    flags::change(name, before);
    problem = fmt::format("{} error: value violates its flag's constraint.", name);
  };
  safepoint::run(thread, "ChangeFlag", operation);
  return problem.substr(0, problem.find_last_not_of('\n') + 1);
}

void Flag_initialize(JavaThread*) {}
i32 Flag_getInternalFlagCount(JavaThread*) { return static_cast<i32>(flags::rows().size()); }

Object* Flag_getAllFlagNames(JavaThread* thread) {
  std::vector<std::string> names;
  for (const flags::Row& row : flags::rows()) names.emplace_back(row.name);
  return new_string_array(thread, names);
}

// Fills `result` with the flags of these names, or with all flags if `names` is null. Elements of unknown names stay
// null. Returns the number of flags found.
i32 Flag_getFlags(JavaThread* thread, Handle names, Handle result, i32 count) {
  i32 found = 0;
  for (i32 i = 0; i < count; ++i) {
    const flags::Row* row = nullptr;
    if (names.is_null()) {
      row = &flags::rows()[static_cast<usize>(i)];
    } else {
      if (names->reference_at(i) == nullptr) return throw_null_pointer(thread);
      row = flags::find_row(string_to_utf8(names->reference_at(i)));
    }
    if (row == nullptr) continue;
    Object* flag = new_flag(thread, *row);
    if (flag == nullptr) return 0;
    barrier::store_element(result.get(), i, flag);
    ++found;
  }
  return found;
}

void Flag_setLongValue(JavaThread* thread, Handle name, i64 value) { change(thread, name, std::to_string(value)); }
void Flag_setDoubleValue(JavaThread* thread, Handle name, f64 value) { change(thread, name, std::to_string(value)); }
void Flag_setBooleanValue(JavaThread* thread, Handle name, bool value) {
  change(thread, name, value ? "true" : "false");
}
void Flag_setStringValue(JavaThread* thread, Handle name, Handle value) {
  change(thread, name, string_to_utf8(value.get()));
}

}  // namespace keyhole::natives
