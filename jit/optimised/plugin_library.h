// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Plug-in library: finds the plug-in's file beside the executable, and opens it (jit/llvm/plugin.h).
#pragma once

#include <string>

#include "jit/llvm/plugin.h"

namespace keyhole::optimised {

std::string path_of_plugin();
// Opens the plug-in, which is never closed. Returns null, with the reason in `problem`, if the file is missing or of
// another build, or if LLVM does not start.
llvm_plugin::Compiler* open_plugin(const std::string& path, llvm_plugin::Host* host, std::string* problem);

}  // namespace keyhole::optimised
