// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.String from C++: making them, reading them, interning them.
//
//   value   byte[]: one byte per character (coder 0, Latin-1) when all characters are below 256,
//           else two, little-endian (coder 1, UTF-16)
//   three encodings meet here: UTF-16 in the heap; modified UTF-8 in class files and symbols (U+0000 is C0 80, a
//   supplementary character is two three-byte surrogates); UTF-8 outside
//
// The intern table holds its strings weakly. 16 shards by the top bits of String.hashCode; in a shard open addressing:
//
//   state      string     meaning                          becomes
//   empty      null       ends a probe                     in use
//   in use     s          interned                         in use, null (the collector, when s died)
//   in use     null       a tombstone: probes continue     in use with another string of any hash; swept when the shard
//                                                          grows
//
// A shard's mutex is never held across a safepoint, so a managed thread may wait for it.
#include <vector>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "gc/roots.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/exceptions.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"

namespace keyhole {

namespace {

constexpr i8 latin1 = 0, utf16 = 1;

// --- decoding --------------------------------------------------------------------------------------------------------

bool all_ascii(std::string_view text) {
  const char* next = text.data();
  usize left = text.size();
  for (; left >= 8; next += 8, left -= 8) {
    u64 word;
    memcpy(&word, next, 8);
    if ((word & 0x8080808080808080ull) != 0) return false;
  }
  for (; left > 0; ++next, --left)
    if ((*next & 0x80) != 0) return false;
  return true;
}

// Calls unit(u16) for each UTF-16 code unit. The text was checked when its class was parsed.
template <typename Unit> void decode_modified_utf8(std::string_view text, Unit&& unit) CALLS_VISITOR {
  auto* bytes = reinterpret_cast<const u8*>(text.data());
  for (usize i = 0; i < text.size();) {
    u32 c = bytes[i];
    if (c < 0x80) {
      unit(static_cast<u16>(c));
      i += 1;
    } else if (c < 0xE0 && i + 1 < text.size()) {
      unit(static_cast<u16>((c & 0x1F) << 6 | (bytes[i + 1] & 0x3F)));
      i += 2;
    } else if (i + 2 < text.size()) {
      unit(static_cast<u16>((c & 0x0F) << 12 | (bytes[i + 1] & 0x3F) << 6 | (bytes[i + 2] & 0x3F)));
      i += 3;
    } else {
      unit(0xFFFD);
      i += 1;
    }
  }
}

// Invalid UTF-8 becomes U+FFFD, one per bad byte.
template <typename Unit> void decode_utf8(std::string_view text, Unit&& unit) {
  auto* bytes = reinterpret_cast<const u8*>(text.data());
  usize size = text.size();
  auto continues = [&](usize at) { return at < size && (bytes[at] & 0xC0) == 0x80; };
  for (usize i = 0; i < size;) {
    u32 c = bytes[i];
    if (c < 0x80) {
      unit(static_cast<u16>(c));
      i += 1;
      continue;
    }
    usize length = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    bool whole = length != 0;
    for (usize k = 1; k < length; ++k) whole = whole && continues(i + k);
    u32 code = length == 2 ? c & 0x1F : length == 3 ? c & 0x0F : c & 0x07;
    if (whole)
      for (usize k = 1; k < length; ++k) code = code << 6 | (bytes[i + k] & 0x3F);
    bool surrogate = code >= 0xD800 && code < 0xE000;
    if (!whole || surrogate || (length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF))) {
      unit(0xFFFD);
      i += 1;
      continue;
    }
    if (code >= 0x10000) {
      unit(static_cast<u16>(0xD800 + ((code - 0x10000) >> 10)));
      unit(static_cast<u16>(0xDC00 + ((code - 0x10000) & 0x3FF)));
    } else {
      unit(static_cast<u16>(code));
    }
    i += length;
  }
}

// --- making ----------------------------------------------------------------------------------------------------------

Object* allocate_string(JavaThread* thread, i8 coder, i32 bytes) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* array = heap::allocate_array(thread, primitive_array_klass(BasicType::Byte), bytes);
  if (array == nullptr) return throw_out_of_memory(thread, "Java heap space");
  Handle value = scope.make(array);
  Object* string = heap::allocate_instance(thread, well_known::String_class);
  if (string == nullptr) return throw_out_of_memory(thread, "Java heap space");
  NoSafepoint no_safepoint;
  barrier::store(string, well_known::String_value, value.get());
  string->set<i8>(well_known::String_coder, coder);
  return string;
}

Object* value_of(const Object* string) TOUCHES_OBJECTS { return string->get_reference(well_known::String_value); }

