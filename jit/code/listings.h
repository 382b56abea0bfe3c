// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listings: a file with the assembly of all installed code, as -XX:+PrintAssembly prints it. `keyhole --look --code`
// reads the file.
//
//   file     record ... record, "full\n" when most_bytes were reached
//   record   "code <level> <bytes of code> <bytes of each part>\n" part ... part
//   parts    method   its name, as in the recording's event `compiled`
//            source   the name of its class's source file, or nothing
//            bytecode with the current profile, as -XX:+PrintMethodData shows it, if the method has one
//            assembly
//            graph    as -XX:PrintIR=optimise prints it; only code of the optimising tier has one
//
// The records of a method are in the same order as its events `compiled` in the recording. Nothing is written unless
// start() was called.
#pragma once

#include <string>
#include <string_view>

#include "jit/code/compiler_lock.h"
#include "vm/code/compiled_code.h"

namespace keyhole::listings {

inline constexpr usize most_bytes = 32 << 20;

// Starts the listings. Called before the tiers start. Methods are listed if their names contain `pattern`; the empty
// pattern selects all methods. Returns an error message, or an empty string on success.
std::string start(const std::string& path, std::string pattern);

extern bool is_on;
bool matches(const Method* method);
inline bool wants(const Method* method) { return is_on && matches(method); }

void add(const CompiledCode& code, std::string_view assembly, std::string_view graph = {}) REQUIRES(compiler_lock);

}  // namespace keyhole::listings
