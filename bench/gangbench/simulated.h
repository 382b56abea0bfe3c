// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gangbench on the simulated machine: the VM's dispatchers run with simulated threads, and times come from the cost
// model.
#pragma once

#include <string_view>
#include <vector>

#include "bench/gangbench/workload.h"

namespace keyhole::gangbench {

std::vector<std::string_view> simulated_names();
Outcome run_simulated(std::string_view name, const Parameters& parameters);

}  // namespace keyhole::gangbench
