// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that `keyhole lock new NAME` writes: a lock that works, with its parts explained.
#pragma once

#include <string>
#include <string_view>

namespace keyhole::lab {

// name: letters, digits and underscores, beginning with a letter.
std::string skeleton(std::string_view name);

}  // namespace keyhole::lab
