// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The lines of -XX:+PrintCompilation.
#pragma once

#include <string>
#include <string_view>

#include "vm/interpreter/compiled_code.h"

namespace keyhole {

// The VM starts: the times in the lines count from here.
void start_compilation_clock();

// As HotSpot: milliseconds, number, flags (`kind`: % for a loop; s synchronized, ! has handlers), level, method, size.
// Then `what_happened`.
void print_compilation(const CompiledCode& code, char kind, std::string_view what_happened = {});

// java.lang.String for java/lang/String.
std::string dotted(const Symbol* name);

}  // namespace keyhole
