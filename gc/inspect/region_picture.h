// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap at a glance: a character for each region, then the open and the humongous ones.
#pragma once

#include <cstdio>

#include "gc/heap/region_table.h"

namespace keyhole::gc::inspect {

// Prints the picture. It takes no lock, as crash reports call it, too.
void print_regions(RegionTable& regions, FILE* out);

}  // namespace keyhole::gc::inspect
