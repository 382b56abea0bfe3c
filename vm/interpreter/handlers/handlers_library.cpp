// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries without a frame that call library kernels (library_kernels.h): digests, checksums, hash codes, searches.
//
// An entry checks everything that its kernel relies on, though the library has checked it before the call. If anything
// does not hold, or this processor lacks the instructions, or the work would delay a safepoint, the body runs.
#include <cstring>

#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/intrinsic_macros.h"
#include "vm/interpreter/library_kernels.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::interpreter {
namespace {

constexpr i64 most_bytes = 1_MiB;  // of one call: some 50 microseconds

template <typename T> T* elements_of(Object* array) {
  constexpr u32 shift = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : 2;
  return reinterpret_cast<T*>(reinterpret_cast<uptr>(array) + Object::element_offset(shift, 0));
}

// Whether the array has the elements from `from` to `end`, and not too many.
inline bool has_range(const Object* array, i32 from, i32 end) TOUCHES_OBJECTS {
  return array != nullptr && from >= 0 && from <= end && end <= array->length() && end - from <= most_bytes;
}

using AddBlock = void (*)(u32*, const u8*);

// Adds the block at `offset` of `bytes` to the array in the digest's field `state`, which has `words` words.
[[gnu::noinline]] bool add_block(const Method* method, const Slot* arguments, AddBlock add, i32 words) TOUCHES_OBJECTS {
  constexpr i32 block_bytes = 64;
  Object* digest = as_object(arguments[0]);
  Object* bytes = as_object(arguments[1]);
  i32 offset = as_int(arguments[2]);
  if (!kernels::supports.sha || bytes == nullptr || offset < 0 || offset > bytes->length() - block_bytes) return false;
  const InstanceKlass* holder = method->holder;
  for (const Field& field : std::span(holder->fields, holder->field_count)) {
    if (field.is_static() || field.name->text() != "state") continue;
    Object* state = digest->get_reference(field.offset);
    if (state == nullptr || state->length() < words) return false;
    add(elements_of<u32>(state), elements_of<u8>(bytes) + offset);
    return true;
  }
  return false;
}

[[gnu::noinline]] bool checksum(const Slot* arguments, u32& crc) TOUCHES_OBJECTS {
  Object* bytes = as_object(arguments[1]);
  i32 from = as_int(arguments[2]), end = as_int(arguments[3]);
  if (!kernels::supports.crc32c || !has_range(bytes, from, end)) return false;
  crc =
      kernels::crc32c(static_cast<u32>(arguments[0]), {elements_of<u8>(bytes) + from, static_cast<usize>(end - from)});
  return true;
}
[[gnu::noinline]] bool checksum_of_memory(const Slot* arguments, u32& crc) {
  i32 from = as_int(arguments[3]), end = as_int(arguments[4]);
  if (!kernels::supports.crc32c || from < 0 || from > end || end - from > most_bytes) return false;
  const u8* memory = reinterpret_cast<const u8*>(arguments[2]);
  crc = kernels::crc32c(static_cast<u32>(arguments[0]), {memory + from, static_cast<usize>(end - from)});
  return true;
}

template <typename T> [[gnu::noinline]] bool hash(Object* array, u32& code) TOUCHES_OBJECTS {
  if (!kernels::supports.avx2 || array == nullptr) return false;
  usize count = static_cast<usize>(array->length());
  if (static_cast<i64>(count * sizeof(T)) > most_bytes) return false;
  code = kernels::hash_code(1, std::span<const T>(elements_of<const T>(array), count));
  return true;
}

// The arguments are the array, an offset and a length.
[[gnu::noinline]] bool positives(const Slot* arguments, i32& count) TOUCHES_OBJECTS {
  Object* bytes = as_object(arguments[0]);
  i32 from = as_int(arguments[1]), length = as_int(arguments[2]);
  if (!kernels::supports.avx2 || bytes == nullptr || length < 0 || from < 0 || from > bytes->length() - length ||
      length > most_bytes)
    return false;
  count = static_cast<i32>(kernels::count_positives({elements_of<u8>(bytes) + from, static_cast<usize>(length)}));
  return true;
}

[[gnu::noinline]] bool index_of_char(const Slot* arguments, i32& index) TOUCHES_OBJECTS {
  Object* bytes = as_object(arguments[0]);
  i32 wanted = as_int(arguments[1]), from = as_int(arguments[2]), end = as_int(arguments[3]);
  if (!has_range(bytes, from, end)) return false;
  const u8* first = elements_of<u8>(bytes);
  const void* found = memchr(first + from, wanted & 0xFF, static_cast<usize>(end - from));
  index = found == nullptr ? -1 : static_cast<i32>(static_cast<const u8*>(found) - first);
  return true;
}

// The arguments are the bytes, their number, the wanted bytes, their number, and where to begin.
[[gnu::noinline]] bool index_of(const Slot* arguments, i32& index) TOUCHES_OBJECTS {
  Object* bytes = as_object(arguments[0]);
  Object* wanted = as_object(arguments[2]);
  i32 count = as_int(arguments[1]), wanted_count = as_int(arguments[3]), from = as_int(arguments[4]);
  if (!has_range(bytes, from, count) || !has_range(wanted, 0, wanted_count) || wanted_count == 0) return false;
  const u8* first = elements_of<u8>(bytes);
  const void* found =
      memmem(first + from, static_cast<usize>(count - from), elements_of<u8>(wanted), static_cast<usize>(wanted_count));
  index = found == nullptr ? -1 : static_cast<i32>(static_cast<const u8*>(found) - first);
  return true;
}

// The arguments are twice an object and an offset (null: an address), a number of elements, and their size's logarithm.
// The result of equal elements says that none is left to compare.
[[gnu::noinline]] bool first_mismatch(const Slot* arguments, i32& index) {
  i32 count = as_int(arguments[6]), shift = as_int(arguments[7]);
  if (!kernels::supports.avx2 || count < 0 || shift < 0 || shift > 3 || i64{count} << shift > most_bytes) return false;
  usize bytes = static_cast<usize>(count) << shift;
  usize at = kernels::mismatch(reinterpret_cast<const u8*>(arguments[0] + arguments[2]),
                               reinterpret_cast<const u8*>(arguments[3] + arguments[5]), bytes);
  index = at == bytes ? ~0 : static_cast<i32>(at >> shift);
  return true;
}

// The arguments are the encoder, the bytes, from and end, the characters, where to begin, and which alphabet.
[[gnu::noinline]] bool encode(const Slot* arguments) TOUCHES_OBJECTS {
  Object* bytes = as_object(arguments[1]);
  Object* characters = as_object(arguments[4]);
  i32 from = as_int(arguments[2]), end = as_int(arguments[3]), at = as_int(arguments[5]);
  if (!kernels::supports.avx2 || bytes == characters || characters == nullptr || !has_range(bytes, from, end))
    return false;
  i32 groups = (end - from) / 3;
  if (groups * 3 != end - from || at < 0 || at > characters->length() - groups * 4) return false;
  kernels::base64_encode(elements_of<u8>(bytes) + from, static_cast<usize>(groups), elements_of<u8>(characters) + at,
                         as_int(arguments[6]) != 0);
  return true;
}

}  // namespace

