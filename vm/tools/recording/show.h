// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --show FILE: a recording as text, as JSON lines or for Perfetto.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "runtime/recorder/recording.h"
#include "vm/tools/recording/wait_facts.h"

namespace keyhole::recording {

// `words`: the command line after --show. Returns the exit code.
int show(std::span<char*> words);

// An event's fields in the order of events.def, as names and readable values: "object" -> "7 (Account)".
struct ShownField {
  std::string_view name;
  recorder::FieldType type;
  u32 value;
  std::string text;
};
std::vector<ShownField> fields_of(const recorder::Recording& recording, const recorder::Entry& entry);
// Returns the word for the cause of an event `inflate`.
std::string_view cause_name(u32 cause);
// Returns the name of a class as a user of it knows it: "java.util.concurrent.locks.ReentrantLock$NonfairSync" becomes
// "java.util.concurrent.locks.ReentrantLock". Other names stay as they are.
std::string shown_class(std::string_view name);
// Returns the number of the object that an event is about, or 0.
u32 object_of(const recorder::Entry& entry);

void show_as_text(const recorder::Recording& recording, FILE* out);
void show_as_json(const recorder::Recording& recording, FILE* out);
// Prints which threads waited for locks, and for which owners. As JSON: a line per thread, owner and object.
void show_waits(const recorder::Recording& recording, const std::vector<Wait>& waits, bool as_json, FILE* out);
// Prints the stacks of the execution samples, each with its number of samples: collapsed, as the tools for flame graphs
// read them, or as JSON lines.
void show_stacks(const recorder::Recording& recording, bool as_json, FILE* out);
// Returns the stack as text: the names of its methods, outermost first, separated by semicolons.
std::string collapsed_stack(const recorder::Recording& recording, u32 stack);
void show_for_perfetto(const recorder::Recording& recording, FILE* out);

}  // namespace keyhole::recording
