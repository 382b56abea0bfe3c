// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sight: the state of one lock in memory between two steps: header word, monitor, queue, lock stacks, records, chains,
// elements. It reads the memory that the algorithm reads, and does not know the steps that the algorithm has noted
// (runtime/sync/picture). So memory and notes can be compared.
//
//   family             owner                                queue                          waiters
//   monitors           monitor's owner, lock stack, record  entry list, oldest last        wait set
//   chains             spine record that does not wait      ribs of the spine record       its other ribs
//   hashchains+3       whose lock record says `outer`       ribs                           ribs
//   elements           Held, in front of the queue          from the tail backwards        wait set of the element
//                                                                                          that keeps it
//
// G1: no load here is a step of the execution, because the checker makes loads direct while it looks
//     (Program::look_between_steps).
// G2: if only a thread's registers contain a fact (P1 of picture.h), the sight says that the fact is unknown.
#pragma once

#include <algorithm>

#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/legacy_fast_path.h"
#include "runtime/sync/picture/picture.h"

namespace keyhole::model {

using sync::picture::HeaderState;
using sync::picture::Picture;
using sync::picture::Sight;

template <typename W, typename Protocol> class SightOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Monitor = typename W::Monitor;

 public:
  SightOf(Protocol& protocol, Reference object)
      : protocol_(protocol), object_(object), word_(W::load(W::header(object), Order::relaxed)) {}

  Sight look() {
    if constexpr (requires { typename Protocol::Element; }) look_at_elements();
    else if constexpr (requires { Protocol::FastPath::outer; }) look_at_chains_plus3();
    else if constexpr (requires { protocol_.chains(); }) look_at_chains();
    else if constexpr (requires { protocol_.inflate; } || requires { typename Monitor::Waiter; }) look_at_monitor();
    return sight_;
  }

 private:
  u8 lock_bits() const { return static_cast<u8>(word_ & layout::lock_mask); }
  Picture& picture() { return sight_.picture; }
  void set_owner(const Thread* thread, u32 levels) {
    picture().owner = static_cast<u32>(thread->id);
    // In the middle of an operation the number of levels is not compared, because the operation may change it.
    picture().levels = thread->noted_object == 0 ? levels : 0;
  }
  static u32 id(const Thread* thread) { return static_cast<u32>(thread->id); }
  template <auto next, typename Node, typename Id>
  static void read_ring(Node* oldest, std::vector<u32>& list, Id id_of) {
    for (Node* node = oldest; node != nullptr; node = (node->*next).get() == oldest ? nullptr : (node->*next).get())
      list.push_back(id_of(node));
  }

  // --- monitors ------------------------------------------------------------------------------------------------------
  void look_at_monitor() {
    picture().header = sync::picture::header_state(lock_bits());
    picture().is_hashed = layout::hash_at(object_, word_) != 0;
    Monitor* monitor = nullptr;
    if constexpr (requires { protocol_.table(); }) {
      protocol_.table().for_each([&](Monitor* each) {
        if (each->object.load(std::memory_order_relaxed) != object_) return;
        picture().is_tabled = true;
        sight_.has_leaving_monitor |= each->is_deflated();
        monitor = each;
      });
      if (lock_bits() != layout::inflated) monitor = nullptr;
    } else if constexpr (layout::can_displace) {
      if (lock_bits() == layout::inflated) monitor = Monitor::of_header(word_);
      else if (lock_bits() == layout::locked) look_at_record();
      if (monitor != nullptr)
        picture().is_hashed = layout::hash_of(monitor->displaced.load(std::memory_order_relaxed)) != 0;
    }
    if (monitor != nullptr) look_into(monitor);
    else if (lock_bits() == layout::locked) look_for_holder(nullptr);
  }

  // Stack-locking: reads the record to which the header points. While a thread inflates, the header points at no
  // record.
  void look_at_record() {
    if constexpr (requires(u64 kept) { Protocol::FastPath::held_word(kept, nullptr); }) {
      auto* record = reinterpret_cast<typename W::LockRecord*>(layout::displaced_pointer(word_));
      if (record == nullptr) {
        picture().header = sync::picture::header_state(HeaderState::inflating);
        sight_.has_unknown_owner = sight_.has_unknown_hash = true;
        return;
      }
      picture().is_hashed = layout::hash_of(record->displaced.load(std::memory_order_relaxed)) != 0;
    }
  }

