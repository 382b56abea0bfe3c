// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Generates the mutants of a lock.
#include "vm/tools/lab/mutants.h"

#include <fmt/format.h>

#include <cctype>

namespace keyhole::lab {

namespace {

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns the position after the bracket that closes the bracket at `open`, or npos if the line does not have it.
usize behind_bracket(std::string_view line, usize open) {
  u32 depth = 0;
  for (usize i = open; i < line.size(); ++i) {
    if (line[i] == '(') ++depth;
    if (line[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// The character right before `end` is a closing bracket. Returns the position of its opening bracket, or npos if the
// line does not have it.
usize opening_bracket(std::string_view line, usize end) {
  u32 depth = 0;
  for (usize i = end; i-- != 0;) {
    char c = line[i];
    if (c == ')' || c == ']') ++depth;
    if ((c == '(' || c == '[') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// Returns the beginning of the expression that ends right before `end`. An expression consists of names, dots, colons
// and arrows, with indices and calls.
usize begin_of_expression(std::string_view line, usize end) {
  while (end != 0) {
    char c = line[end - 1];
    if (c == ')' || c == ']') {
      usize open = opening_bracket(line, end);
      if (open == std::string_view::npos) break;
      end = open;
      continue;
    }
    bool is_arrow =
        (c == '>' && end > 1 && line[end - 2] == '-') || (c == '-' && end < line.size() && line[end] == '>');
    if (!is_part_of_name(c) && c != '.' && c != ':' && !is_arrow) break;
    --end;
  }
  return end;
}

struct Edit {
  std::string line, what;
};

void weaken_orders(std::string_view line, std::vector<Edit>& edits) {
  for (std::string_view order : {"acq_rel", "acquire", "release", "seq_cst"}) {
    for (usize at = line.find(order); at != std::string_view::npos; at = line.find(order, at + 1)) {
      usize end = at + order.size();
      bool is_argument =
          end < line.size() && line[end] == ')' && at != 0 && (line[at - 1] == ' ' || line[at - 1] == '(');
      if (!is_argument) continue;
      edits.push_back(
          {fmt::format("{}relaxed{}", line.substr(0, at), line.substr(end)), fmt::format("{} is relaxed", order)});
    }
  }
}

void remove_fences(std::string_view line, std::vector<Edit>& edits) {
  constexpr std::string_view fence = "fence();";
  usize at = line.find(fence);
  if (at == std::string_view::npos || (at != 0 && is_part_of_name(line[at - 1]))) return;
  edits.push_back({fmt::format("{};{}", line.substr(0, at), line.substr(at + fence.size())), "the fence is left out"});
}

void split_cas(std::string_view line, std::vector<Edit>& edits) {
  constexpr std::string_view name = "cas(";
  for (usize found = line.find(name); found != std::string_view::npos; found = line.find(name, found + 1)) {
    // The atomic cell is the expression before the dot or arrow.
    std::string_view before = line.substr(0, found);
    if (!before.ends_with('.') && !before.ends_with("->")) continue;
    const std::string_view access = before.ends_with('.') ? "." : "->";
    const std::string cas = fmt::format("{}{}", access, name);
    const usize at = found - access.size();
    usize begin = begin_of_expression(line, at), end = behind_bracket(line, at + cas.size() - 1);
    if (end == std::string_view::npos) continue;
    std::string_view cell = line.substr(begin, at - begin);
    std::string_view arguments = line.substr(at + cas.size(), end - 1 - at - cas.size());
    // Splits the arguments at the commas outside brackets.
    std::vector<std::string_view> parts;
    usize from = 0;
    u32 depth = 0;
    for (usize i = 0; i <= arguments.size(); ++i) {
      char c = i == arguments.size() ? ',' : arguments[i];
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? ~0u : 0;
      if (c != ',' || depth != 0) continue;
      parts.push_back(arguments.substr(from, i - from));
      from = i + 1;
    }
    if (parts.size() != 3) continue;
    edits.push_back(
        {fmt::format("{}({}{}load(acquire) == ({}) && ({}{}store({}, release), true)){}", line.substr(0, begin), cell,
                     access, parts[0], cell, access, parts[1], line.substr(end)),
         "the CAS is a load and a store"});
  }
}

void drop_wake_ups(std::string_view line, std::vector<Edit>& edits) {
  for (std::string_view call : {".open(", "->open(", ".changed(", "lab::wake<W>("}) {
    usize at = line.find(call);
    if (at == std::string_view::npos) continue;
    usize end = behind_bracket(line, at + call.size() - 1);
    if (end == std::string_view::npos || end >= line.size() || line[end] != ';') continue;
    // The statement begins after the last blank outside brackets.
    usize begin = at;
    u32 depth = 0;
    while (begin != 0) {
      char c = line[begin - 1];
      if (c == ')') ++depth;
      if (c == '(' && depth-- == 0) break;
      if (c == ' ' && depth == 0) break;
      --begin;
    }
    edits.push_back({fmt::format("{}{}", line.substr(0, begin), line.substr(end)), "the wake-up is left out"});
  }
}

}  // namespace

std::vector<Mutant> mutants_of(std::string_view text) {
  std::vector<Mutant> mutants;
  u32 number = 0;
  for (usize begin = 0; begin < text.size();) {
    usize end = std::min(text.find('\n', begin), text.size());
    std::string_view whole = text.substr(begin, end - begin);
    std::string_view line = whole.substr(0, whole.find("//"));  // M2
    ++number;
    std::vector<Edit> edits;
    split_cas(line, edits);
    drop_wake_ups(line, edits);
    remove_fences(line, edits);
    weaken_orders(line, edits);
    for (const Edit& edit : edits)
      mutants.push_back({number, edit.what, fmt::format("{}{}{}", text.substr(0, begin), edit.line, text.substr(end))});
    begin = end + 1;
  }
  return mutants;
}

}  // namespace keyhole::lab
