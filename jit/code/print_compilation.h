// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines of -XX:+PrintCompilation, for all tiers.
//
//   level   1   baseline code
//           3   profiled baseline code, while a profiling interval is open (profiling_intervals.h)
//           2   a compiling thread takes the method, for the middle tier
//           4   a compiling thread takes the method, for the optimising tier
#pragma once

#include <string>
#include <string_view>

#include "vm/code/compiled_code.h"

namespace keyhole {

// Starts the clock for the times in the lines of -XX:+PrintCompilation. Called when the VM starts.
void start_compilation_clock();

// Prints a line in HotSpot's format: milliseconds, number, flags, level, method, size; then `what_happened`. The flags
// are `kind` (% for OSR code), s for a synchronized method, and ! for a method with exception handlers.
void print_compilation(const CompiledCode& code, char kind, std::string_view what_happened = {});

// Prints a line of -XX:+PrintCompilation when a compilation begins. The compilation has a number already, but there is
// no CompiledCode yet.
void print_compilation(u32 number, const Method* method, char kind, u32 level, std::string_view what_happened = {});
// Returns a line of -XX:+PrintCompilation without the milliseconds at its beginning.
std::string describe_compilation(u32 number, const Method* method, char kind, u32 level);
u32 next_compilation_number();  // counts from 1

// Returns the class name with dots: java.lang.String for java/lang/String.
std::string dotted(const Symbol* name);

}  // namespace keyhole
