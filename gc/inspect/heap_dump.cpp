// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of a dump: names, classes, frames and traces, then segments of classes, objects and roots.
//
// D1: every object that a heap walk meets is dumped once: as a class when it is the mirror of a loaded class, else as
//     instance or array.
// D2: every referenced id is that of an object or class of the dump. The describer's klasses are those of the klass
//     table, as the collector sees them.
// D3: the values of an instance are the fields of its class, then those of the superclasses; each class's in the order
//     of its class dump.
#include "gc/inspect/heap_dump.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <unordered_map>
#include <unordered_set>

#include "gc/collection.h"
#include "gc/heap/heap.h"
#include "gc/heap/space.h"
#include "gc/inspect/description.h"
#include "gc/inspect/hprof.h"
#include "gc/root_set.h"
#include "gc/scan.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/print.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace keyhole::gc::inspect {
namespace {

using hprof::SubTag;
using hprof::Tag;

constexpr u32 no_frames_trace = 1;  // the serial number of the empty trace, which all objects name

u8 type_tag(BasicType type) { return type == BasicType::Reference ? hprof::type_object : static_cast<u8>(type); }

class Dump {
 public:
  explicit Dump(hprof::Writer& out) : out_(out) {}

  void write() TOUCHES_OBJECTS {
    timeval now;
    gettimeofday(&now, nullptr);
    out_.header(static_cast<u64>(now.tv_sec) * 1000 + static_cast<u64>(now.tv_usec) / 1000);
    describe_classes();
    write_names();
    write_load_classes();
    write_traces();
    write_class_dumps();
    write_objects();
    write_roots();
    out_.end_segment();
    out_.end(Tag::HeapDumpEnd);
  }

 private:
  struct Class {
    const Klass* klass = nullptr;  // null: no such id
    std::vector<FieldDescription> own;
    std::vector<FieldDescription> instance;  // D3
    u32 instance_value_bytes = 0;
  };
  struct Thread {
    JavaThread* thread;
    std::vector<FrameDescription> frames;
  };

  static Object* mirror_of(const Klass* klass) { return klass == nullptr ? nullptr : klass->mirror; }

  // --- what is known before the first byte ---------------------------------------------------------------------------
  void describe_classes() {
    classes_.resize(klass_count() + 1);
    for_each_klass([&](Klass* klass) {
      if (klass->mirror == nullptr || klass->is_primitive()) return;
      Class& described = classes_[klass->id];
      described.klass = klass;
      names_.insert(klass->name);
      if (klass->is_array()) return;
      describer().fields(klass, described.own);
      for (const FieldDescription& field : described.own) names_.insert(field.name);
    });
    for (Class& described : classes_) {
      if (described.klass == nullptr) continue;
      for (const Klass* klass = described.klass; klass != nullptr; klass = klass->super) {
        for (const FieldDescription& field : classes_[klass->id].own) {
          if (field.is_static) continue;
          described.instance.push_back(field);
          described.instance_value_bytes += value_bytes(field.type);
        }
      }
    }
    threads::for_each([&](JavaThread* thread) {
      if (thread->thread_object == nullptr) return;
      Thread& described = threads_.emplace_back();
      described.thread = thread;
      describer().frames(thread, described.frames);
      for (const FrameDescription& frame : described.frames) {
        for (const Symbol* name : {frame.method, frame.descriptor, frame.source_file})
          if (name != nullptr) names_.insert(name);
      }
    });
  }
  static u32 value_bytes(BasicType type) { return type == BasicType::Reference ? 8 : 1u << element_shift(type); }

  // --- records -------------------------------------------------------------------------------------------------------
  void write_names() {
    for (const Symbol* name : names_) {
      out_.id(name);
      out_.bytes(name->text().data(), name->text().size());
      out_.end(Tag::Utf8);
    }
  }

  // The serial number of a class is its klass id.
  void write_load_classes() {
    for (const Class& described : classes_) {
      if (described.klass == nullptr) continue;
      out_.number<u32>(described.klass->id);
      out_.id(described.klass->mirror);
      out_.number<u32>(no_frames_trace);
      out_.id(described.klass->name);
      out_.end(Tag::LoadClass);
    }
  }

  static u32 thread_serial(usize index) { return static_cast<u32>(index) + 1; }
  static u32 trace_serial(usize index) { return no_frames_trace + 1 + static_cast<u32>(index); }

