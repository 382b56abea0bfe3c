// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds maps from code in four steps:
//
//   1 types      forward over blocks to the fixed point (dataflow.h, slot_types.h)
//   2 replay     each block once more: references at each safepoint, locals read before written (use), written (def),
//                successors
//   3 liveness   backward over blocks:  in = use | (out - def) | in of the handlers that cover the block
//   4 maps       each block backward: references of step 2, locals among them only if live
//
// A local that a handler needs is live throughout its protected range, even after a store to it. So is the object that
// a method has locked at its entry (keeps_receiver).
#include "vm/verify/frame_map_builder.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "vm/verify/frame_map.h"
#include "vm/verify/slot_types.h"

namespace keyhole {
namespace {

// A row of bits in a shared pool.
class BitRows {
 public:
  explicit BitRows(u32 bits) : words_((bits + 63) / 64) {}
  u32 add() {
    pool_.resize(pool_.size() + words_);
    return static_cast<u32>(pool_.size() / std::max(words_, 1u)) - 1;
  }
  u64* row(u32 index) { return pool_.data() + usize{index} * words_; }
  u32 words() const { return words_; }

 private:
  u32 words_;
  std::vector<u64> pool_;
};

void set_bit(u64* row, u32 bit) { row[bit / 64] |= u64{1} << (bit % 64); }
void clear_bit(u64* row, u32 bit) { row[bit / 64] &= ~(u64{1} << (bit % 64)); }
bool has_bit(const u64* row, u32 bit) { return (row[bit / 64] >> (bit % 64) & 1) != 0; }

// The locals that an instruction reads and writes: at most two of each.
struct LocalEffect {
  u32 local = 0, count = 0;
  bool reads = false, writes = false;
};

LocalEffect local_effect(const u8* code, u32 bci) {
  u8 opcode = effective_opcode(code, bci);
  char load = local_load_letter(opcode), store = local_store_letter(opcode);
  if (load == 0 && store == 0 && opcode != IINC && opcode != RET) return {};
  char letter = load != 0 ? load : store;
  u32 count = letter == 'l' || letter == 'd' ? 2 : 1;
  return {bytecode::local_index(code, bci), count, store == 0, store != 0 || opcode == IINC};
}

class Builder {
 public:
  Builder(const Method* method, u32 wanted_bci)
      : method_(method), domain_(method), flow_(method, shape_, domain_), wanted_bci_(wanted_bci),
        locals_(method->max_locals), references_(u32{method->max_locals} + method->max_stack), use_(locals_),
        def_(locals_), live_in_(locals_), covered_(locals_) {}

  bool run(std::string& reason) {
    if (!shape_.scan(method_)) {
      reason = fmt::format("malformed code at {}", shape_.fault_bci());
      return false;
    }
    if (!flow_.run()) {
      reason = domain_.reason();
      return false;
    }
    find_handler_heads();
    replay_blocks();
    solve_liveness();
    for (u32 node = 0; node < flow_.nodes().size(); ++node) make_maps(node);
    return true;
  }

  OwnedFrameMaps pack();

 private:
  struct Record {  // a safepoint, used while the maps are made
    u32 bci, depth, references;
    u32 node;
  };
  struct Block {
    u32 first_record, record_count;
    u32 first_edge, edge_count;
    u32 end_bci;  // the bci after its last instruction
  };

  bool needs_map(u32 bci) const {
    using namespace bytecode::flag;
    u8 opcode = effective_opcode(method_->code, bci);
    return bytecode::has(opcode, throws | safepoint | branches) || bci == 0 || bci == wanted_bci_ ||
           shape_.is_loop_head(bci) || handler_heads_[bci];
  }

  void find_handler_heads() {
    handler_heads_.assign(method_->code_length, false);
    for (u32 index = 0; index < method_->handler_count; ++index)
      handler_heads_[method_->handlers[index].handler_bci] = true;
  }

