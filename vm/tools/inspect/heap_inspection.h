// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Provides what histograms and heap dumps need about classes and frames (gc/inspect/description.h), from vm/link.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

// Called while the VM starts, when java.base is loaded.
void enable_heap_inspection();
// Handles -XX:+PrintClassHistogram at SIGQUIT: collects, then prints to standard output.
void print_class_histogram(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
