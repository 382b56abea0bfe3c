// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class initialisation: the twelve steps of JVMS 5.5, by their numbers.
//
//   thread A                                   thread B
//   1 lock; Linked -> BeingInitialized (A)
//   7 superclass, 9 <clinit>                   2 sees BeingInitialized by A: waits
//   10 lock; -> Initialized, notify            4 returns
//   or 11, 12 -> Erroneous, notify             5 NoClassDefFoundError: Could not initialize class X
//
// Thread A itself may reach X again during steps 7 and 9: step 3 lets it pass.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "gc/barrier.h"
#include "runtime/base/log.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/threads/points.h"
#include "runtime/threads/races/races.h"
#include "vm/link/class_state.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

bool is_error(const Object* exception) TOUCHES_OBJECTS {
  for (const Klass* klass = exception->klass(); klass != nullptr; klass = klass->super) {
    if (klass->loader->is_boot() && klass->name->text() == "java/lang/Error") return true;
  }
  return false;
}

std::string text_field(const Object* holder, u32 offset) TOUCHES_OBJECTS {
  Object* text = holder == nullptr ? nullptr : holder->get_reference(offset);
  return text == nullptr ? std::string() : string_to_utf8(text);
}

// Calls Throwable.getStackTrace. Its elements are text only and refer to no classes. Null: it failed.
Object* stack_trace_of(JavaThread* thread, Handle exception) MAY_SAFEPOINT {
  Method* get_stack_trace = find_method(well_known::Throwable_class, Symbol::intern("getStackTrace"),
                                        Symbol::intern("()[Ljava/lang/StackTraceElement;"));
  KEYHOLE_CHECK(get_stack_trace != nullptr, "Throwable has no getStackTrace");
  Slot arguments[] = {slot_of(exception)};
  Object* trace = object_of(call_java_virtual(thread, get_stack_trace, arguments));
  if (!has_exception(thread)) return trace;
  take_exception(thread);
  return nullptr;
}

// The longest detail of a failure's message, in bytes. HotSpot's buffer has no room for more.
constexpr usize most_detail_bytes = 1999;

std::string shortened(std::string text, usize bytes) {
  if (text.size() <= bytes) return text;
  auto continues = [&](usize at) { return (text[at] & 0xc0) == 0x80; };
  while (bytes > 0 && continues(bytes)) --bytes;  // no part of a character
  text.resize(bytes);
  return text;
}

// Makes the cause that later attempts get: an ExceptionInInitializerError with text and stack trace of the first
// failure. It keeps alive neither the program's exception object nor the classes of the frames, as a backtrace would.
// Null: it cannot be made.
Object* describe_failure(JavaThread* thread, Handle failure) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle trace = scope.make(stack_trace_of(thread, failure));
  std::string message = text_field(failure.get(), well_known::Throwable_detail_message);
  std::string detail =
      fmt::format("{} [in thread \"{}\"]", message, text_field(thread->thread_object, well_known::Thread_name));
  std::string text = fmt::format("Exception {}{}{}", external_name(failure->klass()), message.empty() ? "" : ": ",
                                 shortened(std::move(detail), most_detail_bytes));
  throw_message(thread, names::java_lang_ExceptionInInitializerError, text);
  Handle description = scope.make(take_exception(thread));
  if (!description || description->klass()->name != names::java_lang_ExceptionInInitializerError) return nullptr;
  if (!trace) trace = scope.make(stack_trace_of(thread, description));  // if the program's own getStackTrace failed
  if (!trace) return nullptr;
  barrier::store(description.get(), well_known::Throwable_backtrace, nullptr);
  barrier::store(description.get(), well_known::Throwable_stack_trace, trace.get());
  return description.get();
}

Thrown throw_earlier_failure(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle cause = scope.make(klass->initialization_error);
  std::string message = fmt::format("Could not initialize class {}", external_name(klass));
  if (!cause) return throw_message(thread, names::java_lang_NoClassDefFoundError, message);
  return throw_message(thread, names::java_lang_NoClassDefFoundError, message.c_str(), cause);
}

void finish(JavaThread* thread, InstanceKlass* klass, ClassState state) {
  if (races::is_on()) [[unlikely]]
    races::release(thread, klass->mirror, races::of_initialization);
  points::class_initialized(klass->mirror);
  ClassStateLock lock(thread);
  klass->initializing_thread = nullptr;
  klass->state.store(state, std::memory_order_release);
  lock.notify_all();
}

// Steps 7, 8, 11 and 12 after an exception: makes the class Erroneous and throws the exception again.
bool fail(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle failure = scope.make(take_exception(thread));
  klass->initialization_error = describe_failure(thread, failure);
  finish(thread, klass, ClassState::Erroneous);
  throw_object(thread, failure.get());
  return false;
}

bool declares_default_method(const InstanceKlass* interface) {
  for (u32 i = 0; i < interface->method_count; ++i) {
    const Method* method = interface->methods[i];
    if (!method->is_abstract() && !method->is_static()) return true;
  }
  return false;
}

