// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the file of listings. Each record is flushed as a whole, so the file ends with a complete record even if the
// VM crashes.
#include "jit/code/listings.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "jit/code/policy.h"
#include "runtime/base/print.h"
#include "vm/bytecode_disassembler.h"
#include "vm/interpreter/method_data.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::listings {

bool is_on = false;  // set before the tiers start, and constant from then on

namespace {

std::string wanted;
FILE* file GUARDED_BY(compiler_lock) = nullptr;
usize written GUARDED_BY(compiler_lock) = 0;

std::string bytecode_of(const Method* method) {
  const MethodData* data = method->data.load(std::memory_order_acquire);
  return data != nullptr ? interpreter::describe(*data) : disassemble(method);
}

}  // namespace

std::string start(const std::string& path, std::string pattern) {
  MutexLock guard(compiler_lock);
  file = fopen(path.c_str(), "we");
  if (file == nullptr) return fmt::format("cannot write {}: {}", path, strerror(errno));
  wanted = std::move(pattern);
  is_on = true;
  return {};
}

bool matches(const Method* method) { return method->external_name().find(wanted) != std::string::npos; }

void add(const CompiledCode& code, std::string_view assembly, std::string_view graph) {
  if (file == nullptr || !wants(code.method)) return;
  const Symbol* source = code.method->holder->source_file;
  const std::string parts[] = {code.method->external_name(), source == nullptr ? "" : std::string(source->text()),
                               bytecode_of(code.method), std::string(assembly), std::string(graph)};
  std::string record = fmt::format("code {} {}", code.level, code.code_bytes);
  for (const std::string& part : parts) record += fmt::format(" {}", part.size());
  record += '\n';
  for (const std::string& part : parts) record += part;
  bool is_full = written + record.size() > most_bytes;
  if (is_full) record = "full\n";
  fwrite(record.data(), 1, record.size(), file);
  fflush(file);
  written += record.size();
  if (!is_full) return;
  fclose(file);
  file = nullptr;
}

}  // namespace keyhole::listings
