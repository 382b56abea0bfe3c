// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that this process runs: its overlay, plug-in and page lie beside it.
#pragma once

#include <string>

namespace keyhole {

// Absolute, with all links resolved. Without /proc it is the path that was executed, unless the process runs with
// somebody else's rights: whoever started it chose that path, and would choose what is loaded. Empty: it is not known.
// Never a path in the working directory that nobody named.
const std::string& executable_path();
// Empty when the path is.
const std::string& executable_folder();

}  // namespace keyhole
