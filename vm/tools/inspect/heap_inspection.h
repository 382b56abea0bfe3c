// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes classes and frames for histograms and heap dumps (gc/inspect/description.h), with data of vm/link.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

// Gives gc/inspect the functions that describe classes and frames. Called while the VM starts, when java.base is
// loaded.
void enable_heap_inspection();
// Handles SIGQUIT with -XX:+PrintClassHistogram: runs a collection, then prints the histogram to standard output.
void print_class_histogram(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