  void replay_blocks() {
    u32 count = static_cast<u32>(flow_.nodes().size());
    blocks_.resize(count);
    for (u32 node = 0; node < count; ++node) {
      use_.add();
      def_.add();
      live_in_.add();
      covered_.add();
      if (keeps_receiver(method_)) set_bit(covered_.row(node), 0);
      Block& block = blocks_[node];
      block.first_record = static_cast<u32>(records_.size());
      block.first_edge = static_cast<u32>(edges_.size());
      u64* use = use_.row(node);
      u64* def = def_.row(node);
      flow_.replay(
          node,
          [&](u32 bci, FlowState<SlotType>& state) {
            block.end_bci = bci + bytecode::length_at(method_->code, bci, method_->code_length);
            LocalEffect effect = local_effect(method_->code, bci);
            for (u32 local = effect.local; local < effect.local + effect.count; ++local) {
              if (effect.reads && !has_bit(def, local)) set_bit(use, local);
              if (effect.writes) set_bit(def, local);
            }
            if (!needs_map(bci)) return;
            u32 row = references_.add();
            u64* references = references_.row(row);
            for (u32 slot = 0; slot < state.locals + state.depth; ++slot) {
              if (state.slots[slot].is_reference()) set_bit(references, slot);
              if (state.slots[slot].is_return_address()) {
                if (return_lists_.size() <= records_.size()) return_lists_.resize(records_.size() + 1);
                return_lists_[records_.size()].push_back(
                    {static_cast<u16>(slot),
                     static_cast<u16>(flow_.subroutines()[state.slots[slot].context()].return_bci)});
              }
            }
            records_.push_back({bci, state.depth, row, node});
          },
          [&](u32 successor) { edges_.push_back(successor); });
      block.record_count = static_cast<u32>(records_.size()) - block.first_record;
      block.edge_count = static_cast<u32>(edges_.size()) - block.first_edge;
    }
  }

  bool is_covering_handler(u32 node, u32 successor) const {
    for (u32 index = 0; index < method_->handler_count; ++index) {
      const ExceptionHandler& handler = method_->handlers[index];
      u32 bci = flow_.nodes()[node].bci;
      if (handler.handler_bci == flow_.nodes()[successor].bci && bci >= handler.start_bci && bci < handler.end_bci)
        return true;
    }
    return false;
  }

  // Collects the locals that the successors of `node` need: in `out` those needed at its end, in covered_ those of its
  // handlers.
  void gather(u32 node, std::vector<u64>& out) {
    std::fill(out.begin(), out.end(), 0);
    const Block& block = blocks_[node];
    u64* covered = covered_.row(node);
    for (u32 edge = block.first_edge; edge < block.first_edge + block.edge_count; ++edge) {
      const u64* in = live_in_.row(edges_[edge]);
      bool handler = method_->handler_count != 0 && is_covering_handler(node, edges_[edge]);
      for (u32 word = 0; word < live_in_.words(); ++word) {
        out[word] |= in[word];
        if (handler) covered[word] |= in[word];
      }
    }
  }

  void solve_liveness() {
    std::vector<u64> out(live_in_.words());
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 node = static_cast<u32>(blocks_.size()); node-- > 0;) {
        gather(node, out);
        u64* in = live_in_.row(node);
        for (u32 word = 0; word < live_in_.words(); ++word) {
          u64 now = use_.row(node)[word] | (out[word] & ~def_.row(node)[word]) | covered_.row(node)[word];
          changed = changed || now != in[word];
          in[word] = now;
        }
      }
    }
  }

  void make_maps(u32 node) {
    const Block& block = blocks_[node];
    if (block.record_count == 0) return;
    std::vector<u64> live(live_in_.words());
    gather(node, live);
    const u64* covered = covered_.row(node);
    bcis_.clear();
    for (u32 bci = flow_.nodes()[node].bci; bci < block.end_bci;
         bci += bytecode::length_at(method_->code, bci, method_->code_length)) {
      bcis_.push_back(bci);
    }
    u32 record = block.first_record + block.record_count;
    for (usize position = bcis_.size(); position-- > 0;) {
      LocalEffect effect = local_effect(method_->code, bcis_[position]);
      for (u32 local = effect.local; local < effect.local + effect.count; ++local) {
        if (effect.writes) clear_bit(live.data(), local);
        if (effect.reads) set_bit(live.data(), local);
      }
      for (u32 word = 0; word < live.size(); ++word) live[word] |= covered[word];
      if (record == block.first_record || records_[record - 1].bci != bcis_[position]) continue;
      u64* references = references_.row(records_[--record].references);
      for (u32 word = 0; word < live.size(); ++word) {
        u64 locals_here = locals_ >= (word + 1) * 64 ? ~u64{0} : (u64{1} << (locals_ % 64)) - 1;
        if (!keep_dead_locals) references[word] &= live[word] | ~locals_here;
      }
    }
  }

