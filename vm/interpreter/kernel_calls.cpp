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

// The most bytes that a call passes to a kernel. A kernel takes about 50 microseconds for this many bytes. A call with
// more bytes is declined.
constexpr i64 most_bytes = 1_MiB;

template <typename T> T* elements_of(Object* array) {
  constexpr u32 shift = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return reinterpret_cast<T*>(reinterpret_cast<uptr>(array) + Object::element_offset(shift, 0));
}

// Returns whether the array has all elements from `from` to `end`, and there are at most most_bytes of them.
inline bool has_range(const Object* array, i32 from, i32 end) TOUCHES_OBJECTS {
  return array != nullptr && from >= 0 && from <= end && end <= array->length() && end - from <= most_bytes;
}

inline std::span<const u8> bytes_of(Object* array, i32 from, i32 end) {
  return {elements_of<u8>(array) + from, static_cast<usize>(end - from)};
}

// Finds a field of an object by the field's name. The offset is cached for the class of the last object, because a
// program usually passes objects of one class only.
class FieldOfClass {
 public:
  // If class_name is not empty, only objects of exactly the class with this name have the field. An object of any other
  // class counts as an object without the field, even if it has a field of the same name.
  explicit constexpr FieldOfClass(std::string_view name, std::string_view class_name = {})
      : name_(name), class_name_(class_name) {}

  // Returns the field's value, or null if the object is null or has no such field.
  Object* of(const Object* object) TOUCHES_OBJECTS {
    u32 offset = object == nullptr ? 0 : offset_in(object);
    return offset == 0 ? nullptr : object->get_reference(offset);
  }
  // Returns the field's offset, or 0 if the object has no such field.
  u32 offset_in(const Object* object) TOUCHES_OBJECTS {
    u32 klass_id = object->klass_id();
    u64 last = last_.load(std::memory_order_relaxed);
    if (last >> 32 != klass_id) {
      u32 offset = class_name_.empty() || object->klass()->name->text() == class_name_ ? find_in(object->klass()) : 0;
      if (offset == 0) return 0;
      last = u64{klass_id} << 32 | offset;
      last_.store(last, std::memory_order_relaxed);
    }
    return static_cast<u32>(last);
  }

 private:
  u32 find_in(const Klass* klass) const {
    for (; klass != nullptr && klass->is_instance(); klass = klass->super) {
      const InstanceKlass* holder = klass->as_instance();
      for (const Field& field : std::span(holder->fields, holder->field_count)) {
        if (!field.is_static() && field.name->text() == name_) return field.offset;
      }
    }
    return 0;
  }

  std::string_view name_, class_name_;
  std::atomic<u64> last_ = 0;  // id of the last object's class, and the field's offset in that class, never 0
};

// Adds a block to the state of a digest. The block starts at `offset` in `bytes`. The state is the array in the
// digest's field `state`, which must have `words` words.
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
  // The most comparisons of bytes that a call may need in the worst case, which is a text that matches `wanted` nearly
  // everywhere. A call that may need more comparisons is declined.
  constexpr i64 most_comparisons = 16_MiB;
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
// byte[] in which each char takes two bytes; `from` and `length` then count chars.
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

// Each of the two sides of the comparison is an array and an offset in the array, or null and an address.
i64 mismatch(Object* left, i64 left_offset, Object* right, i64 right_offset, i32 count, i32 shift) {
  if (count < 0 || shift < 0 || shift > 3 || i64{count} << shift > most_bytes) return declined;
  usize bytes = static_cast<usize>(count) << shift;
  auto at = [](Object* object, i64 offset) {
    return reinterpret_cast<const u8*>(reinterpret_cast<uptr>(object) + static_cast<uptr>(offset));
  };
  usize first = kernels::mismatch(at(left, left_offset), at(right, right_offset), bytes);
  return first == bytes ? ~0 : static_cast<i64>(first >> shift);
}