// Step 7 for interfaces: initialises those that declare a default method, superinterfaces first.
bool initialize_superinterfaces(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  for (u32 i = 0; i < klass->interface_count; ++i) {
    InstanceKlass* interface = klass->interfaces[i];
    if (!interface->has_default_methods) continue;
    if (!initialize_superinterfaces(thread, interface)) return false;
    if (declares_default_method(interface) && !initialize_class(thread, interface)) return false;
  }
  return true;
}

// The VM sets the statics of jdk.internal.misc.UnsafeConstants after their initialiser has set them to 0.
void set_unsafe_constants(InstanceKlass* klass) TOUCHES_OBJECTS {
  auto set = [klass](const char* name, const char* descriptor, i32 value) TOUCHES_OBJECTS {
    const Field* field = klass->find_declared_field(Symbol::intern(name), Symbol::intern(descriptor));
    KEYHOLE_CHECK(field != nullptr, "UnsafeConstants has no {}", name);
    if (field->type == BasicType::Boolean) klass->mirror->set<u8>(field->offset, static_cast<u8>(value));
    else klass->mirror->set<i32>(field->offset, value);
  };
  set("ADDRESS_SIZE0", "I", 8);
  set("PAGE_SIZE", "I", static_cast<i32>(sysconf(_SC_PAGESIZE)));
  set("BIG_ENDIAN", "Z", 0);
  set("UNALIGNED_ACCESS", "Z", 1);
  set("DATA_CACHE_LINE_FLUSH_SIZE", "I", 0);
}

bool run_initializer(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  static std::atomic<u32> counter;
  if (log::enabled(log::TagSet::class_init, log::Level::info)) {
    KEYHOLE_LOG(info, class_init, "{} Initializing '{}'{} (0x{:016x})", counter.fetch_add(1), klass->name->text(),
                klass->class_initializer == nullptr ? "(no method)" : "", reinterpret_cast<uptr>(klass));
  }
  if (recorder::is_on(recorder::Family::classes)) [[unlikely]]
    recorder::record(recorder::Kind::class_initializes, recorder::text(klass->name->dotted()));
  if (klass->class_initializer == nullptr) return true;
  call_java(thread, klass->class_initializer, {});
  if (has_exception(thread)) return false;
  if (klass->loader->is_boot() && klass->name->text() == "jdk/internal/misc/UnsafeConstants")
    set_unsafe_constants(klass);
  return true;
}

// Initialises ConstantDescs before PrimitiveClassDescImpl. These two classes of library 25 need each other, and only
// this order works. HotSpot links the first lambda by Java code, and this initialises them in the right order.
bool initialize_forerunner(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT {
  if (!klass->loader->is_boot() || klass->name->text() != "jdk/internal/constant/PrimitiveClassDescImpl") return true;
  Klass* first = resolve_class(thread, Symbol::intern("java/lang/constant/ConstantDescs"), klass->loader);
  return first != nullptr && initialize_class(thread, first->as_instance());
}

}  // namespace

bool initialize_class(JavaThread* thread, InstanceKlass* klass) {
  if (klass->is_initialized()) [[likely]] {
    if (races::is_on()) [[unlikely]]
      races::acquire(thread, klass->mirror, races::of_initialization);
    points::use_class(klass->mirror);
    return true;
  }
  if (!link_class(thread, klass) || !initialize_forerunner(thread, klass)) return false;
  bool failed_before = false;
  {
    ClassStateLock lock(thread);  // 1
    while (klass->state.load(std::memory_order_relaxed) == ClassState::BeingInitialized &&
           klass->initializing_thread != thread) {
      lock.wait();  // 2
    }
    ClassState state = klass->state.load(std::memory_order_relaxed);
    if (state == ClassState::BeingInitialized || state == ClassState::Initialized) return true;  // 3, 4
    failed_before = state == ClassState::Erroneous;
    if (!failed_before && state == ClassState::Linked) {
      klass->initializing_thread = thread;  // 6
      klass->state.store(ClassState::BeingInitialized, std::memory_order_release);
    } else if (!failed_before) {
      return true;  // this thread is linking the class; its next use tries again
    }
  }
  if (failed_before) return throw_earlier_failure(thread, klass);  // 5

  if (!klass->is_interface()) {  // 7
    if (klass->super != nullptr && !initialize_class(thread, klass->super->as_instance())) return fail(thread, klass);
    if (klass->has_default_methods && !initialize_superinterfaces(thread, klass)) return fail(thread, klass);
  }
  if (run_initializer(thread, klass)) {              // 9
    finish(thread, klass, ClassState::Initialized);  // 10
    return true;
  }
  HandleScope scope(thread);
  Handle thrown = scope.make(take_exception(thread));
  klass->initialization_error = describe_failure(thread, thrown);
  finish(thread, klass, ClassState::Erroneous);                           // 12
  if (is_error(thrown.get())) return throw_object(thread, thrown.get());  // 11
  return throw_message(thread, names::java_lang_ExceptionInInitializerError, nullptr, thrown);
}

}  // namespace keyhole
