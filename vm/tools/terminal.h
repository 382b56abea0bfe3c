// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats output for a terminal: wraps texts to at most 80 columns, and uses colours if the user wants them.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

constexpr usize terminal_columns = 80;

// Breaks a text into short lines. A word that is too long gets a line of its own. Lines after the first begin with
// `indentation`.
std::string wrapped(std::string_view text, std::string_view indentation);

// Returns whether the stream is a terminal that shows colours. It does not if the user has set NO_COLOR, or if
// TERM=dumb.
bool has_colours(int file_descriptor);

}  // namespace keyhole