// `decode(unit)` is called twice: to measure, then to fill.
template <typename Decode> Object* make_decoded(JavaThread* thread, Decode&& decode) MAY_SAFEPOINT {
  i64 units = 0;
  u32 seen = 0;
  decode([&](u16 unit) {
    ++units;
    seen |= unit;
  });
  i8 coder = seen < 256 ? latin1 : utf16;
  if (units << coder > INT32_MAX) return throw_out_of_memory(thread, "Requested array size exceeds VM limit");
  Object* string = allocate_string(thread, coder, static_cast<i32>(units << coder));
  if (string == nullptr) return nullptr;
  NoSafepoint no_safepoint;
  if (coder == latin1) {
    u8* next = value_of(string)->elements<u8>();
    decode([&](u16 unit) { *next++ = static_cast<u8>(unit); });
  } else {
    char* next = value_of(string)->elements<char>();
    decode([&](u16 unit) {
      memcpy(next, &unit, 2);
      next += 2;
    });
  }
  return string;
}

Object* make_ascii(JavaThread* thread, std::string_view text) MAY_SAFEPOINT {
  Object* string = allocate_string(thread, latin1, static_cast<i32>(text.size()));
  if (string != nullptr) memcpy(value_of(string)->elements<u8>(), text.data(), text.size());
  return string;
}

// --- hashing and comparing, as String.hashCode and equals ------------------------------------------------------------

u32 content_hash(const Object* string) TOUCHES_OBJECTS {
  u32 hash = 0;
  i32 length = string_length(string);
  for (i32 i = 0; i < length; ++i) hash = 31 * hash + string_char_at(string, i);
  return hash;
}

// Uses the hash that String.hashCode caches. A cached 0 for a string that is not empty is rare and costs a walk.
u32 hash_of(Object* string) TOUCHES_OBJECTS {
  u32 hash = string->get<u32>(well_known::String_hash);
  if (hash == 0) string->set<u32>(well_known::String_hash, hash = content_hash(string));
  return hash;
}

bool same_content(const Object* a, const Object* b) TOUCHES_OBJECTS {
  if (string_is_latin1(a) != string_is_latin1(b)) return false;  // the coder is canonical
  Object* x = value_of(a);
  Object* y = value_of(b);
  return x->length() == y->length() &&
         memcmp(x->elements<u8>(), y->elements<u8>(), static_cast<usize>(x->length())) == 0;
}

// --- the intern table ------------------------------------------------------------------------------------------------

class InternTable {
 public:
  // The interned string with this hash for which `equal` holds, or null.
  template <typename Equal> Object* find(u32 hash, Equal&& equal) TOUCHES_OBJECTS {
    Shard& shard = shard_of(hash);
    MutexLock guard(shard.mutex);
    return shard.find(hash, equal);
  }
  // Returns the equal string that is in the table, or enters `string` and returns it.
  Object* find_or_insert(u32 hash, Object* string) TOUCHES_OBJECTS {
    Shard& shard = shard_of(hash);
    MutexLock guard(shard.mutex);
    if (Object* found = shard.find(hash, [&](Object* other) TOUCHES_OBJECTS { return same_content(string, other); }))
      return found;
    shard.insert(hash, string);
    return string;
  }
  void visit(gc::RootVisitor& visitor) {
    for (Shard& shard : shards_) {
      safepoint::assert_holds(shard.mutex);
      for (Entry& entry : shard.entries)
        if (entry.string != nullptr) visitor.visit(&entry.string);
    }
  }

 private:
  struct Entry {
    Object* string = nullptr;
    u32 hash = 0;
    bool in_use = false;
  };
  struct Shard {
    Mutex mutex{LockRank::interned_strings};
    std::vector<Entry> entries GUARDED_BY(mutex) = std::vector<Entry>(64);
    usize used GUARDED_BY(mutex) = 0;  // entries in use, tombstones included

    template <typename Equal> Object* find(u32 hash, Equal&& equal) TOUCHES_OBJECTS REQUIRES(mutex) {
      usize mask = entries.size() - 1;
      for (usize i = hash & mask; entries[i].in_use; i = (i + 1) & mask)
        if (entries[i].hash == hash && entries[i].string != nullptr && equal(entries[i].string))
          return entries[i].string;
      return nullptr;
    }
    void insert(u32 hash, Object* string) REQUIRES(mutex) {
      if (used * 2 >= entries.size()) grow();
      usize mask = entries.size() - 1;
      usize i = hash & mask;
      while (entries[i].in_use && entries[i].string != nullptr) i = (i + 1) & mask;
      if (!entries[i].in_use) ++used;
      entries[i] = {string, hash, true};
    }
    void grow() REQUIRES(mutex) {
      usize live = 0;
      for (const Entry& entry : entries) live += entry.string != nullptr;
      std::vector<Entry> old = std::move(entries);
      entries = std::vector<Entry>(live * 4 > old.size() ? old.size() * 2 : old.size());
      used = live;
      usize mask = entries.size() - 1;
      for (const Entry& entry : old) {
        if (entry.string == nullptr) continue;
        usize i = entry.hash & mask;
        while (entries[i].in_use) i = (i + 1) & mask;
        entries[i] = entry;
      }
    }
  };

