// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Function key: a 128-bit hash of a lowered function. Functions with the same key share an object file.
//
//   in the key          nodes, operands, blocks, names of symbols, the number of sites, and the values that the
//                       bitcode's variables have in this process (jit/snippets/symbols.def)
//   not in the key      the method's name, addresses of symbols, words of sites: the linker sets these
//
// The hash is not cryptographic. An attacker who constructs two functions with the same key gains nothing: the attack
// requires write access to the image, and with write access the attacker could put any code into the image.
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

// Returns the key of `function`, or nothing if `function` has marks. Marks are texts for listings of the code; the mark
// of a node names the node's origin, for example a bytecode (low::Function::marks). An object file contains the numbers
// of marks, but a key does not depend on marks. So an object file that is found by its key could have wrong marks.
std::optional<FunctionKey> key_of(const low::Function& function);

}  // namespace keyhole::image

template <> struct std::hash<keyhole::image::FunctionKey> {
  std::size_t operator()(const keyhole::image::FunctionKey& key) const { return key.low; }
};
