// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes exceptions and their backtraces.
//
// A backtrace is a long[] in Throwable.backtrace, one element per frame, innermost first:
//
//   63     58 57              16 15            0
//   +---------+-----------------+---------------+
//   | version | Method*         | bci           |     bci 0xFFFF: a native method
//   +---------+-----------------+---------------+
//
// Methods lie below 4 TiB (42 bits) and live as long as their class. The version field holds the low bits of
// Method::version: it says to which of a redefined method's bodies the bci belongs. If some of the classes may be
// unloaded, the backtrace is an Object[]: the long[], then the mirrors of these classes, which keep them alive.
// Throwable.depth is the number of valid elements. StackTraceElements are made on request.
//
// Out of memory: four errors with room for a backtrace are allocated at start. Each is thrown once. After that a fifth
// error, without a backtrace, is thrown every time.
#include "vm/link/exceptions.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/print.h"
#include "runtime/threads/no_safepoint.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/java_call.h"
#include "vm/link/out_of_memory.h"
#include "vm/link/well_known.h"

namespace keyhole {

namespace {

constexpr u64 native_bci = 0xFFFF;

// A flag in a trace's first entry: hidden frames lie above it. It uses the lowest bit of the Method*, which is free
// because methods are aligned.
constexpr u64 below_hidden = u64{1} << 16;

constexpr u32 version_shift = 58;

u64 pack(const VirtualFrame& activation) {
  u64 bci = activation.is_native() ? native_bci : static_cast<u64>(activation.bci());
  const Method* method = activation.method();
  return u64{method->version} << version_shift | reinterpret_cast<u64>(method) << 16 | bci;
}

Method* method_of(u64 entry) {
  static_assert(alignof(Method) >= 2);
  entry &= ~below_hidden;
  auto* newest = reinterpret_cast<Method*>(entry << (64 - version_shift) >> (64 - version_shift) >> 16);
  for (Method* method = newest; method != nullptr; method = method->replaced) {
    if ((u64{method->version} << version_shift) >> version_shift == entry >> version_shift) return method;
  }
  return newest;
}

// --- making ----------------------------------------------------------------------------------------------------------

Method* constructor_of(InstanceKlass* klass, const char* descriptor) {
  SymbolHandle symbol = Symbol::find(descriptor);
  return symbol == nullptr ? nullptr : klass->find_declared_method(names::object_initializer, symbol);
}

// Makes an exception by the constructor that fits the arguments. Null: another one is pending.
Object* construct(JavaThread* thread, const Symbol* class_name, Handle message, Handle cause) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Klass* resolved = resolve_class(thread, class_name, boot_loader());
  if (resolved == nullptr) return nullptr;
  InstanceKlass* klass = resolved->as_instance();
  if (!initialize_class(thread, klass)) return nullptr;
  Object* object = heap::allocate_instance(thread, klass);
  if (object == nullptr) return throw_out_of_memory(thread, "Java heap space");
  Handle exception = scope.make(object);

  Method* constructor = nullptr;
  Slot arguments[3] = {slot_of(exception), 0, 0};
  usize count = 1;
  bool cause_given = cause.is_null();
  if (!message.is_null() && !cause.is_null()) {
    constructor = constructor_of(klass, "(Ljava/lang/String;Ljava/lang/Throwable;)V");
    if (constructor != nullptr) {
      arguments[count++] = slot_of(message);
      arguments[count++] = slot_of(cause);
      cause_given = true;
    }
  }
  if (constructor == nullptr && message.is_null() && !cause.is_null()) {
    constructor = constructor_of(klass, "(Ljava/lang/Throwable;)V");
    if (constructor != nullptr) {
      arguments[count++] = slot_of(cause);
      cause_given = true;
    }
  }
  if (constructor == nullptr && !message.is_null()) {
    constructor = constructor_of(klass, "(Ljava/lang/String;)V");
    if (constructor != nullptr) arguments[count++] = slot_of(message);
  }
  if (constructor == nullptr) constructor = constructor_of(klass, "()V");
  if (constructor == nullptr) {
    constructor = constructor_of(klass, "(Ljava/lang/String;)V");  // classes that always want a message get null
    ++count;
  }
  KEYHOLE_CHECK(constructor != nullptr, "no constructor for {}", class_name->text());
  call_java(thread, constructor, std::span(arguments, count));
  if (has_exception(thread)) return nullptr;
  if (!cause_given) {
    Slot with_cause[2] = {slot_of(exception), slot_of(cause)};
    call_java_virtual(thread, well_known::Throwable_init_cause, with_cause);
    if (has_exception(thread)) return nullptr;
  }
  return exception.get();
}

Thrown throw_constructed(JavaThread* thread, const Symbol* class_name, Handle message, Handle cause) MAY_SAFEPOINT {
  Object* exception = construct(thread, class_name, message, cause);
  if (exception != nullptr) throw_object(thread, exception);
  return {};
}

void log_throw(JavaThread* thread, Object* exception) TOUCHES_OBJECTS {
  Object* message = exception->get_reference(well_known::Throwable_detail_message);
  std::string text = message == nullptr ? std::string() : ": " + string_to_utf8(message);
  const char* where = "in the VM";
  std::string method_name;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    method_name = activation.method()->external_name();
    where = method_name.c_str();
    break;
  }
  log::print(log::TagSet::exceptions, log::Level::info, "Exception <a '{}'{}> thrown ({})",
             exception->klass()->name->text(), text, where);
}

