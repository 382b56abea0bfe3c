// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up intrinsics by class, name and descriptor.
#include "jit/graph/ir/intrinsics.h"

#include "vm/interpreter/intrinsics.h"
#include "vm/link/loading/mirrors.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

struct Row {
  std::string_view class_name, name, descriptor;
  Intrinsic intrinsic;
};
constexpr Row rows[] = {
#define INTRINSIC(name, class_name, method, descriptor) {class_name, method, descriptor, Intrinsic::name},
#include "jit/graph/ir/intrinsics.def"
#undef INTRINSIC
};

// Removes the prefix from the text. Returns false if the text does not begin with it.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

char take_type(std::string_view& name) {
  constexpr std::pair<std::string_view, char> types[] = {
      {"Int", 'I'},  {"Long", 'J'},    {"Reference", 'A'}, {"Byte", 'B'},   {"Short", 'S'},
      {"Char", 'C'}, {"Boolean", 'Z'}, {"Float", 'F'},     {"Double", 'D'},
  };
  for (auto [text, type] : types) {
    if (take(name, text)) return type;
  }
  return 0;
}

std::optional<UnsafeAccess> access_named(std::string_view name) {
  using enum UnsafeAccess::Kind;
  constexpr std::pair<std::string_view, UnsafeAccess::Kind> atomic[] = {
      {"compareAndSet", CompareAndSet},
      {"compareAndExchange", CompareAndExchange},
      {"getAndAdd", GetAndAdd},
      {"getAndSet", GetAndSet},
  };
  for (auto [prefix, kind] : atomic) {
    if (!take(name, prefix)) continue;
    char type = take_type(name);
    bool compares = kind == CompareAndSet || kind == CompareAndExchange;
    bool is_of_processor = type == 'I' || type == 'J' || (type == 'A' && kind != GetAndAdd) ||
                           (compares && (type == 'Z' || type == 'B' || type == 'S' || type == 'C'));
    if (!name.empty() || !is_of_processor) return std::nullopt;
    return UnsafeAccess{kind, type, true, false};
  }
  UnsafeAccess access{name.starts_with("get") ? Get : Put, 0, false, false};
  if (!take(name, "get") && !take(name, "put")) return std::nullopt;
  access.type = take_type(name);
  if (access.type == 0) return std::nullopt;
  if (name.empty() || name == "Opaque") return access;
  if (name == "Unaligned") return access.type == 'A' ? std::nullopt : std::optional(access);
  access.is_released = access.kind == Put && name == "Release";
  access.is_ordered = name == "Volatile" || (access.kind == Get && name == "Acquire");
  return access.is_ordered || access.is_released ? std::optional(access) : std::nullopt;
}

}  // namespace

Intrinsic intrinsic_of(const Method* method) {
  if (interpreter::Intrinsic known = interpreter::intrinsic_of(method); known != interpreter::Intrinsic::none)
    return static_cast<Intrinsic>(known);
  if (!interpreter::may_be_intrinsic(method)) return Intrinsic::none;
  std::string_view class_name = method->holder->name->text(), name = method->name->text();
  for (const Row& row : rows) {
    if (name == row.name && class_name == row.class_name && method->descriptor->text() == row.descriptor)
      return row.intrinsic;
  }
  return Intrinsic::none;
}

const interpreter::KernelCall* kernel_of(Intrinsic intrinsic) {
  // The interpreter's intrinsics come first in graph::Intrinsic, with the numbers that they have in
  // interpreter::Intrinsic.
  return interpreter::kernel_call_of(static_cast<interpreter::Intrinsic>(intrinsic));
}

// Overloads that take an address without an object, or a byte order besides the offset, are not intrinsics.
std::optional<UnsafeAccess> unsafe_access_of(const Method* method) {
  if (!interpreter::may_be_intrinsic(method) || method->is_static() ||
      method->holder->name->text() != "jdk/internal/misc/Unsafe") {
    return std::nullopt;
  }
  std::optional<UnsafeAccess> access = access_named(method->name->text());
  if (!access.has_value()) return std::nullopt;
  // The number of arguments of each kind of access, without the object and the offset.
  constexpr u32 values[] = {0, 1, 2, 2, 1, 1};
  u32 slots = access->type == 'J' || access->type == 'D' ? 2 : 1;
  bool fits = method->descriptor->text().starts_with("(Ljava/lang/Object;J") &&
              method->argument_slots == 4 + slots * values[access->kind];
  return fits ? access : std::nullopt;
}

i32 fact_of(const Klass* klass, ClassFact fact) {
  switch (fact) {
    case ClassFact::Modifiers: return class_modifiers(klass);
    case ClassFact::IsArray: return klass->is_array();
    case ClassFact::IsInterface: return klass->is_instance() && klass->is_interface();
    case ClassFact::IsPrimitive: return klass->is_primitive();
  }
  __builtin_unreachable();
}

}  // namespace keyhole::graph
