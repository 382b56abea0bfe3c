// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The symbol table: 64 shards, open addressing with linear probing, each under its own lock.
//
// Symbols that are created to live for ever are packed in the shard's arena. Held symbols come from malloc, even if
// they are made to live for ever later.
#include "runtime/base/symbol.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "runtime/base/arena.h"
#include "runtime/base/mutex.h"

namespace keyhole {

class SymbolTable {
 public:
  enum class Want : u8 { Present, Held, ForEver };

  // Finds the symbol, or makes it. Null only for Want::Present. Adds a hold, unless the symbol lives for ever.
  static const Symbol* look_up(std::string_view text, Want want) {
    u32 hash = hash_of(text);
    Shard& shard = shard_of(hash);
    MutexLock guard(shard.mutex);
    usize mask = shard.slots.size() - 1;
    usize index = hash & mask;
    for (; Symbol* symbol = shard.slots[index]; index = (index + 1) & mask) {
      if (symbol->hash_ != hash || symbol->text() != text) continue;
      if (want == Want::ForEver) keep_for_ever(shard, symbol);
      else symbol->hold();
      return symbol;
    }
    if (want == Want::Present) return nullptr;
    Symbol* symbol = make(shard, text, hash, want);
    shard.slots[index] = symbol;
    if (++shard.count * 2 > shard.slots.size()) grow(shard);
    return symbol;
  }

  // Drops the caller's hold, which seemed to be the only one.
  static void drop_last(const Symbol* symbol) {
    Shard& shard = shard_of(symbol->hash_);
    Symbol* dead;
    {
      MutexLock guard(shard.mutex);
      // Another thread may have looked up the symbol since, and may even have made it live for ever (S1).
      u32 holds = symbol->holds_.load(std::memory_order_relaxed);
      do {
        if (holds == Symbol::for_ever) return;
      } while (!symbol->holds_.compare_exchange_weak(holds, holds - 1, std::memory_order_acq_rel));
      if (holds != 1) return;
      dead = remove(shard, symbol);
    }
    release(dead);
  }

  static SymbolFigures figures() {
    SymbolFigures figures{};
    for (usize i = 0; i < shard_count; ++i) {
      Shard& shard = shards()[i];
      MutexLock guard(shard.mutex);
      figures.all += shard.count;
      figures.held += shard.held;
      figures.held_bytes += shard.held_bytes;
      figures.all_bytes += shard.held_bytes + shard.for_ever_bytes;
    }
    return figures;
  }

 private:
  static constexpr usize shard_count = 64;

  struct Shard {
    Mutex mutex{LockRank::symbols};
    std::vector<Symbol*> slots GUARDED_BY(mutex) = std::vector<Symbol*>(128);
    usize count GUARDED_BY(mutex) = 0;
    usize held GUARDED_BY(mutex) = 0, held_bytes GUARDED_BY(mutex) = 0, for_ever_bytes GUARDED_BY(mutex) = 0;
    Arena arena GUARDED_BY(mutex);
  };

  static Shard* shards() {
    static Shard* instance = new Shard[shard_count];  // outlives every static destructor
    return instance;
  }
  static Shard& shard_of(u32 hash) { return shards()[hash >> 26]; }

  static usize bytes_of(const Symbol* symbol) { return sizeof(Symbol) + symbol->length_ + 1; }

  static Symbol* make(Shard& shard, std::string_view text, u32 hash, Want want) REQUIRES(shard.mutex) {
    usize bytes = sizeof(Symbol) + text.size() + 1;
    bool held = want == Want::Held;
    auto* symbol = static_cast<Symbol*>(held ? malloc(bytes) : shard.arena.allocate(bytes));
    KEYHOLE_CHECK(symbol != nullptr, "no memory for a symbol of {} bytes", bytes);
    symbol->length_ = static_cast<u32>(text.size());
    symbol->hash_ = hash;
    symbol->holds_.store(held ? 1 : Symbol::for_ever, std::memory_order_relaxed);
    if (!text.empty()) memcpy(symbol->bytes_, text.data(), text.size());
    symbol->bytes_[text.size()] = 0;
    if (held) ++shard.held, shard.held_bytes += bytes;
    else shard.for_ever_bytes += bytes;
    return symbol;
  }

