// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes two passes over the regions (starts, then references) and one over the roots. After a violation, searches the
// path to the object.
#include "gc/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gc/card_table.h"
#include "gc/heap/old_generation.h"
#include "gc/heap/space.h"
#include "gc/mark_bitmap.h"
#include "gc/plan.h"
#include "gc/root_set.h"
#include "gc/scan.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/sync/sync_world.h"
#include "runtime/threads/continuations/continuation_lists.h"

namespace keyhole::gc {
namespace {

class Verifier {
 public:
  Verifier() : starts_(u64{space.regions.count()} * space.regions.region_bytes()), candidates_(space.regions.count()) {
    if (old_ == nullptr) return;
    for (const OldCandidates::Candidate& candidate : old_->candidates.remaining())
      candidates_[candidate.region->index()] = true;
  }

  std::string run() {
    u32 used = 0;
    space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
      ++used;
      if (problem_.empty()) check_region(region);
    });
    if (problem_.empty() && used != space.regions.used_count()) {
      problem_ = fmt::format("[V9] {} regions are in use, but {} are counted", used, space.regions.used_count());
    }
    space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
      if (!problem_.empty() || region.state() == RegionState::HumongousContinues) return;
      for_each_object_in(region, [&](Object* object, Klass* klass, u64) TOUCHES_OBJECTS {
        if (problem_.empty()) check_object(object, klass);
      });
    });
    if (problem_.empty()) check_roots();
    if (problem_.empty() && old_ != nullptr) check_clean();
    return problem_;
  }

 private:
  static std::string name_of_klass(const Klass* klass) { return klass->name != nullptr ? klass->name->dotted() : "?"; }
  static std::string describe(const Object* object) TOUCHES_OBJECTS {
    return fmt::format("{:#x} ({})", reinterpret_cast<uptr>(object), name_of_klass(klass_in_walk(object)));
  }

  // The size of the object if header and size are plausible; otherwise 0, and `problem_` is set.
  u64 check_header(Object* object, const Region& region) TOUCHES_OBJECTS {
    uptr address = reinterpret_cast<uptr>(object);
    u64 word = object->header_word();
    if (layout::is_forwarded(word) || (word & layout::self_forwarded_bit) != 0) {
      problem_ = fmt::format("[V3] object {:#x} in region {} ({}) is forwarded: header {:#018x}", address,
                             region.index(), gc::name_of(region.state()), word);
      return 0;
    }
    u32 id = klass_id_in_walk(object);
    if (id == 0 || id > klass_count() || klass_of_id(id) == nullptr) {
      problem_ = fmt::format("[V2] object {:#x} in region {} ({}) has klass id {} of {}: header {:#018x}", address,
                             region.index(), gc::name_of(region.state()), id, klass_count(), word);
      return 0;
    }
    const Klass* klass = klass_of_id(id);
    bool sized = klass->is_array() ? object->length() >= 0 : klass->kind != KlassKind::Primitive;
    u64 bytes = sized ? object_bytes(object, klass) : 0;
    if (bytes == 0 || bytes % layout::object_alignment != 0) {
      problem_ =
          fmt::format("[V4] object {} in region {} has a size of {} bytes", describe(object), region.index(), bytes);
      return 0;
    }
    return bytes;
  }

  void check_region(Region& region) TOUCHES_OBJECTS {
    RegionState state = region.state();
    bool allowed = state == RegionState::Shared || state == RegionState::Full || region.is_humongous();
    if (!allowed || region.top() < region.bottom() || region.top() > region.end()) {
      problem_ = fmt::format("[V1] region {} is {} with bottom {:#x}, top {:#x}, end {:#x}", region.index(),
                             gc::name_of(state), reinterpret_cast<uptr>(region.bottom()),
                             reinterpret_cast<uptr>(region.top()), reinterpret_cast<uptr>(region.end()));
      return;
    }
    bool mixed = region.is_humongous() && region.is_young() != region.humongous_start()->is_young();
    if (old_ != nullptr && (mixed || (state == RegionState::Shared && !region.is_young()))) {
      problem_ = fmt::format("[V12] region {} is {} and {}", region.index(), gc::name_of(state),
                             gc::name_of(region.generation()));
      return;
    }
    if (state == RegionState::HumongousContinues) return;
    if (state == RegionState::HumongousStart) return check_humongous(region);
    for (char* position = region.bottom(); position < region.top();) {
      Object* object = reinterpret_cast<Object*>(position);
      u64 bytes = check_header(object, region);
      if (bytes == 0) return;
      if (bytes > static_cast<u64>(region.top() - position)) {
        problem_ = fmt::format("[V4] object {} of {} bytes reaches beyond the top {:#x} of region {}", describe(object),
                               bytes, reinterpret_cast<uptr>(region.top()), region.index());
        return;
      }
      if (!is_filler(klass_in_walk(object))) starts_.mark(object);
      if (!check_card_starts(object, bytes, region)) return;
      position += bytes;
    }
  }

  bool check_card_starts(Object* object, u64 bytes, const Region& region) TOUCHES_OBJECTS {
    if (old_ == nullptr || region.is_young()) return true;
    char* start = reinterpret_cast<char*>(object);
    for (char* card = card_table::align_up_to_card(start); card < start + bytes; card += barrier::card_bytes) {
      Object* found = card_table::object_covering_card(card);
      if (found == object) continue;
      problem_ =
          fmt::format("[V11] the card at {:#x} of region {} leads to {:#x}, but is covered by {}",
                      reinterpret_cast<uptr>(card), region.index(), reinterpret_cast<uptr>(found), describe(object));
      return false;
    }
    return true;
  }

  void check_humongous(Region& region) TOUCHES_OBJECTS {
    Object* object = reinterpret_cast<Object*>(region.bottom());
    u64 bytes = check_header(object, region);
    if (bytes == 0) return;
    u32 count = space.regions.humongous_region_count(object);
    for (u32 i = 1; i <= count; ++i) {
      u32 index = region.index() + i;
      bool continues = index < space.regions.count() &&
                       space.regions.at(index)->state() == RegionState::HumongousContinues &&
                       space.regions.at(index)->humongous_start() == &region;
      if (continues != (i < count)) {
        problem_ =
            fmt::format("[V5] humongous object {} of {} bytes begins in region {}, and region {} is {} part of it",
                        describe(object), bytes, region.index(), index, continues ? "still a" : "no");
        return;
      }
    }
    Region* last = space.regions.at(region.index() + count - 1);
    if (last->top() != region.bottom() + bytes) {
      problem_ = fmt::format("[V5] humongous object {} of {} bytes ends at {:#x}, its last region's top is {:#x}",
                             describe(object), bytes, reinterpret_cast<uptr>(region.bottom() + bytes),
                             reinterpret_cast<uptr>(last->top()));
      return;
    }
    starts_.mark(object);
  }

  bool is_start(const Object* object) const {
    return object == nullptr ||
           (space.regions.contains(object) && (reinterpret_cast<uptr>(object) & 7) == 0 && starts_.is_marked(object));
  }
  std::string describe_target(const Object* target) const {
    std::string text = fmt::format("{:#x}", reinterpret_cast<uptr>(target));
    if (!space.regions.contains(target)) return text + ", outside the heap";
    Region* region = space.regions.region_of(target);
    return text + fmt::format(", no object's start (region {}, {})", region->index(), gc::name_of(region->state()));
  }

  void check_hash(Object* object, Klass* klass) TOUCHES_OBJECTS {
    layout::Word state = object->header_word() & layout::hash_state_mask;
    if (state == layout::hash_none) return;
    if (state == layout::hash_state_mask || is_filler(klass)) {
      problem_ = fmt::format("[V14] {} has a header of {:#010x}: no hash state that it could be in", describe(object),
                             object->header_word());
    } else if (state == layout::hash_stored) {
      u32 hash = layout::hash_at(object, object->header_word());
      if (hash == 0 || hash > INT32_MAX)
        problem_ = fmt::format("[V14] {} has stored {:#x} as its hash", describe(object), hash);
    }
  }

  void check_object(Object* object, Klass* klass) TOUCHES_OBJECTS {
    if constexpr (!layout::hash_is_in_word) check_hash(object, klass);
    if (is_filler(klass) || !problem_.empty()) return;
    for_each_slot(object, klass, [&](NarrowRef* slot) TOUCHES_OBJECTS {
      if (!problem_.empty()) return;
      if (is_start(decode(*slot))) return check_card(object, slot);
      problem_ = fmt::format("[V6] the reference at offset {} of {} is {}\n  path: {}",
                             reinterpret_cast<char*>(slot) - reinterpret_cast<char*>(object), describe(object),
                             describe_target(decode(*slot)), path_to(object));
    });
    if (klass->kind != KlassKind::Mirror) return;
    const Klass* mirrored = klass_of_mirror(object);
    if (mirrored != nullptr && mirrored->mirror != nullptr && mirrored->mirror != object) {
      problem_ = fmt::format("[V8] the mirror {} stands for {}, whose mirror is {:#x}\n  path: {}", describe(object),
                             name_of_klass(mirrored), reinterpret_cast<uptr>(mirrored->mirror), path_to(object));
    }
  }

  void check_card(Object* object, NarrowRef* slot) TOUCHES_OBJECTS {
    if (old_ == nullptr || *slot == 0 || card_table::is_dirty(slot) || space.regions.region_of(slot)->is_young())
      return;
    Region* target = space.regions.region_of(decode(*slot));
    if (candidates_[target->index()] && target != space.regions.region_of(slot) &&
        card_table::is_clean(barrier::card_of(slot))) {
      problem_ = fmt::format(
          "[V13] the reference at offset {} of {}, in an old region, is {} in candidate {}, but its card is clean",
          reinterpret_cast<char*>(slot) - reinterpret_cast<char*>(object), describe(object), describe(decode(*slot)),
          target->index());
    }
    if (!target->is_young()) return;
    problem_ = fmt::format(
        "[V10] the reference at offset {} of {}, in an old region, is the young {}, but its card is clean\n  path: {}",
        reinterpret_cast<char*>(slot) - reinterpret_cast<char*>(object), describe(object), describe(decode(*slot)),
        path_to(object));
  }

  void check_roots() {
    auto check = [&](const NamedProvider& root, const void* slot, const Object* object) {
      if (!problem_.empty() || is_start(object)) return;
      problem_ = fmt::format("[V7] root '{}' at {} is {}", root.name, slot, describe_target(object));
    };
    for_each_root([&](const NamedProvider& root, const void* slot, Object* object) { check(root, slot, object); },
                  strong_roots());
    for_each_root([&](const NamedProvider& root, const void* slot, Object* object) { check(root, slot, object); },
                  weak_roots());
  }

  void check_clean() {
    const Object* young = nullptr;
    auto note = [&](const Object* object) {
      if (object != nullptr && space.regions.region_of(object)->is_young()) young = object;
    };
    RootVisitorOf visitor([&](Object** slot) { note(*slot); }, [&](NarrowRef* slot) { note(decode(*slot)); },
                          [&](JavaThread* thread) TOUCHES_OBJECTS {
                            const Object* found = std::exchange(young, nullptr);
                            if (threads::is_clean(thread) && problem_.empty()) check_clean(thread, found);
                          });
    for (const NamedProvider& root : strong_roots()) {
      young = nullptr;
      root.provider(visitor);
    }
  }
  void check_clean(const JavaThread* thread, const Object* young) TOUCHES_OBJECTS {
    auto check_element = [&](const LockElement* element) {
      const Object* object = element->object.load(std::memory_order_relaxed);
      if (object != nullptr && space.regions.region_of(object)->is_young()) young = object;
    };
    const LockElement* queued = thread->queued_element.load(std::memory_order_relaxed);
    if (queued != nullptr) check_element(queued);
    for (const LockElement* held = thread->held_elements; held != nullptr; held = held->next_of_lender.get())
      check_element(held);
    if (young != nullptr)
      problem_ = fmt::format("[V15] thread {} is clean and refers to the young {}", thread->id, describe(young));
    else if (thread->monitor_cache[0].monitor != nullptr)
      problem_ = fmt::format("[V15] thread {} is clean and remembers a monitor", thread->id);
    else if (thread->carrier != nullptr) problem_ = fmt::format("[V15] thread {} is clean and mounted", thread->id);
  }

  template <typename Visitor> static void for_each_root(Visitor&& visit, std::span<const NamedProvider> roots) {
    for (const NamedProvider& root : roots) {
      RootVisitorOf visitor([&](Object** slot) { visit(root, slot, *slot); },
                            [&](NarrowRef* slot) { visit(root, slot, decode(*slot)); });
      root.provider(visitor);
    }
  }

  // Searches breadth first from the roots, so that the shortest path is found. Follows only sound references.
  std::string path_to(const Object* wanted) const TOUCHES_OBJECTS {
    std::unordered_map<const Object*, const Object*> parents;
    std::unordered_map<const Object*, const char*> rooted;
    std::deque<Object*> queue;
    auto reach = [&](Object* object, const Object* from, const char* root) {
      if (object == nullptr || !is_start(object) || !parents.emplace(object, from).second) return;
      if (root != nullptr) rooted.emplace(object, root);
      queue.push_back(object);
    };
    for_each_root([&](const NamedProvider& root, const void*, Object* object) { reach(object, nullptr, root.name); },
                  strong_roots());
    while (!queue.empty() && !parents.contains(wanted)) {
      Object* object = queue.front();
      queue.pop_front();
      for_each_strong_slot(object, object->klass(), [&](NarrowRef* slot) { reach(decode(*slot), object, nullptr); });
    }
    if (!parents.contains(wanted)) return "not strongly reachable";
    std::vector<const Object*> path;
    for (const Object* object = wanted; object != nullptr; object = parents[object]) path.push_back(object);
    std::string text = fmt::format("root '{}'", rooted[path.back()]);
    for (auto object = path.rbegin(); object != path.rend(); ++object) text += " -> " + describe(*object);
    return text;
  }

  const OldGeneration* const old_ = plan().old_generation();
  MarkBitmap starts_;
  std::vector<bool> candidates_;  // by region
  std::string problem_;
};

}  // namespace

std::string verify(const char* when) {
  i64 start = hardware::now_nanoseconds();
  std::string problem = Verifier().run();
  KEYHOLE_LOG(debug, gc_verify, "Verifying {} {:.3f}ms", when,
              static_cast<double>(hardware::now_nanoseconds() - start) / 1e6);
  return problem;
}

}  // namespace keyhole::gc
