// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The symbol table: 64 shards, open addressing, each under its own lock.
#include "runtime/base/symbol.h"

#include <cstring>
#include <mutex>
#include <vector>

#include "runtime/base/arena.h"

namespace keyhole {

class SymbolTable {
 public:
  static const Symbol* lookup(std::string_view text, bool insert) {
    u32 hash = hash_of(text);
    Shard& shard = shards()[hash >> 26];
    std::lock_guard guard(shard.mutex);
    usize mask = shard.slots.size() - 1;
    usize index = hash & mask;
    while (shard.slots[index] != nullptr) {
      Symbol* symbol = shard.slots[index];
      if (symbol->hash_ == hash && symbol->text() == text) return symbol;
      index = (index + 1) & mask;
    }
    if (!insert) return nullptr;
    auto* symbol = static_cast<Symbol*>(shard.arena.allocate(sizeof(Symbol) + text.size() + 1));
    symbol->length_ = static_cast<u32>(text.size());
    symbol->hash_ = hash;
    memcpy(symbol->bytes_, text.data(), text.size());
    shard.slots[index] = symbol;
    if (++shard.count * 2 > shard.slots.size()) grow(shard);
    return symbol;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::vector<Symbol*> slots = std::vector<Symbol*>(128);
    usize count = 0;
    Arena arena;
  };

  static Shard* shards() {
    static Shard* instance = new Shard[64];  // outlives every static destructor
    return instance;
  }

  static u32 hash_of(std::string_view text) {
    u64 hash = 0x9E3779B97F4A7C15ull ^ text.size();
    const char* bytes = text.data();
    usize left = text.size();
    for (; left >= 8; bytes += 8, left -= 8) {
      u64 word;
      memcpy(&word, bytes, 8);
      hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
      hash ^= hash >> 32;
    }
    u64 tail = 0;
    if (left != 0) memcpy(&tail, bytes, left);   // an empty view may have no bytes to point to
    hash = (hash ^ tail) * 0xC4CEB9FE1A85EC53ull;
    return static_cast<u32>(hash ^ (hash >> 29) ^ (hash >> 32));
  }

  static void grow(Shard& shard) {
    std::vector<Symbol*> larger(shard.slots.size() * 2);
    usize mask = larger.size() - 1;
    for (Symbol* symbol : shard.slots) {
      if (symbol == nullptr) continue;
      usize index = symbol->hash_ & mask;
      while (larger[index] != nullptr) index = (index + 1) & mask;
      larger[index] = symbol;
    }
    shard.slots.swap(larger);
  }
};

const Symbol* Symbol::intern(std::string_view text) { return SymbolTable::lookup(text, true); }
const Symbol* Symbol::find(std::string_view text) { return SymbolTable::lookup(text, false); }

std::string Symbol::dotted() const {
  std::string result(text());
  for (char& c : result) if (c == '/') c = '.';
  return result;
}

namespace names {
#define SYMBOL(identifier, text) const Symbol* identifier;
#include "runtime/base/symbols.def"
#undef SYMBOL

void initialize() {
#define SYMBOL(identifier, text) identifier = Symbol::intern(text);
#include "runtime/base/symbols.def"
#undef SYMBOL
}
}  // namespace names

}  // namespace keyhole
