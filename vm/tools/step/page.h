// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// --step --page=FILE: all steps of an execution as one HTML file, which needs neither a VM nor a network.
//
// The file has the steps as differences: [running thread, changed threads, changed variables, locks, output]. Each
// text stands once, in a table.
#pragma once

#include <string>

#include "vm/tools/step/sources.h"
#include "vm/tools/step/stepper.h"

namespace keyhole::step {

// Steps by lines from the beginning to the end. Returns the page; `step_count`: the number of its steps.
std::string page_text(Stepper& stepper, Sources& sources, const std::string& program, u32& step_count);

extern const char* const page_head;  // page_template.cpp: before and after the data
extern const char* const page_tail;

}  // namespace keyhole::step