  void write_traces() {
    write_trace(no_frames_trace, 0, 0, 0);
    u64 frame_id = 0;
    for (usize i = 0; i < threads_.size(); ++i) {
      u64 first = frame_id + 1;
      for (const FrameDescription& frame : threads_[i].frames) {
        out_.number<u64>(++frame_id);
        out_.id(frame.method);
        out_.id(frame.descriptor);
        out_.id(frame.source_file);
        out_.number<u32>(frame.holder->id);
        constexpr i32 hprof_unknown = -1, hprof_native = -3;
        out_.number<i32>(frame.line > 0 ? frame.line : frame.line == -2 ? hprof_native : hprof_unknown);
        out_.end(Tag::Frame);
      }
      write_trace(trace_serial(i), thread_serial(i), first, static_cast<u32>(threads_[i].frames.size()));
    }
  }
  void write_trace(u32 serial, u32 thread, u64 first_frame, u32 count) {
    out_.number<u32>(serial);
    out_.number<u32>(thread);
    out_.number<u32>(count);
    for (u32 i = 0; i < count; ++i) out_.number<u64>(first_frame + i);
    out_.end(Tag::Trace);
  }

  // --- classes -------------------------------------------------------------------------------------------------------
  void write_value(Object* holder, const FieldDescription& field) TOUCHES_OBJECTS {
    if (field.type == BasicType::Reference) return out_.id(holder->get_reference(field.offset));
    switch (element_shift(field.type)) {
      case 0: return out_.number(holder->get<u8>(field.offset));
      case 1: return out_.number(holder->get<u16>(field.offset));
      case 2: return out_.number(holder->get<u32>(field.offset));
      default: return out_.number(holder->get<u64>(field.offset));
    }
  }

  void write_class_dumps() TOUCHES_OBJECTS {
    for (const Class& described : classes_) {
      if (described.klass == nullptr) continue;
      const Klass* klass = described.klass;
      out_.begin(SubTag::ClassDump);
      out_.id(klass->mirror);
      out_.number<u32>(no_frames_trace);
      // In a dump, interfaces have no superclass: their Klass::super only simplifies the subtype test.
      out_.id(klass->is_interface() ? nullptr : mirror_of(klass->super));
      out_.id(describer().loader(klass));
      for (int unused = 0; unused < 4; ++unused) out_.id(nullptr);  // signers, protection domain, two reserved
      out_.number<u32>(klass->is_array() ? 0 : klass->instance_bytes);
      out_.number<u16>(0);  // constant pool
      u16 statics = 0;
      for (const FieldDescription& field : described.own) statics += field.is_static;
      out_.number<u16>(statics);
      for (const FieldDescription& field : described.own) {
        if (!field.is_static) continue;
        out_.id(field.name);
        out_.number(type_tag(field.type));
        write_value(klass->mirror, field);
      }
      out_.number<u16>(static_cast<u16>(described.own.size() - statics));
      for (const FieldDescription& field : described.own) {
        if (field.is_static) continue;
        out_.id(field.name);
        out_.number(type_tag(field.type));
      }
    }
  }

  // --- objects -------------------------------------------------------------------------------------------------------
  void write_objects() {
    auto write = [](Object* object, void* self) TOUCHES_OBJECTS { static_cast<Dump*>(self)->write_object(object); };
    heap::for_each_object(write, this);
  }

  void write_object(Object* object) TOUCHES_OBJECTS {
    const Klass* klass = object->klass();
    if (klass->kind == KlassKind::PrimitiveArray) return write_primitive_array(object, klass);
    if (klass->kind == KlassKind::ReferenceArray) return write_reference_array(object, klass);
    if (klass->kind == KlassKind::Mirror) {
      const Klass* mirrored = klass_of_mirror(object);
      // D1: the mirror was dumped as a class.
      if (mirrored != nullptr && mirrored->mirror == object && classes_[mirrored->id].klass == mirrored) return;
    }
    const Class& described = classes_[klass->id];
    out_.begin(SubTag::InstanceDump);
    out_.id(object);
    out_.number<u32>(no_frames_trace);
    out_.id(klass->mirror);
    out_.number<u32>(described.instance_value_bytes);
    for (const FieldDescription& field : described.instance) write_value(object, field);
  }