  const Method* method_;
  CodeShape shape_;
  SlotDomain domain_;
  Dataflow<SlotDomain> flow_;
  u32 wanted_bci_;
  u32 locals_;
  std::vector<bool> handler_heads_;
  std::vector<Block> blocks_;
  std::vector<u32> edges_;
  std::vector<Record> records_;
  std::vector<std::vector<ReturnSlot>> return_lists_;  // by record; only for methods with jsr
  std::vector<u32> bcis_;
  BitRows references_;                     // by record: locals and operands
  BitRows use_, def_, live_in_, covered_;  // by node: locals
};

OwnedFrameMaps Builder::pack() {
  std::vector<u32> order(records_.size());
  for (u32 index = 0; index < order.size(); ++index) order[index] = index;
  std::ranges::sort(order, {}, [&](u32 index) { return std::pair(records_[index].bci, index); });

  u32 slots = locals_ + method_->max_stack;
  u32 words_per_map = slots <= 32 ? 0 : (slots + 31) / 32;
  std::vector<FrameMapEntry> entries;
  std::vector<ReturnSlot> return_slots;
  std::vector<u32> words;
  std::unordered_multimap<u64, u32> known;  // maps the hash of a map to its first word
  entries.reserve(order.size());
  for (u32 index : order) {
    const Record& record = records_[index];
    const u64* row = references_.row(record.references);
    FrameMapEntry entry{static_cast<u16>(record.bci), static_cast<u16>(record.depth),
                        static_cast<u16>(invoke_argument_slots(method_, record.bci)), FrameMapEntry::none, 0};
    if (words_per_map == 0) {
      entry.bits = slots == 0 ? 0 : static_cast<u32>(row[0]);
    } else {
      std::vector<u32> map(words_per_map);
      u64 hash = 0;
      for (u32 word = 0; word < words_per_map; ++word) {
        map[word] = static_cast<u32>(row[word / 2] >> (word % 2 * 32));
        hash = (hash ^ map[word]) * 0x9E3779B97F4A7C15;
      }
      auto [begin, end] = known.equal_range(hash);
      auto found = std::find_if(begin, end, [&](const auto& candidate) {
        return std::equal(map.begin(), map.end(), words.begin() + candidate.second);
      });
      if (found != end) {
        entry.bits = found->second;
      } else {
        entry.bits = static_cast<u32>(words.size());
        words.insert(words.end(), map.begin(), map.end());
        known.emplace(hash, entry.bits);
      }
    }
    if (index < return_lists_.size() && !return_lists_[index].empty() &&
        return_slots.size() + return_lists_[index].size() < FrameMapEntry::none) {
      entry.return_slots = static_cast<u16>(return_slots.size());
      return_slots.insert(return_slots.end(), return_lists_[index].begin(), return_lists_[index].end());
      return_slots.push_back({ReturnSlot::end, 0});
    }
    entries.push_back(entry);
  }

  FrameMaps header{static_cast<u32>(entries.size()), static_cast<u32>(return_slots.size()),
                   static_cast<u32>(words.size()), words_per_map};
  OwnedFrameMaps maps(static_cast<FrameMaps*>(malloc(header.bytes())));
  *maps = header;
  std::ranges::copy(entries, maps->entries());
  std::ranges::copy(return_slots, const_cast<ReturnSlot*>(maps->return_slots()));
  std::ranges::copy(words, const_cast<u32*>(maps->words()));
  return maps;
}

}  // namespace

const FrameMapEntry* FrameMaps::find(u32 bci) const {
  const FrameMapEntry* end = entries() + entry_count;
  const FrameMapEntry* found =
      std::lower_bound(entries(), end, bci, [](const FrameMapEntry& entry, u32 wanted) { return entry.bci < wanted; });
  return found != end && found->bci == bci ? found : nullptr;
}

OwnedFrameMaps build_frame_maps(const Method* method, std::string& reason, u32 wanted_bci) {
  Builder builder(method, wanted_bci);
  if (!builder.run(reason)) return nullptr;
  return builder.pack();
}

}  // namespace keyhole
