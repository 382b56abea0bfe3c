// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the lines of -XX:+PrintCompilation.
#include "jit/code/print_compilation.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>

#include "runtime/base/print.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

static std::chrono::steady_clock::time_point start_of_vm;

void start_compilation_clock() { start_of_vm = std::chrono::steady_clock::now(); }

std::string dotted(const Symbol* name) {
  std::string text(name->text());
  for (char& letter : text)
    if (letter == '/') letter = '.';
  return text;
}

u32 next_compilation_number() {
  static std::atomic<u32> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::string describe_compilation(u32 number, const Method* method, char kind, u32 level) {
  return fmt::format("{:4} {}{}{}   {:4}   {:>4}::{} ({} bytes)", number, kind, method->is_synchronized() ? 's' : ' ',
                     method->handler_count != 0 ? '!' : ' ', level, dotted(method->holder->name), method->name->text(),
                     method->code_length);
}

void print_compilation(u32 number, const Method* method, char kind, u32 level, std::string_view what_happened) {
  auto since_start = std::chrono::steady_clock::now() - start_of_vm;
  auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
  print_text("{:7} {}{}\n", elapsed, describe_compilation(number, method, kind, level), what_happened);
  fflush(stdout);
}

void print_compilation(const CompiledCode& code, char kind, std::string_view what_happened) {
  print_compilation(code.number, code.method, kind, code.level, what_happened);
}

}  // namespace keyhole
