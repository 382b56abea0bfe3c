// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of -XX:OnError= and -XX:OnOutOfMemoryError=: commands for /bin/sh, separated by semicolons; %p is the process
// id, %% a percent sign.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole {

std::vector<std::string> shell_commands(std::string_view text);

}  // namespace keyhole