  // Finds the shard by the top bits of a scrambled hash. The low bits choose the place in the shard.
  Shard& shard_of(u32 hash) { return shards_[(hash * 0x9E3779B9u) >> 28]; }
  Shard shards_[16];
};

InternTable& intern_table() {
  static InternTable* table = [] {
    auto* made = new InternTable;  // outlives every static destructor
    gc::register_weak_roots("interned strings", [](gc::RootVisitor& visitor) { intern_table().visit(visitor); });
    return made;
  }();
  return *table;
}

void append_utf8(std::string& out, u32 code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

}  // namespace

// --- reading ---------------------------------------------------------------------------------------------------------

bool string_is_latin1(const Object* string) { return string->get<i8>(well_known::String_coder) == latin1; }

i32 string_length(const Object* string) {
  i32 bytes = value_of(string)->length();
  return string_is_latin1(string) ? bytes : bytes >> 1;
}

u16 string_char_at(const Object* string, i32 index) {
  const u8* bytes = value_of(string)->elements<u8>();
  if (string_is_latin1(string)) return bytes[index];
  u16 unit;
  memcpy(&unit, bytes + 2 * static_cast<usize>(index), 2);
  return unit;
}

std::string string_to_utf8(const Object* string) {
  std::string out;
  i32 length = string_length(string);
  out.reserve(static_cast<usize>(length));
  for (i32 i = 0; i < length; ++i) {
    u32 code = string_char_at(string, i);
    if (code >= 0xD800 && code < 0xE000) {
      u32 low = code < 0xDC00 && i + 1 < length ? string_char_at(string, i + 1) : 0;
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        ++i;
      } else {
        code = '?';  // a lone surrogate has no encoding; String.getBytes gives '?', too
      }
    }
    append_utf8(out, code);
  }
  return out;
}

std::string string_to_modified_utf8(const Object* string) {
  std::string out;
  i32 length = string_length(string);
  out.reserve(static_cast<usize>(length));
  for (i32 i = 0; i < length; ++i) {
    u16 unit = string_char_at(string, i);
    if (unit == 0) out += "\xC0\x80";
    else append_utf8(out, unit);
  }
  return out;
}

SymbolHandle symbol_of_string(const Object* string) {
  Object* value = value_of(string);
  if (string_is_latin1(string)) {
    std::string_view text(value->elements<char>(), static_cast<usize>(value->length()));
    if (all_ascii(text) && text.find('\0') == std::string_view::npos) return SymbolHandle(text);
  }
  return SymbolHandle(string_to_modified_utf8(string));
}

// --- making, interning -----------------------------------------------------------------------------------------------

Object* make_string(JavaThread* thread, std::string_view text) {
  if (all_ascii(text)) return make_ascii(thread, text);
  return make_decoded(thread, [&](auto&& unit) { decode_modified_utf8(text, unit); });
}

Object* make_string_utf8(JavaThread* thread, std::string_view text) {
  if (all_ascii(text)) return make_ascii(thread, text);
  return make_decoded(thread, [&](auto&& unit) { decode_utf8(text, unit); });
}

Object* make_string_utf16(JavaThread* thread, std::span<const u16> units) {
  return make_decoded(thread, [&](auto&& unit) {
    for (u16 u : units) unit(u);
  });
}

Object* intern_string(JavaThread*, Handle string) {
  return intern_table().find_or_insert(hash_of(string.get()), string.get());
}

Object* intern_symbol(JavaThread* thread, const Symbol* symbol) {
  std::string_view text = symbol->text();
  // Looks the string up by the symbol's text first, because in the common case it exists and no garbage is made.
  u32 hash = 0;
  i32 length = 0;
  decode_modified_utf8(text, [&](u16 unit) {
    hash = 31 * hash + unit;
    ++length;
  });
  Object* found = intern_table().find(hash, [&](Object* other) TOUCHES_OBJECTS {
    if (string_length(other) != length) return false;
    i32 i = 0;
    bool equal = true;
    decode_modified_utf8(text, [&](u16 unit) TOUCHES_OBJECTS { equal = equal && string_char_at(other, i++) == unit; });
    return equal;
  });
  if (found != nullptr) return found;
  Object* string = make_string(thread, text);
  if (string == nullptr) return nullptr;
  string->set<u32>(well_known::String_hash, hash);
  return intern_table().find_or_insert(hash, string);
}

}  // namespace keyhole
