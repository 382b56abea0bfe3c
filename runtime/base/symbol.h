// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols: interned names and descriptors in modified UTF-8 (JVMS 4.4.7). Two symbols are equal when their addresses are.
//
// Interning takes a sharded lock; a Symbol is immutable, lives for ever and lies below 4 TiB.
// Names that the VM itself uses are rows of runtime/base/symbols.def: `names::java_lang_Object`.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

class Symbol {
 public:
  static const Symbol* intern(std::string_view text);
  // Null when no such symbol was ever interned: then nothing can have that name.
  static const Symbol* find(std::string_view text);

  std::string_view text() const { return {bytes_, length_}; }
  std::string string() const { return std::string(text()); }
  // '/' replaced by '.': the form that Java code sees in class names.
  std::string dotted() const;
  u32 length() const { return length_; }
  u32 hash() const { return hash_; }
  char operator[](u32 index) const { return bytes_[index]; }
  bool starts_with(std::string_view prefix) const { return text().starts_with(prefix); }

 private:
  friend class SymbolTable;
  u32 length_;
  u32 hash_;
  char bytes_[];
};

namespace names {
#define SYMBOL(identifier, text) extern const Symbol* identifier;
#include "runtime/base/symbols.def"
#undef SYMBOL
// Must run once before any other use of the names.
void initialize();
}  // namespace names

}  // namespace keyhole
