// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the arguments of library methods and calls the kernels (kernel_calls.h).
#include "vm/interpreter/kernel_calls.h"

#include <array>
#include <atomic>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "runtime/base/flags.h"
#include "runtime/object/klass.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/library_kernels.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::interpreter {

namespace kernel_calls {
namespace {

constexpr i64 most_bytes = 1_MiB;  // of one call: some 50 microseconds

template <typename T> T* elements_of(Object* array) {
  constexpr u32 shift = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return reinterpret_cast<T*>(reinterpret_cast<uptr>(array) + Object::element_offset(shift, 0));
}

// Whether the array has the elements from `from` to `end`, and not too many.
inline bool has_range(const Object* array, i32 from, i32 end) TOUCHES_OBJECTS {
  return array != nullptr && from >= 0 && from <= end && end <= array->length() && end - from <= most_bytes;
}

inline std::span<const u8> bytes_of(Object* array, i32 from, i32 end) {
  return {elements_of<u8>(array) + from, static_cast<usize>(end - from)};
}

// Finds an object's field by its name, and remembers the last answer: programs use one class of each kind.
class FieldOfClass {
 public:
  explicit constexpr FieldOfClass(std::string_view name) : name_(name) {}

  Object* of(const Object* object) TOUCHES_OBJECTS {
    u32 klass_id = object->klass_id();
    u64 last = last_.load(std::memory_order_relaxed);
    if (last >> 32 != klass_id) {
      u32 offset = offset_in(object->klass());
      if (offset == 0) return nullptr;
      last = u64{klass_id} << 32 | offset;
      last_.store(last, std::memory_order_relaxed);
    }
    return object->get_reference(static_cast<u32>(last));
  }

 private:
  u32 offset_in(const Klass* klass) const {
    for (; klass != nullptr && klass->is_instance(); klass = klass->super) {
      const InstanceKlass* holder = klass->as_instance();
      for (const Field& field : std::span(holder->fields, holder->field_count)) {
        if (!field.is_static() && field.name->text() == name_) return field.offset;
      }
    }
    return 0;
  }

  std::string_view name_;
  std::atomic<u64> last_ = 0;  // the class's id and the offset, which is never 0
};

// Adds the block at `offset` of `bytes` to the array in the digest's field `state`, which has `words` words.
template <auto add, typename T>
i64 add_block(Object* digest, Object* bytes, i32 offset, i32 words, i32 block_bytes) TOUCHES_OBJECTS {
  static constinit FieldOfClass state_of("state");
  if (bytes == nullptr || offset < 0 || offset > bytes->length() - block_bytes) return declined;
  Object* state = state_of.of(digest);
  if (state == nullptr || state->length() < words) return declined;
  add(elements_of<T>(state), elements_of<u8>(bytes) + offset);
  return 0;
}

template <typename T> i64 hash(Object* array) TOUCHES_OBJECTS {
  if (array == nullptr) return declined;
  usize count = static_cast<usize>(array->length());
  if (static_cast<i64>(count * sizeof(T)) > most_bytes) return declined;
  return static_cast<i32>(kernels::hash_code(1, std::span<const T>(elements_of<const T>(array), count)));
}

}  // namespace

i64 latin1_index_of_char(Object* bytes, i32 wanted, i32 from, i32 end) {
  if (!has_range(bytes, from, end)) return declined;
  const u8* first = elements_of<u8>(bytes);
  const void* found = memchr(first + from, wanted & 0xFF, static_cast<usize>(end - from));
  return found == nullptr ? -1 : static_cast<const u8*>(found) - first;
}

i64 latin1_index_of(Object* bytes, i32 count, Object* wanted, i32 wanted_count, i32 from) {
  if (!has_range(bytes, from, count) || !has_range(wanted, 0, wanted_count) || wanted_count == 0) return declined;
  constexpr i64 most_comparisons = 16_MiB;  // in a text that nearly matches everywhere
  if (i64{count - from} * wanted_count > most_comparisons) return declined;
  i64 found = kernels::index_of(bytes_of(bytes, from, count), bytes_of(wanted, 0, wanted_count));
  return found < 0 ? -1 : found + from;
}

i64 count_positives(Object* bytes, i32 from, i32 length) {
  if (bytes == nullptr || length < 0 || from < 0 || from > bytes->length() - length || length > most_bytes)
    return declined;
  return static_cast<i64>(kernels::count_positives(bytes_of(bytes, from, from + length)));
}

i64 has_negatives(Object* bytes, i32 from, i32 length) {
  i64 count = count_positives(bytes, from, length);
  return count == declined ? declined : count != length;
}

i64 hash_of_bytes(Object* array) { return hash<i8>(array); }
i64 hash_of_shorts(Object* array) { return hash<i16>(array); }
i64 hash_of_chars(Object* array) { return hash<u16>(array); }
i64 hash_of_ints(Object* array) { return hash<i32>(array); }

// element_type is a type code of newarray. T_BOOLEAN stands for unsigned bytes. For T_CHAR the array may also be a
// byte[] in which two bytes are a char; `from` and `length` count chars then.
i64 vectorized_hash(Object* array, i32 from, i32 length, i32 initial, i32 element_type) {
  constexpr i32 T_BOOLEAN = 4, T_CHAR = 5, T_BYTE = 8, T_SHORT = 9, T_INT = 10;
  if (array == nullptr || from < 0 || length < 0 || length > most_bytes / 4) return declined;
  u32 element_shift = array->klass()->element_shift;
  u32 shift = element_type == T_INT ? 2 : element_type == T_CHAR || element_type == T_SHORT ? 1 : 0;
  if ((i64{from} + length) << shift > i64{array->length()} << element_shift) return declined;
  u32 hash = static_cast<u32>(initial);
  usize count = static_cast<usize>(length);
  auto of = [&]<typename T>(T) -> i64 {
    return static_cast<i32>(kernels::hash_code(hash, std::span<const T>(elements_of<const T>(array) + from, count)));
  };
  switch (element_type) {
    case T_BOOLEAN: return of(u8{});
    case T_CHAR: return of(u16{});
    case T_BYTE: return of(i8{});
    case T_SHORT: return of(i16{});
    case T_INT: return of(i32{});
    default: return declined;
  }
}

// Each side is an object and an offset, or null and an address.
i64 mismatch(Object* left, i64 left_offset, Object* right, i64 right_offset, i32 count, i32 shift) {
  if (count < 0 || shift < 0 || shift > 3 || i64{count} << shift > most_bytes) return declined;
  usize bytes = static_cast<usize>(count) << shift;
  auto at = [](Object* object, i64 offset) {
    return reinterpret_cast<const u8*>(reinterpret_cast<uptr>(object) + static_cast<uptr>(offset));
  };
  usize first = kernels::mismatch(at(left, left_offset), at(right, right_offset), bytes);
  return first == bytes ? ~0 : static_cast<i64>(first >> shift);
}

i64 sha256_block(Object* digest, Object* bytes, i32 offset) {
  return add_block<kernels::sha256_block, u32>(digest, bytes, offset, 8, 64);
}
i64 sha1_block(Object* digest, Object* bytes, i32 offset) {
  return add_block<kernels::sha1_block, u32>(digest, bytes, offset, 5, 64);
}

i64 crc32c(i32 crc, Object* bytes, i32 from, i32 end) {
  if (!has_range(bytes, from, end)) return declined;
  return static_cast<i32>(kernels::crc32c(static_cast<u32>(crc), bytes_of(bytes, from, end)));
}
i64 crc32c_of_memory(i32 crc, i64 address, i32 from, i32 end) {
  if (from < 0 || from > end || end - from > most_bytes) return declined;
  const u8* memory = reinterpret_cast<const u8*>(address);
  return static_cast<i32>(kernels::crc32c(static_cast<u32>(crc), {memory + from, static_cast<usize>(end - from)}));
}

i64 base64_encode(Object* bytes, i32 from, i32 end, Object* characters, i32 at, i32 is_url) {
  if (bytes == characters || characters == nullptr || !has_range(bytes, from, end)) return declined;
  i32 groups = (end - from) / 3;
  if (groups * 3 != end - from || at < 0 || at > characters->length() - groups * 4) return declined;
  kernels::base64_encode(elements_of<u8>(bytes) + from, static_cast<usize>(groups), elements_of<u8>(characters) + at,
                         is_url != 0);
  return 0;
}

}  // namespace kernel_calls

