// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates the symbols of Utf8 constants at their first use.
#include "vm/metadata/constant_pool.h"

namespace keyhole {

const Symbol* ConstantPool::intern_utf8(u32 index) const {
  std::atomic_ref value(values[index]);
  if (!holds_symbols) {
    // Several threads may do this at once: all of them store the same address.
    const Symbol* symbol = Symbol::intern(utf8_text(index));
    value.store(reinterpret_cast<u64>(symbol), std::memory_order_release);
    return symbol;
  }
  SymbolHandle symbol(utf8_text(index));
  u64 unread = value.load(std::memory_order_acquire);
  // Only one thread passes its hold on the symbol to the entry.
  if ((unread & unread_text) != 0 &&
      value.compare_exchange_strong(unread, reinterpret_cast<u64>(&*symbol), std::memory_order_acq_rel)) {
    return symbol.release();
  }
  return reinterpret_cast<const Symbol*>(unread);
}

const Symbol* ConstantPool::append_text(std::string_view text) {
  const Symbol* symbol = holds_symbols ? SymbolHandle(text).release() : Symbol::intern(text);
  tags[count] = static_cast<u8>(ConstantTag::Utf8);
  values[count] = reinterpret_cast<u64>(symbol);
  return symbol;
}

void ConstantPool::release_symbols() {
  KEYHOLE_ASSERT(holds_symbols, "the symbols of this pool live for ever");
  for (u32 i = 1; i <= count; ++i) {
    if (tag(i) != ConstantTag::Utf8 || (values[i] & unread_text) != 0) continue;
    reinterpret_cast<const Symbol*>(values[i])->drop();
  }
}

}  // namespace keyhole
