// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols: interned names and descriptors in modified UTF-8 (JVMS 4.4.7). Two symbols are equal when their addresses
// are.
//
//   Symbol::intern(text)   lives for ever: names that the VM itself uses, and those in the class files of loaders that
//                          never die
//   SymbolHandle(text)     lives as long as it is held:
//                            names that C++ code got from Java, or made       SymbolHandle, on the stack or in a table
//                            names in class files of units that can die       ConstantPool, a hold for each entry read
//
//   holds  0 --first hold--> n <--hold, drop--> n --last drop--> 0: out of the table, freed
//                            n --intern--> for ever
//
// S1: holds grow from 0 to 1, and go from 1 to 0, under the lock of the symbol's shard only; a symbol with none is in
//     no shard. So a look-up either finds a symbol before its last hold is dropped, and keeps it, or makes a new one.
// S2: a `const Symbol*` is valid while its holder lives: a SymbolHandle, or a class (its unit holds all names of its
//     constant pools, its arrays and its loader's packages). vm/link/loading/class_unloading.h U6 lists the holders of
//     classes. Nothing else keeps a symbol, because dropping needs no safepoint.
// S3: a table that may outlive the class from which it got a name holds that name by a SymbolHandle.
//
// A Symbol is immutable, and below 2^47. Debug builds fill freed ones with a pattern that text() checks, and do not
// reuse the latest of them. Names that the VM itself uses are rows of runtime/base/symbols.def:
// `names::java_lang_Object`.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/types.h"

namespace keyhole {

class SymbolHandle;

class Symbol {
 public:
  // The symbol of the text, which is never freed.
  static const Symbol* intern(std::string_view text);
  // The symbol of the text; null when there is none, so that no live class or member has that name.
  static SymbolHandle find(std::string_view text);

  std::string_view text() const {
    KEYHOLE_ASSERT(length_ != freed_length, "a symbol is used that nobody held");
    return {bytes_, length_};
  }
  std::string string() const { return std::string(text()); }
  // The text with '.' for '/': the name of a class as Java code sees it.
  std::string dotted() const;
  u32 length() const { return length_; }
  u32 hash() const { return hash_; }
  char operator[](u32 index) const { return text().data()[index]; }
  bool starts_with(std::string_view prefix) const { return text().starts_with(prefix); }
  bool lives_for_ever() const { return holds_.load(std::memory_order_relaxed) == for_ever; }

  // hold() adds a hold; the caller, or the holder from which it read the symbol, has one already. drop() drops the
  // caller's hold.
  void hold() const;
  void drop() const;

 private:
  friend class SymbolTable;
  static constexpr u32 for_ever = ~u32{0};
  static constexpr u32 freed_length = 0xDBDBDBDB;
  u32 length_;
  u32 hash_;
  mutable std::atomic<u32> holds_;
  char bytes_[];
};

// A handle that holds a symbol; null after it was moved from.
class SymbolHandle {
 public:
  SymbolHandle() = default;
  explicit SymbolHandle(std::string_view text);
  // Adds a hold to a symbol that is held already.
  explicit SymbolHandle(const Symbol* symbol) : symbol_(symbol) {
    if (symbol_ != nullptr) symbol_->hold();
  }
  SymbolHandle(const SymbolHandle& other) : SymbolHandle(other.symbol_) {}
  SymbolHandle(SymbolHandle&& other) noexcept : symbol_(std::exchange(other.symbol_, nullptr)) {}
  SymbolHandle& operator=(SymbolHandle other) noexcept {
    std::swap(symbol_, other.symbol_);
    return *this;
  }
  ~SymbolHandle() {
    if (symbol_ != nullptr) symbol_->drop();
  }

  // The compiler warns where the pointer would outlive the handle.
  operator const Symbol*() const [[clang::lifetimebound]] { return symbol_; }
  const Symbol* operator->() const { return symbol_; }
  const Symbol& operator*() const [[clang::lifetimebound]] { return *symbol_; }
  // Gives the hold to the caller.
  [[nodiscard]] const Symbol* release() { return std::exchange(symbol_, nullptr); }

 private:
  friend class Symbol;
  const Symbol* symbol_ = nullptr;
};

// Figures of the table's contents; bytes are those of the symbols themselves.
struct SymbolFigures {
  usize all, all_bytes;
  usize held, held_bytes;  // figures of symbols that do not live for ever
};
SymbolFigures symbol_figures();

namespace names {
#define SYMBOL(identifier, text) extern const Symbol* identifier;
#include "runtime/base/symbols.def"
#undef SYMBOL
// Runs once, before any other use of the names.
void initialize();
}  // namespace names

}  // namespace keyhole
