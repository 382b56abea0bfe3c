// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the map of a frame in the method's cache, which the first call fills.
//
// R1: Method::frame_maps goes from null to its final value once (CAS, release); a loser frees its copy. So there is no
//     lock, and a collector may compute maps wherever Java threads have stopped.
// R2: An unusual bci (no safepoint by bytecodes.def) uses maps made for that call only.
#include "vm/verify/frame_map.h"

#include "runtime/base/check.h"
#include "vm/link/verification.h"
#include "vm/metadata/instance_klass.h"
#include "vm/verify/frame_map_builder.h"

namespace keyhole {
namespace {

[[noreturn]] void refuse_to_run(const Method* method, const std::string& reason) {
  KEYHOLE_FATAL("ill-typed code is running unverified: {}.{}{}: {}", method->holder->name->text(), method->name->text(),
                method->descriptor->text(), reason);
}

// Returns the method's maps, computed at first need. Null: the code is ill-typed, and `reason` says why.
FrameMaps* cached_maps(Method* method, std::string& reason) {
  if (FrameMaps* maps = method->frame_maps.load(std::memory_order_acquire)) return maps;
  OwnedFrameMaps made = build_frame_maps(method, reason);
  if (made == nullptr) return nullptr;
  FrameMaps* winner = nullptr;
  if (method->frame_maps.compare_exchange_strong(winner, made.get(), std::memory_order_acq_rel)) return made.release();
  return winner;
}

// Chooses among the entries of several subroutine contexts at one bci: the one whose return addresses are in the frame.
const FrameMapEntry* choose(const FrameMaps* maps, const FrameMapEntry* first, const Method* method,
                            const Slot* locals) {
  const FrameMapEntry* end = maps->entries() + maps->entry_count;
  if (locals == nullptr || first + 1 == end || first[1].bci != first->bci) return first;
  for (const FrameMapEntry* entry = first; entry != end && entry->bci == first->bci; ++entry) {
    bool matches = true;
    if (entry->return_slots != FrameMapEntry::none) {
      for (const ReturnSlot* line = maps->return_slots() + entry->return_slots; line->slot != ReturnSlot::end; ++line) {
        // The address of a slot: operands lie above the locals, after the Frame.
        const Slot* value = locals + line->slot + (line->slot < method->max_locals ? 0 : sizeof(Frame) / sizeof(Slot));
        matches = matches && *value == line->return_bci;
      }
    }
    if (matches) return entry;
  }
  return first;
}

// Calls use(maps, entry) with the maps that know `bci`.
template <typename Use> auto with_entry(Method* method, u32 bci, const Slot* locals, Use&& use) {
  std::string reason;
  const FrameMaps* maps = cached_maps(method, reason);
  if (maps == nullptr) refuse_to_run(method, reason);
  if (const FrameMapEntry* entry = maps->find(bci)) return use(*maps, *choose(maps, entry, method, locals));
  OwnedFrameMaps special = build_frame_maps(method, reason, bci);
  const FrameMapEntry* entry = special == nullptr ? nullptr : special->find(bci);
  if (entry == nullptr) refuse_to_run(method, fmt::format("bci {} is not reachable", bci));
  return use(*special, *choose(special.get(), entry, method, locals));
}

}  // namespace

void for_each_live_reference(Method* method, u32 bci, bool in_call, void (*visit)(u32 slot, void* context),
                             void* context, const Slot* locals) {
  with_entry(method, bci, locals, [&](const FrameMaps& maps, const FrameMapEntry& entry) {
    u32 slots = u32{method->max_locals} + entry.depth - (in_call ? entry.argument_slots : 0);
    if (maps.words_per_map == 0) {
      u32 bits = slots >= 32 ? entry.bits : entry.bits & ((u32{1} << slots) - 1);
      for (; bits != 0; bits &= bits - 1) visit(static_cast<u32>(__builtin_ctz(bits)), context);
    } else {
      const u32* words = maps.words() + entry.bits;
      for (u32 first = 0; first < slots; first += 32) {
        u32 bits = words[first / 32];
        if (slots - first < 32) bits &= (u32{1} << (slots - first)) - 1;
        for (; bits != 0; bits &= bits - 1) visit(first + static_cast<u32>(__builtin_ctz(bits)), context);
      }
    }
  });
}

u32 operand_depth(Method* method, u32 bci) {
  return with_entry(method, bci, nullptr,
                    [](const FrameMaps&, const FrameMapEntry& entry) { return u32{entry.depth}; });
}

i32 operand_depth_if_reachable(Method* method, u32 bci) {
  std::string reason;
  const FrameMaps* maps = cached_maps(method, reason);
  if (maps == nullptr) refuse_to_run(method, reason);
  if (const FrameMapEntry* entry = maps->find(bci)) return entry->depth;
  OwnedFrameMaps special = build_frame_maps(method, reason, bci);
  const FrameMapEntry* entry = special == nullptr ? nullptr : special->find(bci);
  return entry == nullptr ? -1 : i32{entry->depth};
}

std::string frame_maps_fault(Method* method) {
  std::string reason;
  if (method->code != nullptr) cached_maps(method, reason);
  return reason;
}

void release_frame_maps(Method* method) { free(method->frame_maps.exchange(nullptr, std::memory_order_acq_rel)); }

}  // namespace keyhole
