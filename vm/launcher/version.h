// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What -version prints.
#pragma once

#include <cstdio>
#include <string>

namespace keyhole {

void print_version(FILE* out, const std::string& java_home_property);

}  // namespace keyhole