  void look_into(Monitor* monitor) {
    u64 owner = monitor->owner.load(std::memory_order_relaxed);
    if (owner == Monitor::anonymous) look_for_holder(monitor);
    W::for_each_thread([&](Thread* thread) {
      if (thread->id == owner) set_owner(thread, monitor->recursions.get() + 1 + levels_in_records(thread));
    });
    auto id_of = [](const auto* node) { return id(node->thread); };
    for (auto* node = monitor->entry_list.load(std::memory_order_relaxed); node != nullptr; node = node->next.get())
      picture().queue.insert(picture().queue.begin(), id_of(node));
    read_ring<&Monitor::Waiter::wait_next>(monitor->wait_set.get(), picture().waiters, id_of);
    picture().successor = static_cast<u32>(monitor->successor.load(std::memory_order_relaxed));
  }

  // Stack-locking: returns the levels that the thread entered before the lock was inflated. The monitor does not count
  // these levels.
  u32 levels_in_records(const Thread* thread) const {
    u32 levels = 0;
    if constexpr (requires(u64 kept) { Protocol::FastPath::held_word(kept, nullptr); }) {
      for (const auto& record : thread->lock_records) {
        levels +=
            record.object == object_ && record.displaced.load(std::memory_order_relaxed) == sync::stack_lock_recursion;
      }
    }
    return levels;
  }

  // Finds the owner of a lock that was taken on the fast path. The owner has the object on its lock stack, or owns the
  // lock record to which the monitor points. If there is no monitor, the header points to this record.
  void look_for_holder(Monitor* monitor) {
    const void* record = monitor == nullptr ? reinterpret_cast<void*>(layout::displaced_pointer(word_))
                                            : monitor->holders_record.load(std::memory_order_relaxed);
    W::for_each_thread([&](Thread* thread) {
      u32 entries = 0;
      for (u32 i = 0; i < thread->lock_stack_top; ++i) entries += thread->lock_stack[i] == object_;
      if (entries != 0) set_owner(thread, entries);
      if (record != nullptr && W::owns_record(thread, static_cast<const typename W::LockRecord*>(record)))
        set_owner(thread, 0);
    });
    if (picture().owner == 0) sight_.has_unknown_owner = true;
  }

  // --- chains --------------------------------------------------------------------------------------------------------
  template <typename Record> static u32 lender(const Record* record) {
    return id(record->lender.load(std::memory_order_relaxed));
  }
  // Returns the object's spine record (hashchains.h), which is the object's record in the chain of a bucket, or null.
  auto* spine() {
    using Record = typename Protocol::Record;
    Record* found = nullptr;
    protocol_.chains().for_each_bucket([&](const auto& bucket) {
      auto see = [&](Record* record) {
        if (record->object.load(std::memory_order_relaxed) == object_) found = record;
      };
      for (Record* record = bucket.chain.get(); record != nullptr; record = record->next_spine.get()) see(record);
      u64 only = bucket.singleton.load(std::memory_order_relaxed);
      if ((only & 1) != 0) see(reinterpret_cast<Record*>(only & ~u64{1}));
    });
    if (found != nullptr) {
      read_ring<&Record::rib_next>(found->queued.get(), picture().queue, lender<Record>);
      read_ring<&Record::rib_next>(found->waiting.get(), picture().waiters, lender<Record>);
    }
    return found;
  }

  void look_at_chains() {
    picture().is_hashed = layout::hash_at(object_, word_) != 0;
    auto* found = spine();
    // In a hand-over, the successor's record first becomes the spine record (hashchains.h). Only then does this
    // record's state say that the successor holds the lock.
    bool waits = found != nullptr && std::ranges::count(picture().waiters, lender(found)) != 0;
    bool is_leaving =
        found != nullptr && found->state.load(std::memory_order_relaxed) == Protocol::State::Waiting && !waits;
    if (found != nullptr && !waits && !is_leaving)
      set_owner(found->lender.load(std::memory_order_relaxed), found->levels.get());
  }

  void look_at_chains_plus3() {
    picture().header = Protocol::FastPath::state(word_);
    picture().is_hashed = layout::hash_at(object_, word_) != 0;
    spine();
    if ((word_ & layout::held_bit) == 0) return;
    W::for_each_thread([&](Thread* thread) {
      u32 levels = 0;
      for (const auto& record : thread->lock_records)
        levels += record.object == object_ && record.displaced.load(std::memory_order_relaxed) != 0;
      auto* queued = thread->queued_element.load(std::memory_order_relaxed);
      bool is_elsewhere = queued != nullptr && queued->object.load(std::memory_order_relaxed) == object_;
      if (levels != 0 && !is_elsewhere) set_owner(thread, levels);
    });
    if (picture().owner == 0) sight_.has_unknown_owner = true;
  }