namespace {

// The digests whose blocks are added by a kernel.
struct Digest {
  std::string_view class_name;
  i32 words, word_bytes, block_bytes;
  void (*add)(void* state, const u8* block);
  const bool* flag;
  bool kernels::Supports::* support;
};
template <auto add, typename T> void add_to(void* state, const u8* block) { add(static_cast<T*>(state), block); }
const Digest digests[] = {
    {"sun/security/provider/MD5", 4, 4, 64, add_to<kernels::md5_block, u32>, &flags::UseMD5Intrinsics,
     &kernels::Supports::plain},
    {"sun/security/provider/SHA", 5, 4, 64, add_to<kernels::sha1_block, u32>, &flags::UseSHA1Intrinsics,
     &kernels::Supports::sha},
    {"sun/security/provider/SHA2", 8, 4, 64, add_to<kernels::sha256_block, u32>, &flags::UseSHA256Intrinsics,
     &kernels::Supports::sha},
    {"sun/security/provider/SHA5", 8, 8, 128, add_to<kernels::sha512_block, u64>, &flags::UseSHA512Intrinsics,
     &kernels::Supports::bmi2},
};

const Digest* digest_of(const Klass* klass) {
  for (; klass != nullptr; klass = klass->super) {
    for (const Digest& digest : digests) {
      if (klass->name->text() == digest.class_name)
        return *digest.flag && kernels::supports.*digest.support ? &digest : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

i64 digest_blocks(Object* digest, Object* bytes, i32 offset, i32 limit) {
  static constinit FieldOfClass state_of("state");
  constexpr i32 most_digested = 128 * 1024;  // in bytes; the slowest digest takes 250 microseconds for this size
  const Digest* kind = digest_of(digest->klass());
  Object* state = kind == nullptr ? nullptr : state_of.of(digest);
  if (state == nullptr || bytes == nullptr || offset < 0 || limit - i64{offset} > most_digested) return declined;
  if (offset > limit) return offset;
  i32 blocks = (limit - offset) / kind->block_bytes + 1;
  if (i64{offset} + i64{blocks} * kind->block_bytes > bytes->length() || state->length() < kind->words) return declined;
  void* words = kind->word_bytes == 4 ? static_cast<void*>(elements_of<u32>(state)) : elements_of<u64>(state);
  for (; blocks > 0; --blocks, offset += kind->block_bytes) kind->add(words, elements_of<u8>(bytes) + offset);
  return offset;
}

i64 md5_block(Object* digest, Object* bytes, i32 offset) {
  return add_block<kernels::md5_block, u32>(digest, bytes, offset, 4, 64);
}
i64 sha512_block(Object* digest, Object* bytes, i32 offset) {
  return add_block<kernels::sha512_block, u64>(digest, bytes, offset, 8, 128);
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

namespace {

template <auto add> i64 sum_of_bytes(i32 sum, Object* bytes, i32 from, i32 length) TOUCHES_OBJECTS {
  if (length < 0 || from < 0 || i64{from} + length > INT32_MAX || !has_range(bytes, from, from + length))
    return declined;
  return static_cast<i32>(add(static_cast<u32>(sum), bytes_of(bytes, from, from + length)));
}
template <auto add> i64 sum_of_memory(i32 sum, i64 address, i32 from, i32 length) {
  if (from < 0 || length < 0 || length > most_bytes) return declined;
  const u8* memory = reinterpret_cast<const u8*>(address);
  return static_cast<i32>(add(static_cast<u32>(sum), std::span(memory + from, static_cast<usize>(length))));
}

}  // namespace

i64 crc32(i32 crc, Object* bytes, i32 from, i32 length) {
  return sum_of_bytes<kernels::crc32>(crc, bytes, from, length);
}
i64 crc32_of_memory(i32 crc, i64 address, i32 from, i32 length) {
  return sum_of_memory<kernels::crc32>(crc, address, from, length);
}
i64 adler32(i32 adler, Object* bytes, i32 from, i32 length) {
  return sum_of_bytes<kernels::adler32>(adler, bytes, from, length);
}
i64 adler32_of_memory(i32 adler, i64 address, i32 from, i32 length) {
  return sum_of_memory<kernels::adler32>(adler, address, from, length);
}

// --- ciphers ---------------------------------------------------------------------------------------------------------

namespace {

constexpr i32 cipher_block = 16;

// Returns the expanded key of an AESCrypt. The result has no words if the object is another cipher, or has no key.
kernels::AesKey key_of(Object* cipher) TOUCHES_OBJECTS {
  static constinit FieldOfClass key("K", "com/sun/crypto/provider/AESCrypt");
  Object* words = key.of(cipher);
  i32 count = words == nullptr ? 0 : words->length();
  if (count != 44 && count != 52 && count != 60) return {nullptr, 0};
  return {elements_of<u32>(words), static_cast<u32>(count)};
}

kernels::AesKey key_of_mode(Object* mode) TOUCHES_OBJECTS {
  static constinit FieldOfClass cipher("embeddedCipher");
  return key_of(cipher.of(mode));
}

// Checks the ranges of a call that encrypts or decrypts: `length` bytes of `from` from the index `at` on, and `length`
// bytes of `to` from `to_at` on. Both ranges must exist and be short. If `from` and `to` are one array, the ranges must
// be equal.
bool may_crypt(const Object* from, i32 at, i32 length, const Object* to, i32 to_at) TOUCHES_OBJECTS {
  if (from == nullptr || to == nullptr || at < 0 || to_at < 0 || length < 0 || length > most_bytes / 4) return false;
  return at <= from->length() - length && to_at <= to->length() - length && (from != to || at == to_at);
}

template <auto transform> i64 crypt_block(Object* cipher, Object* from, i32 at, Object* to, i32 to_at) TOUCHES_OBJECTS {
  kernels::AesKey key = key_of(cipher);
  if (key.words == nullptr || from == nullptr || to == nullptr || at < 0 || at > from->length() - cipher_block ||
      to_at < 0 || to_at > to->length() - cipher_block)
    return declined;
  transform(key, elements_of<u8>(from) + at, elements_of<u8>(to) + to_at);
  return 0;
}

template <auto transform>
i64 chain(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) TOUCHES_OBJECTS {
  static constinit FieldOfClass register_of("r");
  kernels::AesKey key = key_of_mode(mode);
  Object* last = register_of.of(mode);
  if (key.words == nullptr || last == nullptr || last->length() != cipher_block || length % cipher_block != 0 ||
      !may_crypt(from, at, length, to, to_at))
    return declined;
  transform(key, elements_of<u8>(last), elements_of<u8>(from) + at, elements_of<u8>(to) + to_at,
            static_cast<usize>(length / cipher_block));
  return length;
}

}  // namespace

i64 aes_encrypt(Object* cipher, Object* from, i32 at, Object* to, i32 to_at) {
  return crypt_block<kernels::aes_encrypt_block>(cipher, from, at, to, to_at);
}
i64 aes_decrypt(Object* cipher, Object* from, i32 at, Object* to, i32 to_at) {
  return crypt_block<kernels::aes_decrypt_block>(cipher, from, at, to, to_at);
}
i64 cbc_encrypt(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) {
  return chain<kernels::cbc_encrypt>(mode, from, at, length, to, to_at);
}
i64 cbc_decrypt(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) {
  return chain<kernels::cbc_decrypt>(mode, from, at, length, to, to_at);
}

i64 ctr_crypt(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) {
  static constinit FieldOfClass counter_of("counter"), encrypted_of("encryptedCounter"), used_of("used");
  kernels::AesKey key = key_of_mode(mode);
  Object *counter = counter_of.of(mode), *encrypted = encrypted_of.of(mode);
  u32 used_offset = used_of.offset_in(mode);
  if (key.words == nullptr || counter == nullptr || counter->length() != cipher_block || encrypted == nullptr ||
      encrypted->length() != cipher_block || used_offset == 0 || !may_crypt(from, at, length, to, to_at))
    return declined;
  u32 used = mode->get<u32>(used_offset);
  if (used > cipher_block) return declined;
  kernels::ctr_crypt(key, elements_of<u8>(counter), elements_of<u8>(encrypted), used, elements_of<u8>(from) + at,
                     elements_of<u8>(to) + to_at, static_cast<usize>(length));
  mode->set<u32>(used_offset, used);
  return length;
}

i64 ghash(Object* bytes, i32 at, i32 blocks, Object* state, Object* subkey) {
  if (bytes == nullptr || at < 0 || blocks < 0 || i64{blocks} * cipher_block > most_bytes / 4 ||
      at > bytes->length() - blocks * cipher_block || state == nullptr || state->length() != 2 || subkey == nullptr ||
      subkey->length() < 2)
    return declined;
  kernels::ghash_blocks(elements_of<u64>(state), elements_of<u64>(subkey), elements_of<u8>(bytes) + at,
                        static_cast<usize>(blocks));
  return 0;
}

// --- BigInteger ------------------------------------------------------------------------------------------------------

namespace {

// Whether the array has `count` words, and `count` is at most the kernels' limit.
bool is_factor(const Object* words, i32 count) TOUCHES_OBJECTS {
  return words != nullptr && count > 0 && count <= static_cast<i32>(kernels::most_words_of_factor) &&
         count <= words->length();
}

}  // namespace

i64 multiply_to_len(Object* x, i32 x_count, Object* y, i32 y_count, Object* product) {
  if (!is_factor(x, x_count) || !is_factor(y, y_count) || product == nullptr || product->length() < x_count + y_count)
    return declined;
  kernels::multiply_words(elements_of<u32>(x), static_cast<usize>(x_count), elements_of<u32>(y),
                          static_cast<usize>(y_count), elements_of<u32>(product));
  return reinterpret_cast<i64>(product);
}

// Declines an array that is longer than the product, because the method's body counts indices from the array's end.
i64 square_to_len(Object* x, i32 count, Object* product, i32 product_count) {
  if (!is_factor(x, count) || product == nullptr || product_count != 2 * count || product->length() != product_count)
    return declined;
  return multiply_to_len(x, count, x, count, product);
}

// The Java method returns an array of 2 * count words, but its callers use only the first `count` words, the upper half
// of the number. So this kernel writes only `count` words.
i64 montgomery_multiply(Object* a, Object* b, Object* modulus, i32 count, i64 inverse, Object* product) {
  if (!is_factor(a, count) || !is_factor(b, count) || !is_factor(modulus, count) || product == nullptr ||
      product->length() < count)
    return declined;
  usize words = static_cast<usize>(count);
  if (!kernels::montgomery_multiply(elements_of<u32>(a), elements_of<u32>(b), elements_of<u32>(modulus), words,
                                    static_cast<u64>(inverse), elements_of<u32>(product)))
    return declined;
  if (product->length() == 2 * count) memset(elements_of<u32>(product) + count, 0, words * sizeof(u32));
  return reinterpret_cast<i64>(product);
}
i64 montgomery_square(Object* a, Object* modulus, i32 count, i64 inverse, Object* product) {
  return montgomery_multiply(a, a, modulus, count, inverse, product);
}

// --- Base64 ----------------------------------------------------------------------------------------------------------

i64 base64_decode(Object* characters, i32 from, i32 end, Object* bytes, i32 at, i32 is_url, i32) {
  if (bytes == characters || bytes == nullptr || !has_range(characters, from, end)) return declined;
  i32 groups = (end - from) / 4;
  if (at < 0 || at > bytes->length() - groups * 3) return declined;
  usize decoded = kernels::base64_decode(elements_of<u8>(characters) + from, static_cast<usize>(groups),
                                         elements_of<u8>(bytes) + at, is_url != 0);
  return static_cast<i64>(decoded * 3);
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
  else return static_cast<i64>((slots += 2)[-1]);  // the value of a long is in the upper of its two slots
}

template <auto function> struct Adapter;
template <typename... T, i64 (*function)(T...)> struct Adapter<function> {
  static constexpr u32 parameter_count = sizeof...(T);
  static i64 of_slots(const Slot* end) {
    const Slot* slots = end - ((std::is_same_v<T, i64> ? 2 : 1) + ... + 0);
    std::tuple<T...> arguments{argument_of<T>(slots)...};  // an initializer in braces is evaluated from left to right
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

// For each intrinsic the number of its row, counted from 1; 0 for an intrinsic without a row.
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