// --- errors and messages allocated at start --------------------------------------------------------------------------

constexpr u32 preallocated_count = 4;
constexpr i32 preallocated_depth = 64;
struct PreallocatedError {
  // An error with an unused backtrace of preallocated_depth elements and room for as many mirrors. The last error has
  // no backtrace.
  Handle error;
};
PreallocatedError preallocated[preallocated_count + 1];
std::atomic<u32> preallocated_taken;
// The messages of errors that are thrown when there is no memory for a message.
Handle heap_space_message, overhead_limit_message;
Handle message_made_beforehand(std::string_view message) {
  if (message == heap::exhausted_message) return heap_space_message;
  return message == heap::overhead_limit_message ? overhead_limit_message : Handle();
}

// Writes at most `limit` frames, innermost first, to `backtrace`, unless that is null. Returns the number of frames.
// Does not allocate.
i32 record_frames(JavaThread* thread, Object* throwable, u64* backtrace, i32 limit) TOUCHES_OBJECTS {
  const Klass* klass = throwable->klass();
  static const Symbol* fill = Symbol::intern("fillInStackTrace");
  enum { InFill, InConstructors, Kept } part = InFill;
  i32 count = 0;
  bool is_below_hidden = false;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (count == limit) break;
    const Method* method = activation.method();
    if (part == InFill) {
      if (method->name == fill && klass->is_subtype_of(method->holder)) continue;
      part = InConstructors;
    }
    if (part == InConstructors) {
      if (method->is_initializer() && klass->is_subtype_of(method->holder)) continue;
      part = Kept;
    }
    if (method->hidden_frame && !flags::ShowHiddenFrames) {
      is_below_hidden |= count == 0;
      continue;
    }
    if (backtrace != nullptr) backtrace[count] = pack(activation) | (count == 0 && is_below_hidden ? below_hidden : 0);
    ++count;
  }
  return count;
}

i32 depth_limit() {
  return flags::MaxJavaStackTraceDepth == 0 ? INT32_MAX : static_cast<i32>(flags::MaxJavaStackTraceDepth);
}

// The number of frames that one pass records in a buffer on the native stack. A deeper trace (up to
// -XX:MaxJavaStackTraceDepth) is first counted, then walked again.
constexpr i32 one_pass_depth = 1024;

// The long[] of a backtrace.
Object* frames_of(Object* backtrace) TOUCHES_OBJECTS {
  return backtrace->klass()->kind == KlassKind::ReferenceArray ? backtrace->reference_at(0) : backtrace;
}
const Klass* holder_of(u64 entry) { return method_of(entry)->holder; }

// Calls visit(mirror) for each class of the frames that may be unloaded. It skips repeated classes of adjacent frames
// only.
template <typename Visit> void for_each_mortal_mirror(const u64* entries, i32 depth, Visit&& visit) TOUCHES_OBJECTS {
  const Klass* previous = nullptr;
  for (i32 i = 0; i < depth; ++i) {
    const Klass* holder = holder_of(entries[i]);
    if (holder->liveness != nullptr && holder != previous) visit(holder->mirror);
    previous = holder;
  }
}

