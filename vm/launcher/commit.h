// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The commit that this executable was built from; empty if the tree was no clone. Defined by cmake/commit.cmake.
#pragma once

#include <string_view>

namespace keyhole {

std::string_view commit_of_build();

}  // namespace keyhole
