// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+PrintMethodData: profiles as text, beside the bytecode.
//
//   ------------------------------------------------------------------------
//   Shapes.area(Shape[])
//     calls 1000, 424 bytes; null_check 1
//     line   bci
//       12     0: iconst_0
//       13     2: iload_1
//                 loop: entered 1000 times, 3000 backward branches, 3.0 each
//       13     5: if_icmpge 30
//                 taken 1000, not taken 3000
//       14    12: invokevirtual #7 Shape.area()I
//                 Square 2000, Circle 1000
#include <fmt/format.h>

#include "runtime/base/print.h"
#include "vm/bytecode_disassembler.h"
#include "vm/bytecodes.h"
#include "vm/interpreter/method_data.h"
#include "vm/link/loading/loader_names.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::interpreter {
namespace {

constexpr const char* trap_names[] = {"null_check",  "range_check", "class_check",
                                      "array_check", "div0_check",  "negative_size"};
static_assert(std::size(trap_names) == static_cast<usize>(Trap::count));

std::string describe(const TypeProfile& profile) {
  struct Row {
    std::string name;
    u32 count;
  };
  std::vector<Row> rows;
  for (u32 i = 0; i < TypeProfile::width(); ++i) {
    u32 id = profile.rows[i].klass_id.load(std::memory_order_relaxed);
    if (id != 0) rows.push_back({external_name(klass_of_id(id)), profile.rows[i].count.read()});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& left, const Row& right) { return left.count > right.count; });
  if (u32 others = profile.others.read()) rows.push_back({"other classes", others});
  if (u32 nulls = profile.nulls.read()) rows.push_back({"null", nulls});
  std::string text;
  for (const Row& row : rows) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.name, row.count);
  return text;
}

std::string describe(const SwitchProfile& profile, const bytecode::Switch& cases) {
  std::string text;
  for (u32 i = 0; i < profile.count; ++i) {
    if (u32 count = profile.targets[i].read()) text += fmt::format("{}: {}, ", cases.key(i), count);
  }
  return text + fmt::format("default: {}", profile.targets[profile.count].read());
}

std::string describe(const MethodData& data, u32 instruction) {
  switch (data.kind_of(instruction)) {
    case SiteKind::None: return {};
    case SiteKind::Branch: {
      const BranchProfile* profile = data.at<BranchProfile>(instruction);
      return fmt::format("taken {}, not taken {}", profile->taken.read(), profile->not_taken.read());
    }
    case SiteKind::Jump: return fmt::format("taken {}", data.at<JumpProfile>(instruction)->taken.read());
    case SiteKind::Switch:
      return describe(
          *data.at<SwitchProfile>(instruction),
          bytecode::Switch(data.method->code, data.method->body.load(std::memory_order_acquire)->bcis[instruction]));
    case SiteKind::Types: return describe(*data.at<TypeProfile>(instruction));
  }
}

}  // namespace

std::string describe(const MethodData& data) {
  const Method* method = data.method;
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  std::string text = fmt::format("{}\n  calls {}, {} bytes", method->external_name(), data.calls.read(), data.bytes);
  for (u32 trap = 0; trap < std::size(trap_names); ++trap) {
    if (u32 count = data.traps[trap].read()) text += fmt::format("; {} {}", trap_names[trap], count);
  }
  text += "\n  line   bci\n";
  std::vector<LoopProfile> loops = loops_of(data);
  auto note = [&](const std::string& line) {
    if (!line.empty()) text += fmt::format("              {}\n", line);
  };
  for (u32 instruction = 0; instruction < data.instruction_count; ++instruction) {
    u32 bci = body->bcis[instruction];
    for (const LoopProfile& loop : loops) {
      if (loop.header == instruction && loop.back_edges != 0) {
        note(fmt::format("loop: entered {} times, {} backward branches, {:.1f} each", loop.entered, loop.back_edges,
                         loop.trips()));
      }
    }
    i32 line = method->line_of(bci);
    text += fmt::format("{:>6} {:>5}: {}\n", line < 0 ? "" : fmt::format("{}", line), bci, disassemble(method, bci));
    note(describe(data, instruction));
    for (u32 trap = 0; trap < std::size(trap_names); ++trap) {
      if (u32 count = data.traps_at(instruction, static_cast<Trap>(trap)))
        note(fmt::format("{} {}", trap_names[trap], count));
    }
  }
  return text;
}

void print_method_data() {
  fflush(stdout);
  for_each_klass([](Klass* klass) {
    if (!klass->is_instance()) return;
    for (u32 i = 0; i < klass->as_instance()->method_count; ++i) {
      const MethodData* data = klass->as_instance()->methods[i]->data.load(std::memory_order_acquire);
      if (data != nullptr)
        print_text("------------------------------------------------------------------------\n{}", describe(*data));
    }
  });
  fflush(stdout);
}

}  // namespace keyhole::interpreter
