// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Output for a terminal: texts of at most 80 columns, so that they are readable over ssh, and colours if they are
// wanted.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

constexpr usize terminal_columns = 80;

// Breaks a text into short lines. A word that is too long gets a line of its own. Lines after the first begin with
// `indentation`.
std::string wrapped(std::string_view text, std::string_view indentation);

// Is it a terminal that shows colours? Not if the user wants none (NO_COLOR), or it has none (TERM=dumb).
bool has_colours(int file_descriptor);

}  // namespace keyhole
