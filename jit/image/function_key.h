// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a lowered function is, in 128 bits: two functions of one key have the same object file.
//
//   in the key          nodes, operands, blocks, names of symbols, the number of sites, and the values that the
//                       bitcode's variables have in this process (jit/snippets/symbols.def)
//   not in the key      the method's name, addresses of symbols, words of sites: the linker sets these
//
// The hash is not made to withstand somebody who looks for two functions of one key: who can write the image can
// write code into it as well.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "jit/graph/low/low_graph.h"

namespace keyhole::image {

struct FunctionKey {
  u64 high, low;
  bool operator==(const FunctionKey&) const = default;
};

// None: the function has marks, which are in its object file.
std::optional<FunctionKey> key_of(const low::Function& function);

}  // namespace keyhole::image

template <> struct std::hash<keyhole::image::FunctionKey> {
  std::size_t operator()(const keyhole::image::FunctionKey& key) const { return key.low; }
};
