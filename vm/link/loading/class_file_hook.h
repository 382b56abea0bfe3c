// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The hook that may rewrite a class file before it is parsed: java.lang.instrument (classlib/natives/java.instrument).
//
//   define_class ---- bytes ----> hook ---- bytes of its own, or none ----> parsed
//   redefine_classes -/
//
// Without a hook a definition costs one load. The hook does not see hidden classes, nor those that the VM generates.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "vm/link/loading/loader_data.h"

namespace keyhole {

enum class ClassFileUse : u8 { Define, Redefine, Retransform };

struct OfferedClassFile {
  ClassFileUse use;
  const Symbol* name;  // null: the file's name
  LoaderData* loader;
  Handle domain;             // Define: the class's future java.security.ProtectionDomain; null: none
  InstanceKlass* redefined;  // null: Define
  std::span<const u8> bytes;
};

struct RewrittenClassFile {
  std::vector<u8> bytes;          // empty: unchanged
  std::vector<u8> retransformed;  // the file that a retransformation starts from; empty: the bytes passed in
};

// May run Java; leaves no exception pending.
using ClassFileHook = void (*)(JavaThread* thread, const OfferedClassFile& offered, RewrittenClassFile& rewritten);

inline std::atomic<ClassFileHook> class_file_hook{nullptr};

}  // namespace keyhole