// Combines `frames` with the mirrors that it must keep alive, if any. Null: no memory.
Object* with_mirrors(JavaThread* thread, Object* frames) MAY_SAFEPOINT {
  i32 depth = frames->length(), mirrors = 0;
  for_each_mortal_mirror(frames->elements<u64>(), depth, [&](Object*) { ++mirrors; });
  if (mirrors == 0) [[likely]]
    return frames;
  Klass* klass = array_klass_of(thread, well_known::Object_class);
  if (klass == nullptr) return nullptr;
  HandleScope scope(thread);
  Handle rooted = scope.make(frames);
  Object* both = heap::allocate_array(thread, klass, 1 + mirrors);  // keeps the methods, which are still on the stack
  if (both == nullptr) return nullptr;
  NoSafepoint no_safepoint;
  barrier::store_element(both, 0, rooted.get());
  i32 next = 1;
  for_each_mortal_mirror(rooted->elements<u64>(), depth,
                         [&](Object* mirror) TOUCHES_OBJECTS { barrier::store_element(both, next++, mirror); });
  return both;
}

// Fills the throwable's backtrace. False: there is no memory for one.
bool fill_in(JavaThread* thread, Handle throwable) MAY_SAFEPOINT {
  u64 recorded[one_pass_depth];
  i32 limit = depth_limit();
  i32 depth = record_frames(thread, throwable.get(), recorded, std::min(limit, one_pass_depth));
  bool complete = depth < one_pass_depth || limit == one_pass_depth;
  if (!complete) depth = record_frames(thread, throwable.get(), nullptr, limit);
  Object* backtrace = heap::allocate_array(thread, primitive_array_klass(BasicType::Long), depth);
  if (backtrace == nullptr) return false;
  {
    NoSafepoint no_safepoint;
    u64* elements = backtrace->elements<u64>();
    if (complete) memcpy(elements, recorded, static_cast<usize>(depth) * sizeof(u64));
    else record_frames(thread, throwable.get(), elements, depth);
  }
  backtrace = with_mirrors(thread, backtrace);
  if (backtrace == nullptr) return false;
  NoSafepoint no_safepoint;
  barrier::store(throwable.get(), well_known::Throwable_backtrace, backtrace);
  throwable->set<i32>(well_known::Throwable_depth, depth);
  barrier::store(throwable.get(), well_known::Throwable_stack_trace, nullptr);
  return true;
}

// Allocates an OutOfMemoryError. Null, with nothing pending: there is no memory for it.
Object* make_out_of_memory(JavaThread* thread, std::string_view message) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Klass* klass = resolve_class(thread, names::java_lang_OutOfMemoryError, boot_loader());
  if (klass == nullptr) {
    take_exception(thread);
    return nullptr;
  }
  Object* object = heap::allocate_instance(thread, klass);
  if (object == nullptr) return nullptr;
  Handle error = scope.make(object);
  if (Handle known = message_made_beforehand(message)) {
    barrier::store(error.get(), well_known::Throwable_detail_message, known.get());
  } else if (!message.empty()) {
    object = heap::allocate_array(thread, primitive_array_klass(BasicType::Byte), static_cast<i32>(message.size()));
    if (object == nullptr) return nullptr;
    Handle bytes = scope.make(object);
    memcpy(object->elements<char>(), message.data(), message.size());
    object = heap::allocate_instance(thread, well_known::String_class);
    if (object == nullptr) return nullptr;
    barrier::store(object, well_known::String_value, bytes.get());
    barrier::store(error.get(), well_known::Throwable_detail_message, object);
  }
  if (flags::StackTraceInThrowable && !fill_in(thread, error)) return nullptr;
  return error.get();
}

}  // namespace

// --- throwing --------------------------------------------------------------------------------------------------------

Thrown throw_object(JavaThread* thread, Object* exception) {
  KEYHOLE_ASSERT(exception != nullptr, "throwing null");
  thread->pending_exception = exception;
  if (log::enabled(log::TagSet::exceptions, log::Level::info)) log_throw(thread, exception);
  return {};
}

Thrown throw_message(JavaThread* thread, const Symbol* class_name, const char* message_or_null, Handle cause) {
  HandleScope scope(thread);
  Handle message;
  if (message_or_null != nullptr) {
    Object* text = make_string_utf8(thread, message_or_null);
    if (text == nullptr) return {};
    message = scope.make(text);
  }
  return throw_constructed(thread, class_name, message, cause);
}

Thrown throw_message(JavaThread* thread, const Symbol* class_name, const std::string& message) {
  HandleScope scope(thread);
  Object* text = make_string_utf8(thread, message);
  if (text == nullptr) return {};
  return throw_constructed(thread, class_name, scope.make(text), {});
}

