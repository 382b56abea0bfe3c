// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap at a glance: a character for each region, then the open and the humongous ones.
#pragma once

#include <cstdio>

#include "gc/heap/region_table.h"

namespace keyhole::gc::inspect {

// Takes no lock: also from a crash report.
void print_regions(RegionTable& regions, FILE* out);

}  // namespace keyhole::gc::inspect