  // The number of elements to write. The bytes of a sub-record must fit a record's 32-bit length, so longer arrays are
  // cut.
  static u32 length_to_write(const Object* array, u64 element_bytes, u64 head_bytes) TOUCHES_OBJECTS {
    u64 length = static_cast<u64>(array->length()), most = (u64{UINT32_MAX} - head_bytes) / element_bytes;
    if (length <= most) return static_cast<u32>(length);
    print_text("cannot dump array of type {} with length {}; truncating to length {}\n",
               describer().external_name(array->klass()), length, most);
    return static_cast<u32>(most);
  }
  // Begins an array's sub-record. A large array gets a segment of its own.
  bool begin_array(SubTag tag, u64 bytes) {
    bool is_long = bytes > hprof::Writer::segment_bytes;
    if (is_long) out_.begin_long_segment(bytes);
    out_.begin(tag);
    return is_long;
  }

  void write_reference_array(Object* array, const Klass* klass) TOUCHES_OBJECTS {
    constexpr u64 head_bytes = 1 + 8 + 4 + 4 + 8;
    u32 length = length_to_write(array, 8, head_bytes);
    bool is_long = begin_array(SubTag::ObjectArrayDump, head_bytes + u64{length} * 8);
    out_.id(array);
    out_.number<u32>(no_frames_trace);
    out_.number<u32>(length);
    out_.id(klass->mirror);
    constexpr u32 piece = 8192;
    for (u32 i = 0; i < length; ++i) {
      if (is_long && i % piece == 0) out_.stream();
      out_.id(array->reference_at(static_cast<i32>(i)));
    }
    if (is_long) out_.stream();
  }

  void write_primitive_array(Object* array, const Klass* klass) TOUCHES_OBJECTS {
    constexpr u64 head_bytes = 1 + 8 + 4 + 4 + 1;
    u64 element_bytes = u64{1} << klass->element_shift;
    u32 length = length_to_write(array, element_bytes, head_bytes);
    bool is_long = begin_array(SubTag::PrimitiveArrayDump, head_bytes + length * element_bytes);
    out_.id(array);
    out_.number<u32>(no_frames_trace);
    out_.number<u32>(length);
    out_.number(type_tag(klass->element_type));
    const char* elements = reinterpret_cast<const char*>(array) + Object::element_offset(klass->element_shift, 0);
    constexpr u32 piece = 65536;
    for (u32 from = 0; from < length; from += piece) {
      if (is_long) out_.stream();
      u32 count = std::min(piece, length - from);
      const char* start = elements + from * element_bytes;
      switch (klass->element_shift) {
        case 0: out_.bytes(start, count); break;
        case 1: write_elements<u16>(start, count); break;
        case 2: write_elements<u32>(start, count); break;
        default: write_elements<u64>(start, count); break;
      }
    }
    if (is_long) out_.stream();
  }
  template <typename T> void write_elements(const char* start, u32 count) {
    for (u32 i = 0; i < count; ++i) {
      T value;
      memcpy(&value, start + i * sizeof(T), sizeof(T));
      out_.number(value);
    }
  }

  // --- roots ---------------------------------------------------------------------------------------------------------
  void root(SubTag tag, const Object* object) {
    out_.begin(tag);
    out_.id(object);
  }

  void write_roots() {
    for (usize i = 0; i < threads_.size(); ++i) write_thread_roots(i);
    visit_global_handles([&](Object** slot) {
      if (*slot == nullptr) return;
      root(SubTag::RootJniGlobal, *slot);
      out_.id(slot);
    });
    for (const Class& described : classes_) {
      if (described.klass != nullptr && describer().loader(described.klass) == nullptr)
        root(SubTag::RootStickyClass, described.klass->mirror);
    }
    // All other roots: loaders, constants, references that wait for their queue and so on. Roots that were written
    // above are written again.
    auto unknown = [&](Object* object) {
      if (object != nullptr) root(SubTag::RootUnknown, object);
    };
    RootVisitorOf visitor([&](Object** slot) { unknown(*slot); }, [&](NarrowRef* slot) { unknown(decode(*slot)); });
    for (const NamedProvider& provider : strong_roots()) {
      std::string_view name = provider.name;
      if (name != "Threads" && name != "Stacks" && name != "Global Handles") provider.provider(visitor);
    }
    // Adds threads of the VM that are hidden from Java.
    threads::for_each([&](JavaThread* thread) {
      if (thread->thread_object != nullptr) return;
      visit_handles(thread, [&](Object** slot) { unknown(*slot); });
      describer().frame_roots(
          thread, [](Object* object, i32, void* self) { static_cast<Dump*>(self)->root(SubTag::RootUnknown, object); },
          this);
    });
  }

