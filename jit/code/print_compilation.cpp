// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The lines of -XX:+PrintCompilation.
#include "jit/code/print_compilation.h"

#include <chrono>
#include <cstdio>

#include "runtime/base/print.h"
#include "vm/link/instance_klass.h"

namespace keyhole {

static std::chrono::steady_clock::time_point start_of_vm;

void start_compilation_clock() { start_of_vm = std::chrono::steady_clock::now(); }

std::string dotted(const Symbol* name) {
  std::string text(name->text());
  for (char& letter : text) if (letter == '/') letter = '.';
  return text;
}

void print_compilation(const CompiledCode& code, char kind, std::string_view what_happened) {
  const Method* method = code.method;
  auto since_start = std::chrono::steady_clock::now() - start_of_vm;
  auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
  print_text("{:7} {:4} {}{}{}   {:4}   {:>4}::{} ({} bytes){}\n", elapsed, code.number, kind,
             method->is_synchronized() ? 's' : ' ', method->handler_count != 0 ? '!' : ' ', code.level,
             dotted(method->holder->name), method->name->text(), method->code_length, what_happened);
  fflush(stdout);
}

}  // namespace keyhole
