// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that this process runs. Keyhole's overlay, plug-in and page lie beside it.
#pragma once

#include <string>

namespace keyhole {

// The file's absolute path, with all links resolved. Without /proc it is the path that was executed. It is empty when
// it is not known, and when the process runs with another user's rights: the caller chose the path, and would thereby
// choose the code that is loaded. It is never a path in the working directory that nobody named.
const std::string& executable_path();
// The file's folder; empty when the path is.
const std::string& executable_folder();

}  // namespace keyhole
