// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes the parts of a function. Hashes the length of each part before the part.
#include "jit/image/function_key.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "jit/snippets/snippets.h"

namespace keyhole::image {
namespace {

class Hash {
 public:
  Hash() { XXH3_128bits_reset(&state_); }

  template <typename Number> void add(Number value) { XXH3_128bits_update(&state_, &value, sizeof value); }
  template <typename Item> void add(const std::vector<Item>& items) {
    static_assert(std::has_unique_object_representations_v<Item>);  // there is no padding
    add(items.size());
    XXH3_128bits_update(&state_, items.data(), items.size() * sizeof(Item));
  }
  void add(const void* bytes, usize size) { XXH3_128bits_update(&state_, bytes, size); }
  FunctionKey value() const {
    XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return {hash.high64, hash.low64};
  }

 private:
  XXH3_state_t state_;
};

}  // namespace

std::optional<FunctionKey> key_of(const low::Function& function) {
  if (!function.marks.empty()) return std::nullopt;
  Hash hash;
  hash.add(function.nodes);
  hash.add(function.operands);
  hash.add(function.blocks.size());
  for (const low::Block& block : function.blocks) {
    hash.add(block.nodes);
    hash.add(block.predecessors);
    hash.add(block.targets);
    hash.add(block.cases);
    hash.add(static_cast<u8>(block.likely | block.unlikely << 1));
  }
  hash.add(function.symbols.size());
  for (const std::string& symbol : function.symbols) {
    hash.add(symbol.size());
    hash.add(symbol.data(), symbol.size());
  }
  hash.add(function.sites.size());
  hash.add(static_cast<u8>(function.loops_over_arrays));
  for (const snippets::Symbol& symbol : snippets::symbols()) hash.add(symbol.address, symbol.bytes);
  return hash.value();
}

}  // namespace keyhole::image
