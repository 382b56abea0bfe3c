// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listings: each code that is installed, as -XX:+PrintAssembly shows it, in a file that `keyhole --look --code` reads.
//
//   file     record ... record, "full\n" when most_bytes were reached
//   record   "code <level> <bytes of code> <bytes of each part>\n" part ... part
//   parts    method   its name, as in the recording's event `compiled`
//            source   the name of its class's source file, or nothing
//            bytecode with the profile as it is now (-XX:+PrintMethodData), or without where there is none
//            assembly
//            graph    as -XX:PrintIR=optimise prints it; of the optimising tier
//
// Records are in the order of the method's events. Nothing is kept unless start() was called.
#pragma once

#include <string>
#include <string_view>

#include "jit/code/compiler_lock.h"
#include "vm/interpreter/compiled_code.h"

namespace keyhole::listings {

inline constexpr usize most_bytes = 32 << 20;

// Before the tiers start. pattern: a part of the methods' names, or nothing. Empty, or what is wrong.
std::string start(const std::string& path, std::string pattern);

extern bool is_on;
bool matches(const Method* method);
inline bool wants(const Method* method) { return is_on && matches(method); }

void add(const CompiledCode& code, std::string_view assembly, std::string_view graph = {}) REQUIRES(compiler_lock);

}  // namespace keyhole::listings
