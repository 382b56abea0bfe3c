// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of native methods: classlib/natives.def hashed at compile time, so that starting costs nothing.
//
//   key     FNV-1a over class name, 0, method name, 0, descriptor
//   index   open addressing, twice as many places as rows; an entry is a row number + 1
//
// A row whose C++ signature does not fit its descriptor is a compile error: the descriptor's types must be the
// function's parameters after JavaThread*, with or without a leading Handle for `this`.
#include <array>
#include <bit>

#include "classlib/natives/binding.h"
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.instrument/agents.h"
#include "classlib/natives/natives.h"
#include "classlib/natives/uncontrolled.h"
#include "runtime/base/log.h"
#include "vm/classfile/class_path.h"
#include "vm/link/exceptions.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/native_methods.h"
#include "vm/metadata/packages.h"

namespace keyhole::natives {

namespace {

struct Row {
  std::string_view class_name, method_name, descriptor;
  NativeFunction function;
};

// --- does a function fit a descriptor? -------------------------------------------------------------------------------

template <typename T> consteval char descriptor_letter() {
  if constexpr (std::is_same_v<T, Handle> || std::is_pointer_v<T>) return 'L';
  else if constexpr (std::is_same_v<T, bool>) return 'Z';
  else if constexpr (std::is_same_v<T, i8>) return 'B';
  else if constexpr (std::is_same_v<T, u16>) return 'C';
  else if constexpr (std::is_same_v<T, i16>) return 'S';
  else if constexpr (std::is_same_v<T, i32>) return 'I';
  else if constexpr (std::is_same_v<T, i64>) return 'J';
  else if constexpr (std::is_same_v<T, f32>) return 'F';
  else if constexpr (std::is_same_v<T, f64>) return 'D';
  else {
    static_assert(std::is_void_v<T>, "no Java type for this parameter");
    return 'V';
  }
}

template <auto function> struct Fit;
template <typename Result, typename... Parameters, Result (*function)(JavaThread*, Parameters...)>
struct Fit<function> {
  static consteval bool with(std::string_view descriptor) {
    constexpr std::array<char, sizeof...(Parameters) + 1> have{descriptor_letter<Parameters>()..., 0};
    std::array<char, 256> want{};
    usize count = 0;
    auto letter_of = [](std::string_view type) { return type[0] == '[' ? 'L' : type[0]; };
    DescriptorIterator it(descriptor);
    for (; !it.at_end(); it.next()) want[count++] = letter_of(it.text());
    if (letter_of(it.return_text()) != descriptor_letter<Result>()) return false;
    usize skip = sizeof...(Parameters) - count;  // 1: `this`
    if (skip > 1 || (skip == 1 && have[0] != 'L')) return false;
    for (usize k = 0; k < count; ++k)
      if (have[k + skip] != want[k]) return false;
    return true;
  }
};

// Functions that already have the type NativeFunction (they read the slots themselves) fit any descriptor.
template <auto function> consteval bool fits(std::string_view descriptor) {
  if constexpr (std::is_same_v<decltype(function), NativeFunction>) return true;
  else return Fit<function>::with(descriptor);
}
template <auto function> consteval NativeFunction entry() {
  if constexpr (std::is_same_v<decltype(function), NativeFunction>) return function;
  else return bind<function>;
}

#define NATIVE(class_name, method_name, descriptor, ...) \
  static_assert(fits<&__VA_ARGS__>(descriptor), class_name "." method_name descriptor " does not fit " #__VA_ARGS__);
#include "classlib/natives.def"
#undef NATIVE

constexpr Row rows[] = {
#define NATIVE(class_name, method_name, descriptor, ...) \
  Row{class_name, method_name, descriptor, entry<&__VA_ARGS__>()},
#include "classlib/natives.def"
#undef NATIVE
};

// --- the hash index --------------------------------------------------------------------------------------------------

constexpr u32 mix(u32 hash, std::string_view text) {
  for (char c : text) hash = (hash ^ static_cast<u8>(c)) * 0x01000193u;
  return hash * 0x01000193u;
}
constexpr u32 key_of(std::string_view class_name, std::string_view method_name, std::string_view descriptor) {
  u32 hash = mix(mix(mix(0x811C9DC5u, class_name), method_name), descriptor);
  return hash ^ (hash >> 15);
}

constexpr usize place_count = std::bit_ceil(std::size(rows) * 2);
constexpr auto index = [] {
  std::array<u16, place_count> places{};
  for (usize row = 0; row < std::size(rows); ++row) {
    usize place = key_of(rows[row].class_name, rows[row].method_name, rows[row].descriptor) & (place_count - 1);
    while (places[place] != 0) place = (place + 1) & (place_count - 1);
    places[place] = static_cast<u16>(row + 1);
  }
  return places;
}();

}  // namespace

NativeFunction find(const Symbol* class_name, const Symbol* method_name, const Symbol* descriptor) {
  usize place = key_of(class_name->text(), method_name->text(), descriptor->text()) & (place_count - 1);
  for (; index[place] != 0; place = (place + 1) & (place_count - 1)) {
    const Row& row = rows[index[place] - 1];
    if (row.class_name == class_name->text() && row.method_name == method_name->text() &&
        row.descriptor == descriptor->text())
      return row.function;
  }
  return nullptr;
}

namespace {

NativeFunction find_or_throw(JavaThread* thread, const Method* method) MAY_SAFEPOINT {
  uncontrolled::check_link(thread, method);
  const InstanceKlass* holder = method->holder;
  if (holder->is_boot) {
    if (NativeFunction function = find(holder->name, method->name, method->descriptor)) return function;
    for (const std::string& name : names_without_prefixes(method->name->text())) {
      if (NativeFunction function = find(holder->name, Symbol::intern(name), method->descriptor)) return function;
    }
  }
  KEYHOLE_LOG(debug, natives, "no body for {}", external_method_name(method->holder, method->name, method->descriptor));
  std::string signature = external_method_name(method->holder, method->name, method->descriptor);
  if (holder->is_boot && boot_module_of_package(package_of(holder)) == "java.desktop")
    return throw_new(thread, names::java_lang_UnsatisfiedLinkError,
                     "'{}': java.desktop: native rendering is not available", signature);
  return throw_new(thread, names::java_lang_UnsatisfiedLinkError, "'{}'", signature);
}

struct RegisteredNatives final : NativeMethods {
  NativeFunction find_or_throw(JavaThread* thread, const Method* method) MAY_SAFEPOINT override {
    return natives::find_or_throw(thread, method);
  }
  MethodEntry entry_with_body(NativeFunction body) override { return continuation_entry(body); }
};
RegisteredNatives instance;

}  // namespace

void initialize() { register_native_methods(&instance); }

void for_each_row(void (*visit)(std::string_view class_name, std::string_view method_name, std::string_view descriptor,
                                void* context),
                  void* context) {
  for (const Row& row : rows) visit(row.class_name, row.method_name, row.descriptor, context);
}

void no_operation(JavaThread*) {}
u64 ignore_arguments(JavaThread*, Slot*) { return 0; }
bool always_false(JavaThread*) { return false; }

}  // namespace keyhole::natives
