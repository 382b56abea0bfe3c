// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows a recording with one line per event: as text for people, and as JSON lines for jq.
#include <fmt/format.h>

#include "runtime/base/print.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

using recorder::Entry;
using recorder::FieldType;
using recorder::Recording;

namespace {

bool is_number(FieldType type) {
  return type == FieldType::object || type == FieldType::number || type == FieldType::bytes;
}

}  // namespace

//     12.345678  worker 1      lock_enter        object 7 (Account) at Bank.pay(Bank.java:12) bci 4, word 01->00
//     ms         thread        kind              fields
void show_as_text(const Recording& recording, FILE* out) {
  for (const Entry& entry : recording.entries) {
    std::string fields;
    for (const ShownField& field : fields_of(recording, entry)) {
      if (field.text.empty()) continue;
      if (!fields.empty()) fields += field.type == FieldType::site ? " " : ", ";
      fields += fmt::format("{} {}", field.name, for_terminal(field.text));
    }
    print_text(out, "{:>13.6f}  {:<12}  {:<16}  {}\n", static_cast<f64>(entry.nanoseconds) / 1e6,
               for_terminal(recording.thread_name(entry.thread)), row_of(entry.kind).name, fields);
  }
}

// {"ns":12345678,"thread":"worker 1","thread_id":17,"event":"lock_enter","object":7,"class":"Account","at":"...", ...}
void show_as_json(const Recording& recording, FILE* out) {
  for (const Entry& entry : recording.entries) {
    std::string line =
        fmt::format("{{\"ns\":{},\"thread\":{},\"thread_id\":{},\"event\":\"{}\"", entry.nanoseconds,
                    json_text(recording.thread_name(entry.thread)), entry.thread, row_of(entry.kind).name);
    for (const ShownField& field : fields_of(recording, entry)) {
      if (is_number(field.type)) line += fmt::format(",\"{}\":{}", field.name, field.value);
      else line += fmt::format(",\"{}\":{}", field.name, json_text(field.text));
      if (field.type == FieldType::thread) line += fmt::format(",\"{}_id\":{}", field.name, field.value);
      if (auto name = recording.class_of.find(field.value);
          field.type == FieldType::object && entry.kind != recorder::Kind::object && name != recording.class_of.end())
        line += fmt::format(",\"class\":{}", json_text(recording.text(name->second)));
    }
    print_text(out, "{}}}\n", line);
  }
}

}  // namespace keyhole::recording