  void write_thread_roots(usize index) {
    JavaThread* thread = threads_[index].thread;
    root(SubTag::RootThreadObject, thread->thread_object);
    out_.number<u32>(thread_serial(index));
    out_.number<u32>(trace_serial(index));
    struct Context {
      Dump* dump;
      u32 serial;
    } context{this, thread_serial(index)};
    describer().frame_roots(
        thread,
        [](Object* object, i32 frame, void* argument) {
          auto* context = static_cast<Context*>(argument);
          context->dump->root(frame < 0 ? SubTag::RootNativeStack : SubTag::RootJavaFrame, object);
          context->dump->out_.number<u32>(context->serial);
          if (frame >= 0) context->dump->out_.number<u32>(static_cast<u32>(frame));
        },
        &context);
    std::unordered_set<const Object*> locked;
    for (u32 i = 0; i < thread->lock_stack_top; ++i) locked.insert(thread->lock_stack[i]);
    for (u32 i = 0; i < thread->lock_record_top; ++i) locked.insert(thread->lock_records[i].object);
    locked.erase(nullptr);
    for (const Object* object : locked) root(SubTag::RootMonitorUsed, object);
    visit_handles(thread, [&](Object** slot) {
      if (*slot == thread->thread_object || locked.contains(*slot)) return;
      root(SubTag::RootNativeStack, *slot);
      out_.number<u32>(thread_serial(index));
    });
  }

  hprof::Writer& out_;
  std::vector<Class> classes_;  // by klass id
  std::vector<Thread> threads_;
  std::unordered_set<const Symbol*> names_;
};

Compression chosen_compression() {
  return flags::HeapDumpZstdLevel > 0   ? Compression::zstd
         : flags::HeapDumpGzipLevel > 0 ? Compression::gzip
                                        : Compression::none;
}

}  // namespace

std::string next_dump_path() {
  static std::atomic<u32> dumps;
  const char* suffixes[] = {"", ".gz", ".zst"};
  std::string own_name = fmt::format("java_pid{}.hprof{}", getpid(), suffixes[static_cast<u32>(chosen_compression())]);
  std::string path = flags::HeapDumpPath;
  struct stat status;
  if (path.empty()) path = own_name;
  else if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    path += (path.ends_with('/') ? "" : "/") + own_name;
  u32 number = dumps.fetch_add(1);
  return number == 0 ? path : fmt::format("{}.{}", path, number);
}

DumpResult write_dump(JavaThread* thread, const std::string& path, i64 gzip_level) {
  Compression compression = gzip_level > 0 ? Compression::gzip : chosen_compression();
  i64 level = gzip_level > 0                     ? gzip_level
              : compression == Compression::zstd ? flags::HeapDumpZstdLevel
                                                 : flags::HeapDumpGzipLevel;
  DumpFile file(compression, static_cast<int>(level));
  if (!file.create(path)) return {.error = file.error()};
  auto operation = [&]() TOUCHES_OBJECTS {
    hprof::Writer writer(file);
    Dump(writer).write();
    // The histogram counts the objects that are in the dump.
    if (log::enabled(log::TagSet::gc_heap, log::Level::trace)) heap::print_class_histogram(stdout);
  };
  safepoint::run(thread, "HeapDump", operation);
  bool complete = file.close();
  return {.created = true, .error = complete ? "" : file.error(), .bytes = file.file_bytes()};
}

std::string write_dump_and_report(JavaThread* thread, const std::string& path, i64 gzip_level, DumpResult& result) {
  i64 start = hardware::now_nanoseconds();
  result = write_dump(thread, path, gzip_level);
  if (!result.created) return fmt::format("Unable to create {}: {}\n", path, result.error);
  if (!result.error.empty()) return fmt::format("Dump file is incomplete: {}\n", result.error);
  return fmt::format("Heap dump file created [{} bytes in {:.3f} secs]\n", result.bytes,
                     static_cast<f64>(hardware::now_nanoseconds() - start) / 1e9);
}

bool dump_heap(JavaThread* thread, const std::string& path) {
  print_text("Dumping heap to {} ...\n", path);
  fflush(stdout);
  DumpResult result;
  print_text("{}", write_dump_and_report(thread, path, 0, result));
  fflush(stdout);
  return result.created && result.error.empty();
}

}  // namespace keyhole::gc::inspect