bool initialize_exceptions(JavaThread* thread) {
  HandleScope scope(thread);
  Klass* resolved = resolve_class(thread, names::java_lang_OutOfMemoryError, boot_loader());
  if (resolved == nullptr) return false;
  if (!link_class(thread, resolved->as_instance())) return false;
  if (Klass* overflow = resolve_class(thread, names::java_lang_StackOverflowError, boot_loader());
      overflow == nullptr || !link_class(thread, overflow->as_instance()))
    return false;
  for (auto [message, handle] : {std::pair{heap::exhausted_message, &heap_space_message},
                                 {heap::overhead_limit_message, &overhead_limit_message}}) {
    Object* text = make_string(thread, message);
    if (text == nullptr) return false;
    *handle = GlobalHandles::make(text);
  }
  for (u32 i = 0; i <= preallocated_count; ++i) {
    Object* error = heap::allocate_instance(thread, resolved);
    KEYHOLE_CHECK(error != nullptr, "no memory for the preallocated OutOfMemoryErrors");
    barrier::store(error, well_known::Throwable_detail_message, heap_space_message.get());
    preallocated[i].error = GlobalHandles::make(error);
    if (i == preallocated_count) break;
    Object* backtrace = heap::allocate_array(thread, primitive_array_klass(BasicType::Long), preallocated_depth);
    KEYHOLE_CHECK(backtrace != nullptr, "no memory for the preallocated OutOfMemoryErrors");
    barrier::store(preallocated[i].error.get(), well_known::Throwable_backtrace, backtrace);
    Klass* object_array = array_klass_of(thread, well_known::Object_class);
    if (object_array == nullptr) return false;
    Object* both = heap::allocate_array(thread, object_array, 1 + preallocated_depth);
    KEYHOLE_CHECK(both != nullptr, "no memory for the preallocated OutOfMemoryErrors");
    barrier::store_element(both, 0, preallocated[i].error->get_reference(well_known::Throwable_backtrace));
    barrier::store(preallocated[i].error.get(), well_known::Throwable_backtrace, both);
  }
  return true;
}

bool initialize_thrown_classes(JavaThread* thread) {
  for (const Symbol* name : {names::java_lang_OutOfMemoryError, names::java_lang_StackOverflowError,
                             names::java_lang_InternalError, names::java_lang_NullPointerException,
                             names::java_lang_ClassCastException, names::java_lang_ArrayStoreException,
                             names::java_lang_ArithmeticException, names::java_lang_ArrayIndexOutOfBoundsException,
                             names::java_lang_NegativeArraySizeException, names::java_lang_IllegalMonitorStateException,
                             names::java_lang_IllegalArgumentException, names::java_lang_NoClassDefFoundError,
                             names::java_lang_ClassNotFoundException, names::java_lang_ExceptionInInitializerError}) {
    Klass* klass = resolve_class(thread, name, boot_loader());
    if (klass == nullptr || !initialize_class(thread, klass->as_instance())) return false;
  }
  return true;
}

Thrown throw_out_of_memory(JavaThread* thread, const char* message) {
  if (std::string_view(message) == heap::exhausted_message) message = heap::failure_message(thread);
  // Before the preallocated errors exist, not even the error's class need fit into memory: the VM ends.
  if (preallocated[preallocated_count].error.slot() == nullptr)
    vm_exit_during_initialization("OutOfMemoryError: {}", message);
  report_out_of_memory(thread, message);
  // Tries an ordinary error first. Only allocations that may fail quietly are used, because code that throws would come
  // back here.
  if (Object* error = make_out_of_memory(thread, message)) return throw_object(thread, error);
  u32 index = preallocated_taken.load(std::memory_order_relaxed);
  while (index < preallocated_count &&
         !preallocated_taken.compare_exchange_weak(index, index + 1, std::memory_order_relaxed)) {
  }
  Object* error = preallocated[index].error.get();
  if (index < preallocated_count) {
    NoSafepoint no_safepoint;
    if (Handle known = message_made_beforehand(message))
      barrier::store(error, well_known::Throwable_detail_message, known.get());
    Object* backtrace = error->get_reference(well_known::Throwable_backtrace);
    u64* frames = frames_of(backtrace)->elements<u64>();
    i32 depth = record_frames(thread, error, frames, preallocated_depth), next = 1;
    for_each_mortal_mirror(frames, depth,
                           [&](Object* mirror) TOUCHES_OBJECTS { barrier::store_element(backtrace, next++, mirror); });
    error->set<i32>(well_known::Throwable_depth, depth);
    // A preallocated error belongs to its thrower from now on.
    GlobalHandles::release(preallocated[index].error);
  }
  return throw_object(thread, error);
}

