// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The plug-in (jit/llvm/plugin.h) as a file: beside the executable, opened once.
#pragma once

#include <string>

#include "jit/llvm/plugin.h"

namespace keyhole::optimised {

std::string path_of_plugin();
// Null, and why in `problem`: there is none, it is another build's, LLVM does not start. It stays open for ever.
llvm_plugin::Compiler* open_plugin(const std::string& path, llvm_plugin::Host* host, std::string* problem);

}  // namespace keyhole::optimised
