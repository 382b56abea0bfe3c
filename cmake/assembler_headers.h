// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// standard_headers.h for the compiling tiers: asmjit as well, which takes half of the time of a source that emits code.
#pragma once

#include <asmjit/x86.h>

#include "cmake/standard_headers.h"
