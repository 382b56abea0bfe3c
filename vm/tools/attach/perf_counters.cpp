// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Publishes the VM's counters under the names and units that jdk.jvmstat and its tools expect.
#include "vm/tools/attach/perf_counters.h"

#include <fmt/format.h>
#include <time.h>

#include "classlib/natives/java.base/lang/system_properties.h"
#include "runtime/base/execution_mode.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/process/perf_data.h"
#include "vm/classfile/class_path.h"

namespace keyhole::attach {

namespace {

using perf_data::Units;
using perf_data::Variability;

void add_text(std::string_view name, std::string_view text) {
  perf_data::add_text(name, Variability::constant, text, 0);
}
void add_property(std::string_view name, std::string_view text) {
  add_text(fmt::format("{}.property.{}", name.starts_with("sun.") ? "sun" : "java", name), text);
}

// The capabilities of this VM, one character each: the first says whether tools can attach, the second whether they can
// send commands.
constexpr std::string_view attachable = "1100000000000000000000000000000000000000000000000000000000000000";
constexpr std::string_view not_attachable = "0000000000000000000000000000000000000000000000000000000000000000";

i64 epoch_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return i64{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// The flags that HotSpot has read from a flags file (.hotspotrc). Keyhole reads no such file.
constexpr std::string_view flags_of_file = "";

}  // namespace

void publish_perf_counters(const std::string& command) {
  i64 since_start = (hardware::now_nanoseconds() - log::start_nanoseconds()) / 1'000'000, now = epoch_milliseconds();
  add_text("sun.rt.jvmCapabilities", flags::DisableAttachMechanism ? not_attachable : attachable);
  add_text("sun.rt.javaCommand", command);
  add_text("java.rt.vmFlags", flags_of_file);
  add_text("java.rt.vmArgs", natives::joined_runtime_arguments());
  for (const auto& [name, value] : natives::properties_of_vm()) add_property(name, value);
  perf_data::add_number("sun.rt.createVmBeginTime", Units::none, Variability::variable, now - since_start);
  perf_data::add_number("sun.rt.createVmEndTime", Units::none, Variability::variable, now);
  perf_data::add_number("sun.os.hrt.frequency", Units::hertz, Variability::constant, 1'000'000'000);
  perf_data::publish();
}

}  // namespace keyhole::attach
