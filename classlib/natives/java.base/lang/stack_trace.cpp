// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Throwable and java.lang.StackTraceElement.
#include "classlib/natives/java.base/lang/stack_trace.h"

#include "classlib/natives/declarations.h"
#include "classlib/natives/late_bound.h"
#include "runtime/base/flags.h"
#include "runtime/threads/no_safepoint.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::natives {

namespace {

bool store(JavaThread* thread, Handle element, u32 offset, Object* value) TOUCHES_OBJECTS {
  if (has_exception(thread)) return false;
  barrier::store(element.get(), offset, value);
  return true;
}

// The name that Class.getName() of the holder returns; made and cached there at first use.
Object* name_of(JavaThread* thread, const Klass* klass) MAY_SAFEPOINT {
  if (Object* name = klass->mirror->get_reference(well_known::Class_name)) return name;
  HandleScope scope(thread);
  return Class_initClassName(thread, scope.make(klass->mirror));
}

}  // namespace

bool fill_stack_trace_element(JavaThread* thread, Handle element, const Method* method, i32 bci) {
  const late::StackTraceElement* row = late::get<late::StackTraceElement>(thread);
  if (row == nullptr) return false;
  HandleScope scope(thread);
  const InstanceKlass* holder = method->holder;
  barrier::store(element.get(), row->declaring_class_object, holder->mirror);
  if (!store(thread, element, row->declaring_class, name_of(thread, holder)) ||
      !store(thread, element, row->method_name, intern_symbol(thread, method->name)))
    return false;
  if (holder->source_file != nullptr &&
      !store(thread, element, row->file_name, intern_symbol(thread, holder->source_file)))
    return false;
  element->set<i32>(row->line_number, bci < 0 ? -2 : method->line_of(static_cast<u32>(bci)));

  NoSafepoint no_safepoint;
  if (Object* loader = holder->mirror->get_reference(well_known::Class_class_loader))
    barrier::store(element.get(), row->class_loader_name, loader->get_reference(well_known::ClassLoader_name));
  Object* module = holder->mirror->get_reference(well_known::Class_module);
  Object* module_name = module == nullptr ? nullptr : module->get_reference(well_known::Module_name);
  if (module_name != nullptr) {
    barrier::store(element.get(), row->module_name, module_name);
    barrier::store(element.get(), row->module_version, module->get_reference(well_known::Module_version));
  }
  return true;
}

Object* Throwable_fillInStackTrace(JavaThread* thread, Handle self, i32) {
  fill_in_stack_trace(thread, self);
  return self.get();
}

// Fills elements. `frame(i)` gives method and bci of element i; no method after the last one.
template <typename FrameAt>
static void fill_elements(JavaThread* thread, Handle elements, FrameAt frame) MAY_SAFEPOINT {
  for (i32 i = 0; i < elements->length(); ++i) {
    BacktraceEntry entry = frame(i);
    if (entry.method == nullptr) return;
    HandleScope scope(thread);
    if (!fill_stack_trace_element(thread, scope.make(elements->reference_at(i)), entry.method, entry.bci)) return;
  }
}

void StackTraceElement_initStackTraceElements(JavaThread* thread, Handle elements, Handle throwable) {
  if (elements.is_null() || throwable.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  fill_elements(thread, elements, [&](i32 i) TOUCHES_OBJECTS { return backtrace_entry(throwable.get(), i); });
}

// Since 21 it gets the field `backtrace` instead of the Throwable.
void StackTraceElement_initStackTraceElements_21(JavaThread* thread, Handle elements, Handle backtrace, i32) {
  if (elements.is_null() || backtrace.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  fill_elements(thread, elements, [&](i32 i) TOUCHES_OBJECTS { return entry_of_backtrace(backtrace.get(), i); });
}

void StackTraceElement_initStackTraceElement(JavaThread* thread, Handle element, Handle frame) {
  const late::StackFrameInfo* row = late::get<late::StackFrameInfo>(thread);
  if (row == nullptr) return;
  auto* method = reinterpret_cast<Method*>(frame->get<i64>(row->method));
  if (!fill_stack_trace_element(thread, element, method, frame->get<i32>(row->bci))) return;
}

template <typename IsShown>
static ThreadFrames chosen_frames_of(JavaThread* target, HandleScope& kept, usize limit, IsShown is_shown)
    TOUCHES_OBJECTS {
  ThreadFrames result;
  if (target == nullptr) return result;
  result.alive = true;
  if (limit == 0) return result;
  for (const VirtualFrame& activation : virtual_frames(target)) {
    const InstanceKlass* holder = activation.method()->holder;
    if (!is_shown(activation.method()) && !flags::ShowHiddenFrames) continue;
    bool is_kept =
        holder->liveness == nullptr || (!result.frames.empty() && result.frames.back().method->holder == holder);
    if (!is_kept) kept.make(holder->mirror);
    result.frames.push_back({activation.method(), activation.bci()});
    if (result.frames.size() == limit) break;
  }
  return result;
}

ThreadFrames frames_of(JavaThread* target, HandleScope& kept, usize limit) {
  // As in HotSpot, classes of lambdas are shown here, but not in exceptions.
  return chosen_frames_of(target, kept, limit,
                          [](const Method* method) { return !method->hidden_frame || method->holder->is_hidden; });
}

ThreadFrames shown_frames_of(JavaThread* target, HandleScope& kept) {
  i64 limit = flags::MaxJavaStackTraceDepth;
  return chosen_frames_of(target, kept, limit == 0 ? SIZE_MAX : static_cast<usize>(limit),
                          [](const Method* method) { return !method->hidden_frame; });
}

Object* make_trace(JavaThread* thread, const ThreadFrames& trace) {
  HandleScope scope(thread);
  const late::StackTraceElement* row = late::get<late::StackTraceElement>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Object* object = new_reference_array(thread, row->klass, static_cast<i32>(trace.frames.size()));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (usize i = 0; i < trace.frames.size(); ++i) {
    HandleScope inner(thread);
    object = new_instance(thread, row->klass);
    if (object == nullptr) return nullptr;
    Handle element = inner.make(object);
    if (!fill_stack_trace_element(thread, element, trace.frames[i].method, trace.frames[i].bci)) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), element.get());
  }
  return array.get();
}

}  // namespace keyhole::natives
