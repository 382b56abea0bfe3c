// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listings: every installed code as -XX:+PrintAssembly shows it, in a file that `keyhole --look --code` reads.
//
//   file     record ... record, "full\n" when most_bytes were reached
//   record   "code <level> <bytes of code> <bytes of each part>\n" part ... part
//   parts    method   its name, as in the recording's event `compiled`
//            source   the name of its class's source file, or nothing
//            bytecode with the current profile, as -XX:+PrintMethodData shows it, if the method has one
//            assembly
//            graph    as -XX:PrintIR=optimise prints it; only code of the optimising tier has one
//
// The records of a method are in the order of its events. Nothing is written unless start() was called.
#pragma once

#include <string>
#include <string_view>

#include "jit/code/compiler_lock.h"
#include "vm/code/compiled_code.h"

namespace keyhole::listings {

inline constexpr usize most_bytes = 32 << 20;

// Starts the listings. Call it before the tiers start. `pattern` is a part of the names of the methods to list; the
// empty pattern selects all. Returns an error message, or an empty string.
std::string start(const std::string& path, std::string pattern);

extern bool is_on;
bool matches(const Method* method);
inline bool wants(const Method* method) { return is_on && matches(method); }

void add(const CompiledCode& code, std::string_view assembly, std::string_view graph = {}) REQUIRES(compiler_lock);

}  // namespace keyhole::listings
