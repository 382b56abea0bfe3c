// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Small natives: jdk.internal.misc.VM and CDS, number conversions, String, and other small classes.
#include <fmt/ranges.h>
#include <time.h>
#include <unistd.h>

#include <set>
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/system_properties.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/base/platform/wall_clock.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/classfile/class_path.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/metadata/packages.h"

namespace keyhole::natives {

// --- jdk.internal.misc.VM --------------------------------------------------------------------------------------------

void VM_initialize(JavaThread*) {}

// The nanoseconds between now and `offset_seconds` since the epoch; -1 when that is too far away for Clock.
i64 VM_getNanoTimeAdjustment(JavaThread*, i64 offset_seconds) {
  constexpr i64 nanoseconds_per_second = 1'000'000'000;
  i64 now = hardware::wall_clock_nanoseconds();
  constexpr i64 farthest_seconds = i64{1} << 32;
  i64 difference;
  if (__builtin_sub_overflow(now / nanoseconds_per_second, offset_seconds, &difference) ||
      difference > farthest_seconds || difference < -farthest_seconds)
    return -1;
  return difference * nanoseconds_per_second + now % nanoseconds_per_second;
}

namespace {
std::vector<std::string> arguments_of_vm;  // written before the VM boots
}  // namespace

void set_runtime_arguments(const std::vector<std::string>& options) { arguments_of_vm = options; }
const std::vector<std::string>& runtime_arguments() { return arguments_of_vm; }
std::string joined_runtime_arguments() { return fmt::format("{}", fmt::join(arguments_of_vm, " ")); }

Object* VM_getRuntimeArguments(JavaThread* thread) { return new_string_array(thread, arguments_of_vm); }
i64 VM_getuid(JavaThread*) { return getuid(); }
i64 VM_geteuid(JavaThread*) { return geteuid(); }
i64 VM_getgid(JavaThread*) { return getgid(); }
i64 VM_getegid(JavaThread*) { return getegid(); }

// --- jdk.internal.misc.CDS: there is no archive ----------------------------------------------------------------------

bool CDS_isDumpingClassList0(JavaThread*) { return false; }
bool CDS_isDumpingArchive0(JavaThread*) { return false; }
bool CDS_isSharingEnabled0(JavaThread*) { return false; }
i32 CDS_getCDSConfigStatus(JavaThread*) { return 0; }
bool CDS_needsClassInitBarrier0(JavaThread*, Handle) { return false; }
i64 CDS_getRandomSeedForDumping(JavaThread*) { return 0; }
void CDS_initializeFromArchive(JavaThread*, Handle) {}
void CDS_defineArchivedModules(JavaThread*, Handle, Handle) {}
void CDS_logLambdaFormInvoker(JavaThread*, Handle) {}
void CDS_dumpClassList(JavaThread*, Handle) {}
void CDS_dumpDynamicArchive(JavaThread*, Handle) {}

// --- numbers and strings ---------------------------------------------------------------------------------------------

i64 Double_doubleToRawLongBits(JavaThread*, f64 value) { return __builtin_bit_cast(i64, value); }
f64 Double_longBitsToDouble(JavaThread*, i64 bits) { return __builtin_bit_cast(f64, bits); }
i32 Float_floatToRawIntBits(JavaThread*, f32 value) { return __builtin_bit_cast(i32, value); }
f32 Float_intBitsToFloat(JavaThread*, i32 bits) { return __builtin_bit_cast(f32, bits); }

Object* String_intern(JavaThread* thread, Handle self) { return intern_string(thread, self); }
bool StringUTF16_isBigEndian(JavaThread*) { return false; }
bool AtomicLong_VMSupportsCS8(JavaThread*) { return true; }

// --- jdk.internal.loader.BootLoader ----------------------------------------------------------------------------------

// Does nothing: classes of the boot loader belong to JDK modules, and its unnamed module has none.
void BootLoader_setBootLoaderUnnamedModule0(JavaThread*, Handle) {}

Object* BootLoader_getSystemPackageNames(JavaThread* thread) {
  std::set<std::string_view> packages;
  for_each_klass([&](Klass* klass) {
    if (klass->is_instance() && klass->loader->is_boot()) packages.insert(package_of(klass));
  });
  packages.erase(std::string_view());
  std::vector<std::string> texts(packages.begin(), packages.end());
  return new_string_array(thread, texts);
}

// Returns "jrt:/java.base" for a package with a loaded class, else null.
Object* BootLoader_getSystemPackageLocation(JavaThread* thread, Handle package) {
  std::string name = string_to_modified_utf8(package.get());
  for (char& c : name)
    if (c == '.') c = '/';
  bool loaded = false;
  for_each_klass([&](Klass* klass) {
    loaded = loaded || (klass->is_instance() && klass->loader->is_boot() && package_of(klass) == name);
  });
  std::string_view module = loaded ? boot_module_of_package(name) : std::string_view();
  return module.empty() ? nullptr : make_string_utf8(thread, "jrt:/" + std::string(module));
}

// --- others ----------------------------------------------------------------------------------------------------------

// "sun.jvm.flags" would have the contents of a file of flags, which this VM does not read.
Object* VMSupport_initAgentProperties(JavaThread* thread, Handle properties) {
  if (properties.is_null()) return throw_null_pointer(thread);
  const auto* row = late::get<late::Properties>(thread);
  if (row == nullptr) return nullptr;
  const std::pair<std::string_view, std::string> values[] = {
      {"sun.java.command", java_command()}, {"sun.jvm.flags", ""}, {"sun.jvm.args", joined_runtime_arguments()}};
  for (const auto& [name, value] : values) {
    HandleScope scope(thread);
    Object* text = make_string_utf8(thread, name);
    if (text == nullptr) return nullptr;
    Handle key = scope.make(text);
    text = make_string_utf8(thread, value);
    if (text == nullptr) return nullptr;
    Slot arguments[] = {slot_of(properties), slot_of(key), slot_of(text)};
    call_java(thread, row->set_property, arguments);
    if (has_exception(thread)) return nullptr;
  }
  return properties.get();
}

Object* VMSupport_getVMTemporaryDirectory(JavaThread* thread) { return make_string(thread, "/tmp"); }

// Answers the compiler queries of jdk.incubator.vector. No tier emits vector instructions, so there are no lanes of any
// element type, and everything runs as Java code. (The result of the registration is ignored.)
i32 VectorSupport_registerNatives(JavaThread*) { return 0; }
i32 VectorSupport_getMaxLaneCount(JavaThread*, Handle) { return -1; }

Object* VectorSupport_getCPUFeatures(JavaThread* thread) { return make_string(thread, ""); }

bool PreviewFeatures_isPreviewEnabled(JavaThread*) { return preview_features_enabled; }

// Null makes the JDK map the image itself.
Object* NativeImageBuffer_getNativeMap(JavaThread*, Handle) { return nullptr; }

// For closing a shared memory segment: checks whether some thread is inside an access to any segment.
namespace {
bool no_segment_is_accessed(JavaThread* thread) MAY_SAFEPOINT {
  static const Symbol* accessor = Symbol::intern("jdk/internal/misc/ScopedMemoryAccess");
  bool idle = true;
  auto look = [&] {
    threads::for_each([&](JavaThread* each) {
      if (each == thread) return;
      for (const VirtualFrame& activation : virtual_frames(each)) {
        const InstanceKlass* holder = activation.method()->holder;
        if (holder->name == accessor && holder->loader->is_boot()) idle = false;
      }
    });
  };
  safepoint::run(thread, "CloseScope", look);
  return idle;
}
}  // namespace

// Returns false if some thread is inside; Java then refuses to close the segment.
bool ScopedMemoryAccess_closeScope0(JavaThread* thread, Handle, Handle, Handle) {
  return no_segment_is_accessed(thread);
}
bool ScopedMemoryAccess_closeScope0_21(JavaThread* thread, Handle, Handle) { return no_segment_is_accessed(thread); }
// Java has already marked the segment as closed. Waits until threads that are inside have ended their access; later
// accesses find the mark.
void ScopedMemoryAccess_closeScope0_25(JavaThread* thread, Handle, Handle, Handle) {
  constexpr i64 pause_nanoseconds = 100'000;
  while (!no_segment_is_accessed(thread)) {
    BlockedScope blocked(thread);
    timespec pause{0, pause_nanoseconds};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace keyhole::natives
