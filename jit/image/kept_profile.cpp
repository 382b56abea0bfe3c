// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and reads profiles. One function walks over all counters for both directions.
#include "jit/image/kept_profile.h"

#include <fmt/format.h>

#include "jit/image/byte_stream.h"
#include "runtime/base/fnv_hash.h"
#include "vm/interpreter/method_data.h"
#include "vm/link/linker.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::image {
namespace {

u64 hash_of_bytecodes(const Method* method) {
  u64 hash = fnv_hash({reinterpret_cast<const char*>(method->code), method->code_length});
  return fnv_hash({reinterpret_cast<const char*>(method->handlers), method->handler_count * sizeof(ExceptionHandler)},
                  hash);
}

// Calls on_counter for each counter and on_types for each type profile of the method, in a fixed order.
template <typename OnCounter, typename OnTypes>
void for_each_counter(MethodData& data, OnCounter&& on, OnTypes&& types) {
  on(data.calls);
  for (Counter& trap : data.traps) on(trap);
  for (u32 instruction = 0; instruction < data.instruction_count; ++instruction) {
    if (data.site_offsets[instruction] == 0) continue;
    switch (data.kind_of(instruction)) {
      case SiteKind::None: break;
      case SiteKind::Branch:
        on(data.at<BranchProfile>(instruction)->taken);
        on(data.at<BranchProfile>(instruction)->not_taken);
        break;
      case SiteKind::Jump: on(data.at<JumpProfile>(instruction)->taken); break;
      case SiteKind::Switch: {
        SwitchProfile* profile = data.at<SwitchProfile>(instruction);
        for (u32 i = 0; i <= profile->count; ++i) on(profile->targets[i]);
        break;
      }
      case SiteKind::Types: types(*data.at<TypeProfile>(instruction)); break;
    }
  }
}

u64 value_of(const Counter& counter) { return counter.value.load(std::memory_order_relaxed); }
void set(Counter& counter, u64 value) { counter.value.store(value, std::memory_order_relaxed); }

}  // namespace

std::string name_of(const Method* method) {
  std::string name(method->holder->name->text());
  name += '.';
  name += method->name->text();
  name += ' ';
  name += method->descriptor->text();
  return fmt::format("{} {:016x}", name, hash_of_bytecodes(method));
}

std::optional<NameParts> parts_of_name(std::string_view name) {
  usize space = name.find(' '), last = name.rfind(' '), dot = name.rfind('.', space);
  if (space == std::string_view::npos || last == space || dot == std::string_view::npos || dot > space) return {};
  return NameParts{name.substr(0, dot), name.substr(dot + 1, space - dot - 1),
                   name.substr(space + 1, last - space - 1)};
}

std::string profile_to_bytes(const Method* method) {
  MethodData& data = *method->data.load(std::memory_order_acquire);
  ByteWriter out;
  out.put(static_cast<u32>(flags::TypeProfileWidth));
  out.put(data.instruction_count);
  for (const TrapProfile& row : data.trap_sites) {
    out.put(row.site.load(std::memory_order_relaxed));
    out.put(value_of(row.raised));
  }
  auto put_types = [&](const TypeProfile& profile) {
    out.put(value_of(profile.nulls));
    out.put(value_of(profile.others));
    for (u32 i = 0; i < TypeProfile::width(); ++i) {
      u32 id = profile.rows[i].klass_id.load(std::memory_order_relaxed);
      out.put_text(id == 0 ? std::string_view() : klass_of_id(id)->name->text());
      out.put(value_of(profile.rows[i].count));
    }
  };
  for_each_counter(data, [&](const Counter& counter) { out.put(value_of(counter)); }, put_types);
  return out.take();
}

bool make_profile(Method* method, std::string_view bytes) {
  ByteReader in(bytes);
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  if (in.get<u32>() != flags::TypeProfileWidth || in.get<u32>() != body->instruction_count) return false;
  bool is_new;
  MethodData& data = *interpreter::make_method_data(method, &is_new);
  if (!is_new) return false;
  for (TrapProfile& row : data.trap_sites) {
    row.site.store(in.get<u32>(), std::memory_order_relaxed);
    set(row.raised, in.get<u64>());
  }
  auto get_types = [&](TypeProfile& profile) {
    set(profile.nulls, in.get<u64>());
    u64 others = in.get<u64>();
    for (u32 i = 0; i < TypeProfile::width(); ++i) {
      std::string_view name = in.get_text();
      u64 count = in.get<u64>();
      if (name.empty()) continue;
      const Klass* klass = nullptr;
      if (SymbolHandle symbol = Symbol::find(name)) klass = find_loaded_class(symbol, method->holder->loader);
      TypeRow* row = klass == nullptr ? nullptr : profile.row_of(klass->id);
      if (row != nullptr) set(row->count, count);
      else others += count;
    }
    set(profile.others, others);
  };
  for_each_counter(data, [&](Counter& counter) { set(counter, in.get<u64>()); }, get_types);
  return true;
}

}  // namespace keyhole::image
