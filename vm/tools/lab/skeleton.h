// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that `keyhole lock new NAME` writes: a working lock whose comments explain its parts.
#pragma once

#include <string>
#include <string_view>

namespace keyhole::lab {

// Returns the text of the file. `name` consists of letters, digits and underscores, and begins with a letter.
std::string skeleton(std::string_view name);

}  // namespace keyhole::lab
