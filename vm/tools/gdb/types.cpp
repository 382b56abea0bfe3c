// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Full debug information for the types that the gdb commands read, because the release build has line numbers only. It
// is compiled into a separate object file for each header layout. keyhole.py loads that file; no executable links it.
#include "runtime/base/address_space.h"
#include "runtime/sync/monitors.h"
#include "runtime/threads/java_thread.h"
#include "vm/code/instruction.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::gdb {

// Numbers that depend on this build's layout.
enum class Layout : u64 {
  klass_table = address_space::klass_table_base,
  header_bytes = layout::header_bytes,
  word_bytes = sizeof(layout::Word),
  klass_shift = layout::klass_shift,
  klass_bits = layout::klass_bits,
  klass_is_in_word = layout::klass_is_in_word,
  hash_is_in_word = layout::hash_is_in_word,
  can_displace = layout::can_displace,
  array_length_offset = layout::array_length_offset,
  array_base = layout::array_base_offset(0),
  array_base_of_longs = layout::array_base_offset(3),
  age_shift = layout::age_shift,
  hash_shift = layout::hash_shift,
  hash_bits = layout::hash_bits,
  narrow_shift = keyhole::narrow_shift,
};

// These variables exist only for the debug information: they force the compiler to describe their types there.
[[gnu::used]] Layout layout_numbers;
[[gnu::used]] const InstanceKlass* instance_klass;
[[gnu::used]] const Method* method;
[[gnu::used]] const MethodCode* method_code;
[[gnu::used]] const Instruction* instruction;
[[gnu::used]] const Frame* frame;
[[gnu::used]] const JavaThread* thread;
[[gnu::used]] const Symbol* symbol;
[[gnu::used]] sync::MonitorList* monitor_list;
[[gnu::used]] const ObjectMonitor* monitor;

// MonitorList is a template. A pointer to it does not instantiate it, but sizeof does.
static_assert(sizeof(sync::MonitorList) > 0);

}  // namespace keyhole::gdb
