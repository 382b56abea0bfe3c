// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints instances and bytes per class, in the form of HotSpot's class histogram.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gc/heap/heap.h"
#include "gc/inspect/description.h"
#include "runtime/base/print.h"

namespace keyhole::heap {

void print_class_histogram(FILE* out) {
  struct Row {
    u64 instances = 0, bytes = 0;
    u32 id = 0;
  };
  std::vector<Row> rows(klass_count() + 1);
  auto count = [](Object* object, void* context) TOUCHES_OBJECTS {
    Row& row = (*static_cast<std::vector<Row>*>(context))[object->klass_id()];
    row.id = object->klass_id();
    ++row.instances;
    row.bytes += object_bytes(object);
  };
  for_each_object(count, &rows);
  std::erase_if(rows, [](const Row& row) { return row.instances == 0; });
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.bytes > b.bytes; });
  print_text(out,
             " num     #instances         #bytes  class name "
             "(module)\n-------------------------------------------------------\n");
  Row total;
  u32 number = 0;
  for (const Row& row : rows) {
    const Klass* klass = klass_of_id(row.id);
    std::string module = gc::inspect::describer().module(klass);
    print_text(out, "{:>4}: {:>13}  {:>13}  {}{}\n", ++number, row.instances, row.bytes,
               gc::inspect::describer().external_name(klass), module.empty() ? "" : fmt::format(" ({})", module));
    total.instances += row.instances;
    total.bytes += row.bytes;
  }
  print_text(out, "Total {:>13}  {:>13}\n", total.instances, total.bytes);
}

}  // namespace keyhole::heap
