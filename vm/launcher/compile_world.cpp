// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and links all classes of java.base by the boot loader, in the order of the JDK's image. No program has run, so
// nearly all references in their methods are unresolved. The speed is measured in the thread's processor time, so that
// other programs do not matter.
#include "vm/launcher/compile_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "runtime/base/print.h"
#include "vm/bytecodes.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/jimage.h"
#include "vm/interpreter/compiler.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {
namespace {

std::vector<std::string> classes_of_java_base() {
  std::vector<std::string> names;
  JImage image;
  if (!image.open(java_home() + "/lib/modules").empty()) return names;
  image.for_each([&](std::string_view module, const std::string& name, std::span<const u8>) {
    constexpr std::string_view extension = ".class";
    if (module != "java.base" || !name.ends_with(extension) || name.ends_with("-info.class")) return;
    names.push_back(name.substr(0, name.size() - extension.size()));
  });
  return names;
}

bool has_subroutines(const Method* method) {
  for (u32 bci = 0; bci < method->code_length; bci += bytecode::length_at(method->code, bci, method->code_length)) {
    if (method->code[bci] == JSR || method->code[bci] == JSR_W) return true;
  }
  return false;
}

struct Tally {
  u32 classes = 0, methods = 0, failures = 0;
  u64 bytecode_bytes = 0, code_bytes = 0;
  u64 nanoseconds = 0;
};

u64 processor_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}

void compile_class(JavaThread* thread, InstanceKlass* klass, Tally& tally) MAY_SAFEPOINT {
  ++tally.classes;
  for (u32 i = 0; i < klass->method_count; ++i) {
    Method* method = klass->methods[i];
    if (method->code == nullptr || has_subroutines(method)) continue;
    u64 start = processor_nanoseconds();
    bool compiled =
        interpreter::compiler()->compile(thread, method, false) == interpreter::Compiler::Outcome::Installed;
    tally.nanoseconds += processor_nanoseconds() - start;
    if (!compiled) {
      ++tally.failures;
      print_text("not compiled: {}\n", method->external_name());
      continue;
    }
    ++tally.methods;
    tally.bytecode_bytes += method->code_length;
    tally.code_bytes +=
        method->body.load(std::memory_order_acquire)->compiled.load(std::memory_order_acquire)->code_bytes;
  }
}

}  // namespace

int compile_the_world(JavaThread* thread) {
  if (interpreter::compiler() == nullptr) {
    print_text("CompileTheWorld needs a compiler: not with -Xint\n");
    return 1;
  }
  Tally tally;
  for (const std::string& name : classes_of_java_base()) {
    Klass* klass = resolve_class(thread, Symbol::intern(name), boot_loader());
    if (klass == nullptr || !link_class(thread, klass->as_instance())) {
      // Ignores the exception: a nested class may not fit the overlay's replacement of its outer class.
      take_exception(thread);
      print_text("not linked: {}\n", name);
      continue;
    }
    compile_class(thread, klass->as_instance(), tally);
  }
  f64 seconds = static_cast<f64>(tally.nanoseconds) * 1e-9;
  print_text("{} classes, {} methods, {} failures\n", tally.classes, tally.methods, tally.failures);
  print_text("{} bytes of bytecode in {:.0f} ms: {:.1f} MB/s\n", tally.bytecode_bytes, seconds * 1e3,
             static_cast<f64>(tally.bytecode_bytes) * 1e-6 / std::max(seconds, 1e-9));
  print_text("{} bytes of code: {:.1f} per byte of bytecode\n", tally.code_bytes,
             static_cast<f64>(tally.code_bytes) / static_cast<f64>(std::max<u64>(tally.bytecode_bytes, 1)));
  return tally.failures == 0 && tally.methods != 0 ? 0 : 1;
}

}  // namespace keyhole
