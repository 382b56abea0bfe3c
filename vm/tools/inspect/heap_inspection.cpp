// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes the classes and frames of the whole VM.
#include "vm/tools/inspect/heap_inspection.h"

#include <cstdio>
#include <cstdlib>

#include "gc/heap/heap.h"
#include "gc/inspect/description.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/frames/stack_roots.h"
#include "vm/link/linker.h"
#include "vm/link/loading/declared_modules.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/well_known.h"
#include "vm/tools/version.h"

namespace keyhole {
namespace {

std::string class_library_text;

void fields_of(const Klass* klass, std::vector<gc::inspect::FieldDescription>& out) {
  if (!klass->is_instance()) return;
  const InstanceKlass* instance = klass->as_instance();
  for (u32 i = 0; i < instance->field_count; ++i) {
    const Field& field = instance->fields[i];
    out.push_back({field.name, field.type, field.offset, field.is_static()});
  }
}

std::string versioned_module(const Klass* klass) TOUCHES_OBJECTS {
  std::string name = module_name(klass);
  if (name.empty()) return name;
  Object* declared = declared_module_of(klass);
  if (declared == nullptr) return name + "@" + class_library_text;
  Object* version = declared->get_reference(well_known::Module_version);
  return version == nullptr ? name : name + "@" + string_to_utf8(version);
}

void frames_of(JavaThread* thread, std::vector<gc::inspect::FrameDescription>& out) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    i32 line = activation.is_native() ? -2 : method->line_of(static_cast<u32>(activation.bci()));
    out.push_back({method->name, method->descriptor, method->holder->source_file, method->holder, line});
  }
}

}  // namespace

void enable_heap_inspection() {
  class_library_text = class_library_version();
  gc::inspect::describe_with({fields_of, external_name, versioned_module,
                              [](const Klass* klass) { return klass->loader->java_loader; }, frames_of,
                              interpreter::visit_stack_roots_by_frame});
}

void print_class_histogram(JavaThread* thread) {
  heap::collect(thread, heap::Cause::HeapDump);
  char* text = nullptr;
  usize bytes = 0;
  FILE* memory = open_memstream(&text, &bytes);
  if (memory == nullptr) return;
  auto operation = [&] { heap::print_class_histogram(memory); };
  safepoint::run(thread, "ClassHistogram", operation);
  fclose(memory);
  {
    NativeScope native(thread);  // in native state, because printing blocks if stdout is a full pipe
    fwrite(text, 1, bytes, stdout);
    fflush(stdout);
  }
  free(text);
}

}  // namespace keyhole
