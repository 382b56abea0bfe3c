// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls: library kernels (library_kernels.h) as replacements of the methods in library_kernels.def.
//
//   interpreter, baseline code ──> the method's entry (handlers_library.cpp) ──┐
//                                                                              ├──> kernel_calls::NAME ──> kernel
//   optimised code: Op::library_query, Op::library_call ──> a call of C ───────┘
//
// K1: a function has the parameters of its method in the method's order, as Object*, i32 or i64. It may omit the
//     method's first parameters.
// K2: a function checks everything that its kernel relies on, even if the library has already checked it. If a check
//     fails, or if the work would delay a safepoint too long, the function changes nothing and returns `declined`. Then
//     the method's body runs.
// K3: otherwise a function returns the method's result, sign-extended, or 0 if the method returns nothing. If the
//     result is an array, it is one of the arguments.
// K4: a function reaches no safepoint and throws nothing.
#pragma once

#include <span>
#include <string_view>

#include "runtime/object/object.h"
#include "vm/interpreter/intrinsics.h"

namespace keyhole::interpreter {

namespace kernel_calls {

constexpr i64 declined = INT64_MIN;

i64 latin1_index_of_char(Object* bytes, i32 wanted, i32 from, i32 end) TOUCHES_OBJECTS;
i64 latin1_index_of(Object* bytes, i32 count, Object* wanted, i32 wanted_count, i32 from) TOUCHES_OBJECTS;
i64 has_negatives(Object* bytes, i32 from, i32 length) TOUCHES_OBJECTS;
i64 count_positives(Object* bytes, i32 from, i32 length) TOUCHES_OBJECTS;
i64 hash_of_bytes(Object* array) TOUCHES_OBJECTS;
i64 hash_of_shorts(Object* array) TOUCHES_OBJECTS;
i64 hash_of_chars(Object* array) TOUCHES_OBJECTS;
i64 hash_of_ints(Object* array) TOUCHES_OBJECTS;
i64 vectorized_hash(Object* array, i32 from, i32 length, i32 initial, i32 element_type) TOUCHES_OBJECTS;
// Returns the index of the first element that differs, or ~0 if all elements are equal. (The Java method may also
// return ~n, which leaves n elements for its caller to compare.)
i64 mismatch(Object* left, i64 left_offset, Object* right, i64 right_offset, i32 count, i32 shift);
// Returns the offset in `bytes` after the last block that was added to the digest.
i64 digest_blocks(Object* digest, Object* bytes, i32 offset, i32 limit) TOUCHES_OBJECTS;
i64 md5_block(Object* digest, Object* bytes, i32 offset) TOUCHES_OBJECTS;
i64 sha512_block(Object* digest, Object* bytes, i32 offset) TOUCHES_OBJECTS;
i64 sha256_block(Object* digest, Object* bytes, i32 offset) TOUCHES_OBJECTS;
i64 sha1_block(Object* digest, Object* bytes, i32 offset) TOUCHES_OBJECTS;
i64 crc32c(i32 crc, Object* bytes, i32 from, i32 end) TOUCHES_OBJECTS;
i64 crc32c_of_memory(i32 crc, i64 address, i32 from, i32 end);
i64 crc32(i32 crc, Object* bytes, i32 from, i32 length) TOUCHES_OBJECTS;
i64 crc32_of_memory(i32 crc, i64 address, i32 from, i32 length);
i64 adler32(i32 adler, Object* bytes, i32 from, i32 length) TOUCHES_OBJECTS;
i64 adler32_of_memory(i32 adler, i64 address, i32 from, i32 length);
i64 aes_encrypt(Object* cipher, Object* from, i32 at, Object* to, i32 to_at) TOUCHES_OBJECTS;
i64 aes_decrypt(Object* cipher, Object* from, i32 at, Object* to, i32 to_at) TOUCHES_OBJECTS;
i64 cbc_encrypt(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) TOUCHES_OBJECTS;
i64 cbc_decrypt(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) TOUCHES_OBJECTS;
i64 ctr_crypt(Object* mode, Object* from, i32 at, i32 length, Object* to, i32 to_at) TOUCHES_OBJECTS;
i64 ghash(Object* bytes, i32 at, i32 blocks, Object* state, Object* subkey) TOUCHES_OBJECTS;
// Kernels of BigInteger. Each kernel returns `product`, which must not be null.
i64 multiply_to_len(Object* x, i32 x_count, Object* y, i32 y_count, Object* product) TOUCHES_OBJECTS;
i64 square_to_len(Object* x, i32 count, Object* product, i32 product_count) TOUCHES_OBJECTS;
i64 montgomery_multiply(Object* a, Object* b, Object* modulus, i32 count, i64 inverse, Object* product) TOUCHES_OBJECTS;
i64 montgomery_square(Object* a, Object* modulus, i32 count, i64 inverse, Object* product) TOUCHES_OBJECTS;
// Returns the number of decoded bytes.
i64 base64_decode(Object* characters, i32 from, i32 end, Object* bytes, i32 at, i32 is_url, i32 is_mime)
    TOUCHES_OBJECTS;
i64 base64_encode(Object* bytes, i32 from, i32 end, Object* characters, i32 at, i32 is_url) TOUCHES_OBJECTS;

}  // namespace kernel_calls

struct KernelCall {
  std::string_view name;
  const void* function;          // of namespace kernel_calls
  u32 parameter_count;           // the number of parameters of `function`, which may omit the method's first parameters
  i64 (*of_slots)(const Slot*);  // calls `function` with the arguments in the stack slots before `end`
  bool writes;                   // to elements of arrays
};
// Returns the row of an intrinsic that has a kernel; null for other intrinsics.
const KernelCall* kernel_call_of(Intrinsic intrinsic);
// If the intrinsic has a kernel, returns whether the VM may use the kernel: its flag is set, and the processor has the
// instructions that the kernel uses. An intrinsic without a kernel has no such conditions, so the result is true.
bool is_available(Intrinsic intrinsic);

}  // namespace keyhole::interpreter
