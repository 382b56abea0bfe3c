// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps the executable's file and searches its symbol table from end to end: it takes some milliseconds per report.
#include "runtime/base/process/executable_symbols.h"

#include <execinfo.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace keyhole {
namespace {

int open_executable() {
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file >= 0) return file;
  const char* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return executed == nullptr ? -1 : open(executed, O_RDONLY | O_CLOEXEC);
}

bool lies_inside(u64 offset, u64 bytes, usize file_bytes) {
  return offset <= file_bytes && bytes <= file_bytes - offset;
}

}  // namespace

ExecutableSymbols::ExecutableSymbols() {
  const int file = open_executable();
  struct stat about;
  if (file < 0) return;
  if (fstat(file, &about) == 0 && static_cast<usize>(about.st_size) >= sizeof(Elf64_Ehdr)) {
    void* mapped = mmap(nullptr, static_cast<usize>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) {
      file_ = static_cast<const char*>(mapped);
      file_bytes_ = static_cast<usize>(about.st_size);
    }
  }
  close(file);
  if (file_ == nullptr) return;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file_);
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(Elf64_Shdr) ||
      !lies_inside(header->e_shoff, u64{header->e_shnum} * sizeof(Elf64_Shdr), file_bytes_)) {
    return;
  }
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file_ + header->e_shoff);
  for (usize i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
    const Elf64_Shdr& names = sections[table.sh_link];
    if (!lies_inside(table.sh_offset, table.sh_size, file_bytes_) ||
        !lies_inside(names.sh_offset, names.sh_size, file_bytes_) || names.sh_size == 0 ||
        file_[names.sh_offset + names.sh_size - 1] != '\0') {
      return;
    }
    symbols_ = reinterpret_cast<const Elf64_Sym*>(file_ + table.sh_offset);
    symbol_count_ = table.sh_size / sizeof(Elf64_Sym);
    names_ = file_ + names.sh_offset;
    names_bytes_ = names.sh_size;
    return;
  }
}

ExecutableSymbols::~ExecutableSymbols() {
  if (file_ != nullptr) munmap(const_cast<char*>(file_), file_bytes_);
}

const char* ExecutableSymbols::name_at(uptr address, usize& offset) const {
  for (usize i = 0; i < symbol_count_; ++i) {
    const Elf64_Sym& symbol = symbols_[i];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    if (symbol.st_name >= names_bytes_) continue;
    if (address - symbol.st_value >= std::max<u64>(symbol.st_size, 1)) continue;
    offset = address - symbol.st_value;
    return names_ + symbol.st_name;
  }
  return nullptr;
}

void ExecutableSymbols::write_frames(void* const* frames, int count, int file) const {
  for (int i = 0; i < count; ++i) {
    usize offset = 0;
    const char* name = name_at(reinterpret_cast<uptr>(frames[i]), offset);
    if (name == nullptr) {
      backtrace_symbols_fd(frames + i, 1, file);
      continue;
    }
    char end[64];
    snprintf(end, sizeof end, "+0x%lx) [%p]\n", static_cast<unsigned long>(offset), frames[i]);
    for (const char* part : {"keyhole(", name, static_cast<const char*>(end)}) {
      if (write(file, part, strlen(part)) < 0) return;
    }
  }
}

}  // namespace keyhole
