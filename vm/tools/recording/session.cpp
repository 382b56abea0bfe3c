// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends recordings, and provides sites and the names of threads.
#include "vm/tools/recording/session.h"

#include <fmt/format.h>

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.management/diagnostic_commands.h"
#include "gc/heap/heap.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/recording/coalescing.h"
#include "runtime/sync/recording/recorded.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "vm/frames/recorded_deoptimization.h"
#include "vm/interpreter/interpreter.h"
#include "vm/tools/recording/execution_sampler.h"
#include "vm/tools/recording/sites.h"
#include "vm/tools/recording/state_of_threads.h"

namespace keyhole::recording {

namespace {

bool joined_running_vm = false;  // jcmd has started the current recording; changed by the thread that runs the commands

// Writes what no single event records: names of threads, counts of coalesced pairs of enter and exit, and the owners of
// awaited locks, which the recording does not know if it began in a running VM.
void complete(JavaThread* thread, bool is_end = false) MAY_SAFEPOINT {
  if (!recorder::is_recording()) return;
  natives::WaitNames names = natives::wait_names();
  auto tell_all = [&]() TOUCHES_OBJECTS {
    if (joined_running_vm) record_owners_of_awaited_locks(names);
    threads::for_each([](JavaThread* each) TOUCHES_OBJECTS { natives::name_in_recording(each); });
    sync::coalescing::end_all();
    if (is_end) interpreter::record_entries_of_loops(false);
  };
  safepoint::run(thread, "CompleteRecording", tell_all);
}

std::string stop(JavaThread* thread) MAY_SAFEPOINT {
  sync::coalescing::allow(false);
  complete(thread, true);
  return recorder::stop();
}

std::string start_at(const std::string& path, std::string_view events) {
  u32 families = 0;
  if (std::string problem = recorder::parse_families(events, families); !problem.empty()) return problem;
  sync::recorded::site_names = names_of_sites;
  std::string problem = recorder::start(path, families);
  if (problem.empty()) {
    sync::coalescing::allow(flags::RecordLockRuns && recorder::replaces_fast_paths());
    heap::record_regions();
    interpreter::record_entries_of_loops(recorder::is_on(recorder::Family::code));
  }
  return problem;
}

std::string answer(const std::string& problem, std::string_view done) {
  return fmt::format("{}\n", problem.empty() ? done : std::string_view(problem));
}

}  // namespace

std::string begin() {
  if (flags::StartRecording.empty()) return {};
  u32 families = 0;
  if (std::string problem = recorder::parse_families(flags::RecordEvents, families); !problem.empty())
    return "RecordEvents: " + problem;
  if ((families & recorder::bit_of(recorder::Family::locks)) != 0) recorder::set_replaces_fast_paths();
  std::string problem = start_at(flags::StartRecording, flags::RecordEvents);
  return problem.empty() ? problem : "StartRecording: " + problem;
}

void end(JavaThread* thread) {
  if (!recorder::is_recording()) return;
  if (std::string problem = stop(thread); !problem.empty()) print_text(stderr, "[warning] {}\n", problem);
}

void add_commands() {
  using natives::DiagnosticArguments;
  using enum natives::ParameterType;
  natives::add_diagnostic_command(
      {.name = "Recording.dump",
       .description = "Write what has been recorded so far to the recording's file, and go on recording.",
       .impact = "Low",
       .permission = natives::control_permission,
       .run = [](JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
         complete(thread);
         return answer(recorder::dump(), "The recording's file has everything up to now.");
       }});
  natives::add_diagnostic_command(
      {.name = "Recording.start",
       .description = "Record what the VM does in a file. Locks that are free when they are taken are recorded only "
                      "in a VM that was started with -XX:StartRecording.",
       .impact = "Low",
       .permission = natives::control_permission,
       .run =
           [](JavaThread* thread, const DiagnosticArguments& arguments) MAY_SAFEPOINT {
             std::string problem;
             natives::WaitNames names = natives::wait_names();
             auto start = [&]() TOUCHES_OBJECTS {
               problem = start_at(*arguments.text("filename"), *arguments.text("events"));
               if (!problem.empty()) return;
               joined_running_vm = true;
               record_state_of_threads(names);
             };
             safepoint::run(thread, "StartRecording", start);
             if (problem.empty()) start_execution_sampler(thread);
             return answer(problem, "Recording.");
           },
       .options = {{.name = "events",
                    .description = "Families of events, separated by commas, or all",
                    .type = text,
                    .default_text = "all"}},
       .arguments = {{.name = "filename", .description = "The recording's file", .type = file, .mandatory = true}}});
  natives::add_diagnostic_command({.name = "Recording.stop",
                                   .description = "End the recording and close its file.",
                                   .impact = "Low",
                                   .permission = natives::control_permission,
                                   .run = [](JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
                                     return answer(stop(thread), "The recording is complete.");
                                   }});
}

}  // namespace keyhole::recording
