// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Release-specific behaviour: how the VM itself behaves, or words its messages, as java of the library's release does,
// where no member of a class tells releases apart.
#pragma once

#include "vm/classfile/class_file_parser.h"
#include "vm/classfile/class_path.h"

namespace keyhole::release {

// Thread.stop throws a ThreadDeath, which no other exception replaces. Later releases do not stop threads.
inline bool has_thread_death() { return library_is_within(0, 19); }

// Reflection generates accessors as bytecode, below MagicAccessorImpl.
inline bool has_reflection_accessors() { return library_is_within(0, 23); }

// NoSuchFieldError names the class and the type, too.
inline bool names_missing_field_in_full() { return library_is_within(21, ~0u); }

// invokeinterface of conflicting defaults is an IncompatibleClassChangeError that names them, before an
// AbstractMethodError.
inline bool names_conflicting_defaults() { return library_is_within(25, ~0u); }

// A sealed class that does not permit a subclass says why.
inline bool explains_sealed() { return library_is_within(25, ~0u); }

// The InternalError of a mapped file that has become shorter.
inline const char* memory_fault() {
  return library_is_within(21, ~0u)
             ? "a fault occurred in an unsafe memory access operation"
             : "a fault occurred in a recent unsafe memory access operation in compiled Java code";
}

// An interface that invokespecial must not name, by whichever kind of reference, "is not in a direct superinterface".
// Before only a reference to an interface's method was refused, as it "is in an indirect" one.
inline bool denies_direct_superinterface() { return library_is_within(25, ~0u); }

// The spelling in messages of the verifier for old class files.
inline const char* uninitialized_in_words() { return library_is_within(25, ~0u) ? "uninitialized" : "unitialized"; }

// A StackMapTable with fewer frames than it says has a wrong size; before, a frame was read beyond its end.
// What follows a table without frames does not matter.
inline bool compares_frame_count() { return library_is_within(25, ~0u); }

inline ReleaseNameRules release_name_rules() {
  bool is_old = library_is_within(0, 24);
  return {.checks_initializers_by_name = is_old, .allows_slash_at_end = is_old};
}

// A reflective call of another class's object names both classes.
inline bool names_wrong_receiver() { return library_is_within(25, ~0u); }

// A program that cannot be started: "Exec failed, error: 2 (...)", before "error=2, ...".
inline bool names_failed_step() { return library_is_within(25, ~0u); }

// Classes of lambdas are numbered: "Main$$Lambda$1/0x...", later "Main$$Lambda/0x...".
inline bool numbers_lambdas() { return library_is_within(0, 19); }

// Numbers of the system's threads in thread dumps: in decimal, beside the thread's own number and at the end.
inline bool shows_system_thread_twice() { return library_is_within(21, ~0u); }

// How an agent that cannot be read ends a start.
inline const char* failed_agent() {
  return library_is_within(21, ~0u) ? "agent library failed Agent_OnLoad" : "agent library failed to init";
}

// Diagnostic commands know permissions; they know files, in whose names %p is the process.
inline bool commands_have_permissions() { return library_is_within(0, 20); }
inline bool commands_know_files() { return library_is_within(25, ~0u); }

// Commands that came later: Thread.dump_to_file, and -parallel of GC.heap_dump.
inline bool dumps_threads_to_files() { return library_is_within(21, ~0u); }
inline bool dumps_heap_in_parallel() { return library_is_within(25, ~0u); }

// Tools may send requests in the second version of the attach protocol.
inline bool attaches_by_second_version() { return library_is_within(25, ~0u); }

// What begins the reason why a main class of a module is not loaded.
inline const char* before_reason_of_main_class() { return library_is_within(25, ~0u) ? "Caused by: " : "\t"; }

// A debugger's contended monitor of a thread in Object.wait is the object that it waits on.
inline bool contends_while_waiting() { return library_is_within(0, 22); }

// Of java.lang.management.
inline const char* management_version() { return library_is_within(21, ~0u) ? "4.0" : "3.0"; }

// com.sun.security.auth gives a user without an entry in the user database his numbers; before, 0 and no groups.
inline bool knows_users_without_entry() { return library_is_within(21, ~0u); }

// System.initPhase3 initialises StringConcatFactory, for the sake of security managers.
inline bool prepares_for_security_managers() { return library_is_within(0, 21); }

// A virtual thread can be unmounted while it waits for a monitor.
inline bool blocks_unmounted() { return library_is_within(25, ~0u); }

}  // namespace keyhole::release
