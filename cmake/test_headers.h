// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// standard_headers.h for the unit tests: GoogleTest as well.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/standard_headers.h"
