// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds methods with an entry of their own: rows of intrinsics.def by class, name and descriptor; getters by their
// code.
#include "vm/interpreter/intrinsics.h"

#include <algorithm>

#include "runtime/base/controlled/strands.h"
#include "runtime/base/flags.h"
#include "runtime/threads/races/races.h"
#include "vm/bytecodes.h"
#include "vm/interpreter/kernel_calls.h"
#include "vm/interpreter/points/schedule_points.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole::interpreter {
namespace {

struct Row {
  const char* class_name;
  const char* name;
  const char* descriptor;
  Intrinsic intrinsic;
};
constexpr Row rows[] = {
#define INTRINSIC(name, class_name, method, descriptor) {class_name, method, descriptor, Intrinsic::name},
#include "vm/interpreter/intrinsics.def"
#undef INTRINSIC
};
// The classes outside java.lang that have rows. Most methods are of other classes, and are not compared with the rows.
constexpr std::string_view other_classes[] = {"jdk/internal/misc/Unsafe",
                                              "jdk/internal/vm/Continuation",
                                              "java/util/Arrays",
                                              "jdk/internal/util/ArraysSupport",
                                              "sun/security/provider/SHA2",
                                              "sun/security/provider/SHA",
                                              "java/util/zip/CRC32C",
                                              "java/util/Base64$Encoder",
                                              "java/util/zip/CRC32",
                                              "java/util/Base64$Decoder",
                                              "java/util/zip/Adler32",
                                              "java/math/BigInteger",
                                              "sun/security/provider/MD5",
                                              "sun/security/provider/SHA5",
                                              "sun/security/provider/DigestBase",
                                              "com/sun/crypto/provider/AESCrypt",
                                              "com/sun/crypto/provider/CipherBlockChaining",
                                              "com/sun/crypto/provider/CounterMode",
                                              "com/sun/crypto/provider/GHASH"};
constexpr bool may_have_row(std::string_view class_name) {
  return class_name.starts_with("java/lang/") ||
         std::ranges::find(other_classes, class_name) != std::end(other_classes);
}
static_assert(std::ranges::all_of(rows, [](const Row& row) { return may_have_row(row.class_name); }));
constexpr Handler entries[] = {
    // One entry for each Intrinsic.
    nullptr,
#define INTRINSIC(name, class_name, method, descriptor) interp_intrinsic_##name,
#define INTRINSIC_TOO(name, class_name, method, descriptor)
#include "vm/interpreter/intrinsics.def"
#undef INTRINSIC
};

}  // namespace

// Returns true for methods of boot classes that are not synchronized and whose body the program has not replaced. In
// three modes of the VM the function returns false for all methods:
//
//   bytecodes are traced       a trace shows every instruction
//   the VM is controlled       another thread may run at each call of a native method
//   data races are detected    native methods tell the detector what they access
bool may_be_intrinsic(const Method* method) {
  return method->version == 0 && !flags::TraceBytecodes && !controlled::is_on() && !races::is_on() &&
         method->holder->loader == boot_loader() && !method->is_synchronized();
}

Intrinsic intrinsic_of(const Method* method) {
  if (!may_be_intrinsic(method)) return Intrinsic::none;
  std::string_view class_name = method->holder->name->text();
  if (!may_have_row(class_name)) return Intrinsic::none;
  for (const Row& row : rows) {
    if (method->name->text() == row.name && method->descriptor->text() == row.descriptor &&
        class_name == row.class_name) {
      return is_available(row.intrinsic) ? row.intrinsic : Intrinsic::none;
    }
  }
  return Intrinsic::none;
}

static bool is_spin_wait(const Method* method) {
  return method->holder->is_boot && method->name->text() == "onSpinWait" &&
         method->holder->name->text() == "java/lang/Thread";
}

Handler intrinsic_entry_of(const Method* method) {
  if (controlled::is_on()) return is_spin_wait(method) ? interp_controlled_spin_wait : nullptr;
  return entries[static_cast<usize>(intrinsic_of(method))];
}

void use_getter_entry(Method* method, Operation resolved) {
  if (flags::TraceBytecodes || controlled::is_on() || races::is_on() || method->is_static() ||
      method->is_synchronized() || method->argument_slots != 1 || method->code_length != 5)
    return;
  const MethodCode* body = method->body.load(std::memory_order_relaxed);
  if (body->instruction_count != 3 || operand_a(load_instruction(body->instructions())) != 0) return;
  Operation returning = operation_of(load_instruction(body->instructions() + 2));
  Handler entry = nullptr;
  switch (resolved) {
    case Operation::load_getfield_byte:
      if (returning == Operation::return_boolean) entry = interp_entry_getter_boolean;
      break;
    case Operation::load_getfield_int:
      if (returning == Operation::return_value) entry = interp_entry_getter_int;
      break;
    case Operation::load_getfield_long:
      if (returning == Operation::return_wide) entry = interp_entry_getter_long;
      break;
    case Operation::load_getfield_reference:
      if (returning == Operation::return_value) entry = interp_entry_getter_reference;
      break;
    default: break;
  }
  if (entry != nullptr) method->entry.store(as_method_entry(entry), std::memory_order_release);
}

}  // namespace keyhole::interpreter