  // --- elements ------------------------------------------------------------------------------------------------------
  void look_at_elements() {
    picture().header = Protocol::header_state(word_);
    picture().is_hashed = lock_bits() != layout::unlocked || layout::hash_at(object_, word_) != 0;
    if (lock_bits() == layout::unlocked) return;
    if constexpr (requires { Protocol::vacant; }) look_at_ring();
    else look_at_queue();
  }

  template <typename Element> static bool is_held(const Element* element) {
    return element->state.load(std::memory_order_relaxed) == Element::State::Held;
  }
  template <typename Element> void read_waiters(const Element* keeper) {
    read_ring<&Element::wait_next>(keeper->wait_set.get(), picture().waiters, lender<Element>);
  }
  template <typename Element> void holds(const Element* element) {
    const Thread* thread = element->lender.load(std::memory_order_relaxed);
    if (thread != nullptr) set_owner(thread, element->levels.get());
    else sight_.has_unknown_owner = true;  // the owner is about to release the lock
  }

  // cjm-hybrid: walks the ring of elements to whose tail the header points.
  void look_at_ring() {
    using Element = typename Protocol::Element;
    Element* tail = Element::of_header(word_);
    read_waiters(tail);
    if ((word_ & Protocol::vacant) != 0) return;
    uptr first = tail->next.load(std::memory_order_relaxed);
    Element* head = first != Element::nobody_yet ? Element::of_link(first) : is_held(tail) ? tail : nullptr;
    u32 steps = 0;
    for (Element* element = head;; element = Element::of_link(element->next.load(std::memory_order_relaxed))) {
      if (element == nullptr || ++steps > 8) {  // the ring's links do not lead to the new tail yet
        sight_.has_loose_queue = sight_.has_unknown_owner = sight_.has_unknown_waiters = true;
        return;
      }
      if (element != head) picture().queue.push_back(lender(element));
      if (element == tail) break;
    }
    if (is_held(head)) {
      holds(head);
      return;
    }
    // The holder has removed itself from the ring, and hands over in its next step.
    sight_.has_unknown_owner = true;
    picture().queue.insert(picture().queue.begin(), lender(head));
  }

  // cjm-fifo, cjm-by: walks from the tail backwards to the holder's element, or to the element that keeps the wait set.
  void look_at_queue() {
    using Element = typename Protocol::Element;
    Element* element = Element::of_header(word_);
    for (u32 steps = 0; element != nullptr && !is_end(element); element = before(element)) {
      picture().queue.insert(picture().queue.begin(), lender(element));
      if (++steps > 8) element = nullptr;
    }
    if (element == nullptr) {
      sight_.has_loose_queue = sight_.has_unknown_owner = sight_.has_unknown_waiters = true;
      return;
    }
    if constexpr (requires {
                    Protocol::header_state(word_).flags();
                    typename Protocol::FastPath::Alone;
                  }) {
      look_for_holder_by_flag();
      Element* home = element->home.load(std::memory_order_relaxed);
      read_waiters(home == nullptr ? element : home);
    } else {
      read_waiters(element);
      if (element->next.load(std::memory_order_relaxed) != Element::gone) holds(element);
    }
  }
  template <typename Element> static bool is_end(const Element* element) {
    return is_held(element) || element->next.load(std::memory_order_relaxed) == Element::gone;
  }
  template <typename Element> Element* before(const Element* element) {
    if (element->displaced.load(std::memory_order_relaxed) == 0)
      return element->previous.load(std::memory_order_relaxed);
    Element* found = nullptr;
    u32 count = 0;
    W::for_each_element([&](auto* any) {
      auto* each = static_cast<Element*>(any);
      bool is_engaged = each->object.load(std::memory_order_relaxed) == object_ ||
                        each->lender.load(std::memory_order_relaxed) == nullptr;
      if (!is_engaged || each->next.load(std::memory_order_relaxed) != element->link()) return;
      found = each;
      ++count;
    });
    return count == 1 ? found : nullptr;
  }
  // cjm-by: the header says whether a thread holds the lock; the lists of held elements say which one.
  void look_for_holder_by_flag() {
    if ((picture().header.flags() & sync::picture::flag::held) == 0) return;
    if (const Thread* thread = protocol_.owner(object_)) set_owner(thread, 0);
    else sight_.has_unknown_owner = true;
  }

  Protocol& protocol_;
  Reference object_;
  layout::Word word_;
  Sight sight_;
};

}  // namespace keyhole::model
