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

// For conflicting defaults invokeinterface throws an IncompatibleClassChangeError that names them; before it threw an
// AbstractMethodError.
inline bool names_conflicting_defaults() { return library_is_within(25, ~0u); }

// A sealed class that does not permit a subclass says why.
inline bool explains_sealed() { return library_is_within(25, ~0u); }

// The message of the InternalError when a mapped file has become shorter.
inline const char* memory_fault() {
  return library_is_within(21, ~0u)
             ? "a fault occurred in an unsafe memory access operation"
             : "a fault occurred in a recent unsafe memory access operation in compiled Java code";
}

// The message for an interface that invokespecial must not name says that it "is not in a direct superinterface", for
// any kind of reference. Before, only references to an interface's method were refused, as "is in an indirect" one.
inline bool denies_direct_superinterface() { return library_is_within(25, ~0u); }

// The verifier's spelling of "uninitialized" in messages for old class files.
inline const char* uninitialized_in_words() { return library_is_within(25, ~0u) ? "uninitialized" : "unitialized"; }

// A StackMapTable that has fewer frames than it says has a wrong size. Before, the verifier read a frame beyond its
// end. Bytes after a table that says it has no frames are ignored.
inline bool compares_frame_count() { return library_is_within(25, ~0u); }

inline ReleaseNameRules release_name_rules() {
  bool is_old = library_is_within(0, 24);
  return {.checks_initializers_by_name = is_old, .allows_slash_at_end = is_old};
}

// The message for a reflective call on an object of a wrong class names both classes.
inline bool names_wrong_receiver() { return library_is_within(25, ~0u); }

// The message for a program that cannot be started is "Exec failed, error: 2 (...)"; before it was "error=2, ...".
inline bool names_failed_step() { return library_is_within(25, ~0u); }

// Classes of lambdas are numbered: "Main$$Lambda$1/0x...", later "Main$$Lambda/0x...".
inline bool numbers_lambdas() { return library_is_within(0, 19); }

// Thread dumps show the OS's thread ids in decimal, beside the thread's own number and at the end.
inline bool shows_system_thread_twice() { return library_is_within(21, ~0u); }

// The message that ends a start because an agent cannot be read.
inline const char* failed_agent() {
  return library_is_within(21, ~0u) ? "agent library failed Agent_OnLoad" : "agent library failed to init";
}

// Diagnostic commands have a permission in their help text. Later ones have arguments of type FILE, in which %p stands
// for the process id.
inline bool commands_have_permissions() { return library_is_within(0, 20); }
inline bool commands_know_files() { return library_is_within(25, ~0u); }

// Commands that later releases have: Thread.dump_to_file, and the option -parallel of GC.heap_dump.
inline bool dumps_threads_to_files() { return library_is_within(21, ~0u); }
inline bool dumps_heap_in_parallel() { return library_is_within(25, ~0u); }

// Tools may send requests in the second version of the attach protocol.
inline bool attaches_by_second_version() { return library_is_within(25, ~0u); }

// The text before the reason why the main class of a module was not loaded.
inline const char* before_reason_of_main_class() { return library_is_within(25, ~0u) ? "Caused by: " : "\t"; }

// For a thread in Object.wait, a debugger gets the object that it waits on as its contended monitor.
inline bool contends_while_waiting() { return library_is_within(0, 22); }

// The version of java.lang.management.
inline const char* management_version() { return library_is_within(21, ~0u) ? "4.0" : "3.0"; }

// com.sun.security.auth gives the ids of a user who has no entry in the user database; before, 0 and no groups.
inline bool knows_users_without_entry() { return library_is_within(21, ~0u); }

// System.initPhase3 initialises StringConcatFactory, for the sake of security managers.
inline bool prepares_for_security_managers() { return library_is_within(0, 21); }

// A virtual thread can be unmounted while it waits for a monitor.
inline bool blocks_unmounted() { return library_is_within(25, ~0u); }

}  // namespace keyhole::release