// --- digests and checksums -------------------------------------------------------------------------------------------

HANDLER(intrinsic_sha256_block) {
  if (!add_block(reinterpret_cast<const Method*>(tos), sp - 2, kernels::sha256_block, 8)) [[unlikely]]
    RUN_BODY();
  RETURN_NOTHING(3);
}
HANDLER(intrinsic_sha1_block) {
  if (!add_block(reinterpret_cast<const Method*>(tos), sp - 2, kernels::sha1_block, 5)) [[unlikely]]
    RUN_BODY();
  RETURN_NOTHING(3);
}
HANDLER(intrinsic_crc32c) {
  u32 crc;
  if (!checksum(sp - 3, crc)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(4, to_slot(crc));
}
HANDLER(intrinsic_crc32c_of_memory) {
  u32 crc;
  if (!checksum_of_memory(sp - 4, crc)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(5, to_slot(crc));
}

// --- hash codes, searches, texts -------------------------------------------------------------------------------------

#define HASH(name, type)                                \
  HANDLER(intrinsic_hash_of_##name) {                   \
    u32 code;                                           \
    if (!hash<type>(as_object(*sp), code)) [[unlikely]] \
      RUN_BODY();                                       \
    RETURN_ONE(1, to_slot(code));                       \
  }
HASH(bytes, i8)
HASH(shorts, i16)
HASH(chars, u16)
HASH(ints, i32)

HANDLER(intrinsic_has_negatives) {
  i32 count;
  if (!positives(sp - 2, count)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(3, count != as_int(*sp));
}
HANDLER(intrinsic_count_positives) {
  i32 count;
  if (!positives(sp - 2, count)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(3, to_slot(count));
}
HANDLER(intrinsic_latin1_index_of_char) {
  i32 index;
  if (!index_of_char(sp - 3, index)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(4, to_slot(index));
}
HANDLER(intrinsic_latin1_index_of) {
  i32 index;
  if (!index_of(sp - 4, index)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(5, to_slot(index));
}
HANDLER(intrinsic_mismatch) {
  i32 index;
  if (!first_mismatch(sp - 7, index)) [[unlikely]]
    RUN_BODY();
  RETURN_ONE(8, to_slot(index));
}
HANDLER(intrinsic_base64_encode) {
  if (!encode(sp - 6)) [[unlikely]]
    RUN_BODY();
  RETURN_NOTHING(7);
}

}  // namespace keyhole::interpreter