Thrown throw_illegal_monitor_state(JavaThread* thread) {
  return throw_message(thread, names::java_lang_IllegalMonitorStateException, nullptr);
}

Thrown throw_stack_overflow(JavaThread* thread) {
  // No stack is left for Java code, so this does the constructor's work itself.
  HandleScope scope(thread);
  Klass* klass = resolve_class(thread, names::java_lang_StackOverflowError, boot_loader());
  if (klass == nullptr) return {};
  Object* object = heap::allocate_instance(thread, klass);
  if (object == nullptr) return throw_out_of_memory(thread, "Java heap space");
  Handle error = scope.make(object);
  fill_in_stack_trace(thread, error);
  if (has_exception(thread)) return {};
  // The overflow may have interrupted the call that ends a scoped value's binding. Clearing the field makes the library
  // search the stack for the bindings in force (Thread.findScopedValueBindings).
  if (well_known::Thread_scoped_value_bindings != 0 && thread->thread_object != nullptr)
    barrier::store(thread->thread_object, well_known::Thread_scoped_value_bindings, nullptr);
  return throw_object(thread, error.get());
}

// --- backtraces ------------------------------------------------------------------------------------------------------

void fill_in_stack_trace(JavaThread* thread, Handle throwable) {
  if (flags::StackTraceInThrowable && !fill_in(thread, throwable)) throw_out_of_memory(thread, "Java heap space");
}

BacktraceEntry backtrace_entry(const Object* throwable, i32 index) {
  return entry_of_backtrace(throwable->get_reference(well_known::Throwable_backtrace), index);
}

BacktraceEntry entry_of_backtrace(Object* backtrace, i32 index) {
  if (backtrace == nullptr) return {};
  backtrace = frames_of(backtrace);
  if (index < 0 || index >= backtrace->length()) return {};
  u64 entry = backtrace->elements<u64>()[index];
  u64 bci = entry & 0xFFFF;
  return {method_of(entry), bci == native_bci ? -1 : static_cast<i32>(bci), (entry & below_hidden) != 0};
}

// "java.base@17.0.9/" of a class of java.base; empty for classes of unnamed modules.
static std::string module_prefix(const InstanceKlass* holder) TOUCHES_OBJECTS {
  const Object* module = holder->mirror->get_reference(well_known::Class_module);
  Object* name = module == nullptr ? nullptr : module->get_reference(well_known::Module_name);
  if (name == nullptr) return {};
  Object* version = module->get_reference(well_known::Module_version);
  return version == nullptr ? string_to_utf8(name) + "/"
                            : fmt::format("{}@{}/", string_to_utf8(name), string_to_utf8(version));
}

void print_throwable(JavaThread* thread, Handle throwable, FILE* out) {
  std::string text = throwable->klass()->name->dotted();
  if (Object* message = throwable->get_reference(well_known::Throwable_detail_message))
    text += ": " + string_to_utf8(message);
  print_text(out, "{}\n", text);
  i32 depth = throwable->get<i32>(well_known::Throwable_depth);
  for (i32 i = 0; i < depth; ++i) {
    BacktraceEntry entry = backtrace_entry(throwable.get(), i);
    if (entry.method == nullptr) break;
    const InstanceKlass* holder = entry.method->holder;
    std::string place = "Unknown Source";
    i32 line = entry.bci < 0 ? -2 : entry.method->line_of(static_cast<u32>(entry.bci));
    if (line == -2) place = "Native Method";
    else if (holder->source_file != nullptr)
      place = line < 0 ? holder->source_file->string() : fmt::format("{}:{}", holder->source_file->text(), line);
    print_text(out, "\tat {}.{}({}{})\n", holder->name->dotted(), entry.method->name->text(), module_prefix(holder),
               place);
  }
  Object* cause = throwable->get_reference(well_known::Throwable_cause);
  if (cause != nullptr && cause != throwable.get()) {
    HandleScope scope(thread);
    print_text(out, "Caused by: ");
    print_throwable(thread, scope.make(cause), out);
  }
}

}  // namespace keyhole