namespace {

template <typename T> T argument_of(const Slot*& slots) {
  if constexpr (std::is_same_v<T, Object*>) return as_object(*slots++);
  else if constexpr (std::is_same_v<T, i32>) return as_int(*slots++);
  else return static_cast<i64>((slots += 2)[-1]);  // the value is in the upper of its two slots
}

template <auto function> struct Adapter;
template <typename... T, i64 (*function)(T...)> struct Adapter<function> {
  static constexpr u32 parameter_count = sizeof...(T);
  static i64 of_slots(const Slot* end) {
    const Slot* slots = end - ((std::is_same_v<T, i64> ? 2 : 1) + ... + 0);
    std::tuple<T...> arguments{argument_of<T>(slots)...};  // braces evaluate from left to right
    return std::apply(function, arguments);
  }
};

// A flag's name, or always.
namespace flag_named {
using namespace flags;
constexpr bool always = true;
}  // namespace flag_named

enum class Effect : u8 { reads, writes };

struct KernelRow {
  const bool* flag;
  bool kernels::Supports::* support;
  KernelCall call;
};
const KernelRow kernel_rows[] = {
#define KERNEL(name, effect, flag, support, class_name, method, descriptor)                                   \
  {&flag_named::flag,                                                                                         \
   &kernels::Supports::support,                                                                               \
   {#name, reinterpret_cast<const void*>(&kernel_calls::name), Adapter<&kernel_calls::name>::parameter_count, \
    &Adapter<&kernel_calls::name>::of_slots, Effect::effect == Effect::writes}},
#include "vm/interpreter/library_kernels.def"
};

// For each intrinsic the number of its row, counted from 1; 0 if it has none.
constexpr auto kernel_row_numbers = [] {
  std::array<u8, 256> numbers{};
  u8 number = 0;
#define KERNEL(name, ...) numbers[static_cast<usize>(Intrinsic::name)] = ++number;
#include "vm/interpreter/library_kernels.def"
  return numbers;
}();

const KernelRow* kernel_row_of(Intrinsic intrinsic) {
  u8 number = kernel_row_numbers[static_cast<usize>(intrinsic)];
  return number == 0 ? nullptr : &kernel_rows[number - 1];
}

}  // namespace

const KernelCall* kernel_call_of(Intrinsic intrinsic) {
  const KernelRow* row = kernel_row_of(intrinsic);
  return row == nullptr ? nullptr : &row->call;
}

bool is_available(Intrinsic intrinsic) {
  const KernelRow* row = kernel_row_of(intrinsic);
  return row == nullptr || (*row->flag && kernels::supports.*row->support);
}

}  // namespace keyhole::interpreter
