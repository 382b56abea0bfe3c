// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// --step --page=FILE: all steps of an execution as one HTML file, which needs neither a VM nor a network.
//
// The file stores each step as its difference from the step before: [running thread, changed threads, changed
// variables, locks, output]. Strings are stored once, in a table.
#pragma once

#include <string>

#include "vm/tools/step/sources.h"
#include "vm/tools/step/stepper.h"

namespace keyhole::step {

// Steps through the whole execution line by line. Returns the page's text, and stores its number of steps in
// `step_count`.
std::string page_text(Stepper& stepper, Sources& sources, const std::string& program, u32& step_count);

extern const char* const page_head;  // the page's text before and after the data (page_template.cpp)
extern const char* const page_tail;

}  // namespace keyhole::step