  static void keep_for_ever(Shard& shard, Symbol* symbol) REQUIRES(shard.mutex) {
    // Most look-ups find a symbol that lives for ever already. That never changes, so they need no locked exchange.
    if (symbol->holds_.load(std::memory_order_relaxed) == Symbol::for_ever) return;
    if (symbol->holds_.exchange(Symbol::for_ever, std::memory_order_relaxed) == Symbol::for_ever) return;
    --shard.held;
    shard.held_bytes -= bytes_of(symbol);
    shard.for_ever_bytes += bytes_of(symbol);
  }

  // Removes the symbol from the shard. Later symbols in the same run of full slots move up if they would no longer be
  // found.
  static Symbol* remove(Shard& shard, const Symbol* symbol) REQUIRES(shard.mutex) {
    usize mask = shard.slots.size() - 1;
    usize hole = symbol->hash_ & mask;
    while (shard.slots[hole] != symbol) hole = (hole + 1) & mask;
    Symbol* removed = shard.slots[hole];
    for (usize index = (hole + 1) & mask; Symbol* other = shard.slots[index]; index = (index + 1) & mask) {
      // Skip the symbol unless the hole lies between its home slot and its place.
      if (((index - other->hash_) & mask) < ((index - hole) & mask)) continue;
      shard.slots[hole] = other;
      hole = index;
    }
    shard.slots[hole] = nullptr;
    --shard.count;
    --shard.held;
    shard.held_bytes -= bytes_of(removed);
    return removed;
  }

  static void release(Symbol* symbol) {
#if KEYHOLE_DEBUG
    memset(static_cast<void*>(symbol), 0xDB, bytes_of(symbol));  // Symbol::freed_length
    constexpr usize latest = 4096;                               // kept, as malloc would overwrite the pattern at once
    static Mutex mutex{LockRank::dead_symbols};
    static auto* dead = new std::deque<Symbol*>;  // outlives every static destructor
    MutexLock guard(mutex);
    dead->push_back(symbol);
    if (dead->size() <= latest) return;
    symbol = dead->front();
    dead->pop_front();
#endif
    free(symbol);
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
    if (left != 0) memcpy(&tail, bytes, left);  // an empty view may have no bytes to point to
    hash = (hash ^ tail) * 0xC4CEB9FE1A85EC53ull;
    return static_cast<u32>(hash ^ (hash >> 29) ^ (hash >> 32));
  }

  static void grow(Shard& shard) REQUIRES(shard.mutex) {
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

const Symbol* Symbol::intern(std::string_view text) { return SymbolTable::look_up(text, SymbolTable::Want::ForEver); }

SymbolHandle Symbol::find(std::string_view text) {
  SymbolHandle found;
  found.symbol_ = SymbolTable::look_up(text, SymbolTable::Want::Present);
  return found;
}

SymbolHandle::SymbolHandle(std::string_view text) : symbol_(SymbolTable::look_up(text, SymbolTable::Want::Held)) {}

void Symbol::hold() const {
  u32 holds = holds_.load(std::memory_order_relaxed);
  do {
    if (holds == for_ever) return;
    KEYHOLE_ASSERT(holds != 0 && length_ != freed_length, "a symbol is held that nobody held");
  } while (!holds_.compare_exchange_weak(holds, holds + 1, std::memory_order_relaxed));
}

void Symbol::drop() const {
  u32 holds = holds_.load(std::memory_order_relaxed);
  do {
    if (holds == for_ever) return;
    KEYHOLE_ASSERT(holds != 0 && length_ != freed_length, "a symbol is dropped that nobody held");
    if (holds == 1) return SymbolTable::drop_last(this);
    // Release: the holder's reads of the symbol come before its end (drop_last acquires).
  } while (!holds_.compare_exchange_weak(holds, holds - 1, std::memory_order_release, std::memory_order_relaxed));
}

SymbolFigures symbol_figures() { return SymbolTable::figures(); }

std::string Symbol::dotted() const {
  std::string result = string();
  for (char& c : result)
    if (c == '/') c = '.';
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
