// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps after marking: release, choose, rebuild.
#include "gc/policy/old_marking.h"

#include <algorithm>
#include <cstring>

#include "gc/card_table.h"
#include "gc/heap/filler.h"
#include "gc/policy/marking.h"
#include "gc/workers.h"
#include "runtime/base/log.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::gc {
namespace {

class OldMarking {
 public:
  OldMarking(Collection& collection, u32 workers, OldGeneration& old)
      : collection_(collection), old_(old), workers_(workers), marking_(collection, workers) {}

  void run(bool everything) TOUCHES_OBJECTS {
    marking_.run();
    sync::update_references(
        [](Object* object, void* context) {
          return static_cast<Marking*>(context)->is_live(object) ? object : nullptr;
        },
        &marking_);
    collection_.begin(Phase::Release);
    release_dead_regions();
    choose(everything);
    collection_.begin(Phase::Rebuild);
    rebuild();
    collection_.references.advance_clock();
  }

 private:
  void release_dead_regions();
  void choose(bool everything);
  void rebuild() TOUCHES_OBJECTS;
  void rebuild_region(Region& region) TOUCHES_OBJECTS;
  void remember(Object* object, const Klass* klass, u32 own_index) TOUCHES_OBJECTS;
  static void fill(Region& region, char* from, char* to) TOUCHES_OBJECTS;

  Collection& collection_;
  OldGeneration& old_;
  const u32 workers_;
  Marking marking_;
  std::vector<u8> is_candidate_;  // by region
};

void OldMarking::release_dead_regions() {
  std::vector<Region*> dead, dead_humongous;
  space.regions.for_each_used([&](Region& region) {
    if (region.state() == RegionState::HumongousStart) {
      if (!marking_.is_live(reinterpret_cast<Object*>(region.bottom()))) dead_humongous.push_back(&region);
    } else if (region.state() == RegionState::Full && marking_.live_bytes(region) == 0) {
      dead.push_back(&region);
    }
  });
  for (Region* region : dead_humongous) space.regions.release_humongous(region);
  for (Region* region : dead) {
    if (region == old_.promotion_region) old_.promotion_region = nullptr;
    if (flags::GCPoisonFromSpace) memset(region->bottom(), 0xDB, region->used_bytes());
    region->transition_to_from_space();
    space.regions.release(region);
  }
  KEYHOLE_LOG(debug, gc_ergo, "GC({}) Released {} regions without live objects and {} humongous objects",
              collection_.number, dead.size(), dead_humongous.size());
}

void OldMarking::choose(bool everything) {
  std::vector<OldCandidates::Candidate> old;
  space.regions.for_each_used([&](Region& region) {
    if (region.is_humongous() || region.is_young() || &region == old_.promotion_region) return;
    old.push_back({&region, marking_.live_bytes(region)});
  });
  u64 live_bytes = 0;
  for (const auto& each : old) live_bytes += each.live_bytes;
  old_.candidates.choose(std::move(old), everything);
  is_candidate_.assign(space.regions.count(), 0);
  u64 gain_bytes = 0;
  for (const auto& candidate : old_.candidates.remaining()) {
    is_candidate_[candidate.region->index()] = 1;
    gain_bytes += candidate.region->bytes() - candidate.live_bytes;
  }
  KEYHOLE_LOG(debug, gc_ergo,
              "GC({}) Candidates for mixed collections: {} regions, {}K to be gained; {}K live in old regions",
              collection_.number, old_.candidates.remaining().size(), gain_bytes / 1024, live_bytes / 1024);
}

void OldMarking::fill(Region& region, char* from, char* to) {
  if (from == to) return;
  u64 bytes = static_cast<u64>(to - from);
  if (flags::GCPoisonFromSpace) memset(from, 0xDB, bytes);
  write_filler(from, bytes);
  if (!region.is_young()) card_table::record(from, bytes);
}

void OldMarking::remember(Object* object, const Klass* klass, u32 own_index) {
  for_each_slot(object, klass, [&](NarrowRef* slot) {
    if (*slot == 0) return;
    u32 index = space.regions.index_of(decode(*slot));
    if (is_candidate_[index] != 0 && index != own_index) card_table::remember(slot);
  });
}

void OldMarking::rebuild_region(Region& region) {
  bool with_cards = !region.is_young() && !old_.candidates.empty();
  if (!region.is_young()) card_table::forget_range(region.bottom(), region.top());
  if (region.is_humongous()) {
    if (!with_cards || region.state() != RegionState::HumongousStart) return;
    Object* object = reinterpret_cast<Object*>(region.bottom());
    return remember(object, object->klass(), region.index());
  }
  char* gap = region.bottom();
  char* top = region.top();
  u64 limit = MarkBitmap::granule_of(top);
  for (u64 granule; (granule = marking_.bits.next_marked(MarkBitmap::granule_of(gap), limit)) < limit;) {
    fill(region, gap, MarkBitmap::address_of(granule));
    if (!with_cards) {
      // The bits of adjacent live objects form one run, which ends at the next gap.
      gap = MarkBitmap::address_of(marking_.bits.next_clear(granule, limit));
      continue;
    }
    Object* object = reinterpret_cast<Object*>(MarkBitmap::address_of(granule));
    const Klass* klass = object->klass();
    remember(object, klass, region.index());
    gap = reinterpret_cast<char*>(object) + bytes_of(object, klass);
  }
  fill(region, gap, top);
}

void OldMarking::rebuild() {
  std::vector<Region*> regions;
  space.regions.for_each_used([&](Region& region) { regions.push_back(&region); });
  // The parts of a humongous object come first, so that their remembered cards are cleaned before its start remembers
  // cards again.
  std::partition(regions.begin(), regions.end(),
                 [](Region* region) { return region->state() == RegionState::HumongousContinues; });
  usize parts = 0;
  for (; parts < regions.size() && regions[parts]->state() == RegionState::HumongousContinues; ++parts)
    rebuild_region(*regions[parts]);
  std::atomic<usize> next{parts};
  auto work = [&](u32) TOUCHES_OBJECTS {
    for (usize i; (i = next.fetch_add(1, std::memory_order_relaxed)) < regions.size();) rebuild_region(*regions[i]);
  };
  if (workers_ == 1) work(0);
  else run_on_workers(workers_, work);
}

}  // namespace

void mark_old_regions(Collection& collection, u32 workers, bool everything, OldGeneration& old) {
  OldMarking(collection, workers, old).run(everything);
}

}  // namespace keyhole::gc
