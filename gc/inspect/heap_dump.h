// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Heap dumps in HotSpot's format, for the tools that read them (VisualVM, Eclipse MAT, jhat ...).
#pragma once

#include <string>

#include "runtime/threads/java_thread.h"

namespace keyhole::gc::inspect {

// The name of the next dump, from -XX:HeapDumpPath and the compression flags: "java_pid123.hprof", with ".gz" or ".zst"
// when compressed. The name of a process's second dump ends in ".1", and so on.
std::string next_dump_path();

struct DumpResult {
  bool created = false;
  std::string error;  // empty: the file is complete
  u64 bytes = 0;      // size of the file
};
// Writes all objects, classes, threads' stacks and roots to a file, at a safepoint. gzip level 0: compression by the
// flags.
DumpResult write_dump(JavaThread* thread, const std::string& path, i64 gzip_level = 0) MAY_SAFEPOINT;
// Writes a dump, and HotSpot's message about it.
std::string write_dump_and_report(JavaThread* thread, const std::string& path, i64 gzip_level, DumpResult& result)
    MAY_SAFEPOINT;
// Writes a dump, with the message on standard output. False when the file could not be created or is incomplete.
bool dump_heap(JavaThread* thread, const std::string& path) MAY_SAFEPOINT;

}  // namespace keyhole::gc::inspect
