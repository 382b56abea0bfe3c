// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of the VM's own functions, for reports. They are read from the symbol table of the executable's file. The table
// of the dynamic linker has hardly any of them, so that libraries which a program loads are not bound to functions of
// the VM.
//
// All functions here may be called in a signal handler.
#pragma once

#include <elf.h>

#include "runtime/base/types.h"

namespace keyhole {

class ExecutableSymbols {
 public:
  ExecutableSymbols();
  ~ExecutableSymbols();
  ExecutableSymbols(const ExecutableSymbols&) = delete;
  ExecutableSymbols& operator=(const ExecutableSymbols&) = delete;

  // The name of the function that an address lies in; null if none is known.
  const char* name_at(uptr address, usize& offset) const;
  // Writes a line for each frame in the form of backtrace_symbols_fd, which writes the lines of frames in other files.
  void write_frames(void* const* frames, int count, int file) const;

 private:
  const char* file_ = nullptr;  // mapped
  usize file_bytes_ = 0;
  const Elf64_Sym* symbols_ = nullptr;
  usize symbol_count_ = 0;
  const char* names_ = nullptr;
  usize names_bytes_ = 0;
};

}  // namespace keyhole
