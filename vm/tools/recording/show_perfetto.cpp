// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a recording as Perfetto's trace. The protobuf is written by hand, because the trace needs only four messages.
//
//   one track per thread        slices: each lock while the thread holds it, waits to enter it, or is in Object.wait;
//                               the thread's pauses; the work of a collector thread; the methods that a compiler
//                               thread compiles; the virtual threads that a carrier runs (each has its own track)
//   a flow                      from the exit of a lock to the next enter of a thread that had to wait for it
//   two counters per thread     monitors held; nanoseconds that it has been blocked in all
//   three counters              regions in use: Eden, Survivor, Old
//   everything else             an instant on its thread's track, with its fields as annotations
//
// Slices of a track must nest, but locks may be released in any order. If a released lock is not the innermost slice,
// its slice and all slices inside it end; the inner slices then begin again.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gc/heap/region.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

using recorder::Entry;
using recorder::FieldType;
using recorder::Kind;
using recorder::Recording;

namespace {

// Field numbers of the messages, from protos/perfetto/trace/trace_packet.proto and the files that it imports.
namespace trace {
constexpr u32 packet = 1;
}
namespace packet {
constexpr u32 timestamp = 8, sequence = 10, track_event = 11, track_descriptor = 60;
}
namespace track {
constexpr u32 uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8;
}
namespace counter {
constexpr u32 unit = 3;
constexpr u64 nanoseconds = 1, count = 2;
}  // namespace counter
namespace process {
constexpr u32 pid = 1, name = 6;
}
namespace thread {
constexpr u32 pid = 1, tid = 2, name = 5;
}
namespace event {
constexpr u32 annotations = 4, type = 9, track_uuid = 11, categories = 22, name = 23, counter_value = 30, flow_ids = 47,
              terminating_flow_ids = 48;
constexpr u64 begin = 1, end = 2, instant = 3, counter = 4;
}  // namespace event
namespace annotation {
constexpr u32 unsigned_value = 3, string_value = 6, name = 10;
}

class Message {
 public:
  void number(u32 field, u64 value) {
    varint(u64{field} << 3);
    varint(value);
  }
  void fixed64(u32 field, u64 value) {
    varint(u64{field} << 3 | 1);
    for (u32 byte = 0; byte < 8; ++byte) bytes_ += static_cast<char>(value >> (8 * byte));
  }
  void text(u32 field, std::string_view text) { length_delimited(field, valid_utf8(text)); }
  void message(u32 field, const Message& inner) { length_delimited(field, inner.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(u64 value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void length_delimited(u32 field, std::string_view bytes) {
    varint(u64{field} << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
  }
  std::string bytes_;
};

// Builds one trace.
class Writer {
 public:
  Writer(const Recording& recording, FILE* out) : recording_(recording), out_(out) {}

  void write() {
    Message process_descriptor;
    process_descriptor.number(process::pid, process_id);
    process_descriptor.text(process::name, "keyhole");
    Message process_track;
    process_track.number(track::uuid, process_id);
    process_track.message(track::process, process_descriptor);
    Message first;
    first.message(packet::track_descriptor, process_track);
    write_packet(first);
    for (const Entry& entry : recording_.entries) {
      if (entry.kind == Kind::pause_end) pause_kinds_[entry.b] = entry.a;
    }
    for (const Entry& entry : recording_.entries) draw(entry);
    if (recording_.entries.empty()) return;
    i64 last = recording_.entries.back().nanoseconds;
    for (auto& [id, lane] : lanes_) {
      while (!lane.open.empty()) end_innermost(last, id, lane);
    }
  }

 private:
  static constexpr u64 process_id = 1;

  enum class What : u8 { holds, blocked, waits, pause, phase, work, compiles, carries };
  struct Slice {
    What what;
    // number of the slice's subject: a locked object, a collection (for a pause), a worker (for work) or a thread (for
    // `carries`)
    u32 object;
    std::string name;
    bool operator==(const Slice& other) const { return what == other.what && object == other.object; }
  };
  struct Lane {
    std::vector<Slice> open;              // outermost first
    std::unordered_map<u32, u32> levels;  // nesting levels of the held locks, by object
    u32 held = 0;                         // how many
    u32 levels_before_wait = 0;           // number of nesting levels that Object.wait has released
    i64 blocked_since = 0, blocked_ns = 0;
  };
  // The type of a track, which is the lowest byte of the track's number.
  enum class Track : u64 { thread = 2, regions = 3, held = 4, blocked = 5 };
  static u64 uuid_of(u32 number, Track kind) { return u64{number} << 8 | static_cast<u64>(kind); }

  void write_packet(Message& message) {
    message.number(packet::sequence, 1);
    Message whole;
    whole.message(trace::packet, message);
    fwrite(whole.bytes().data(), 1, whole.bytes().size(), out_);
  }

  static u64 track_of(u32 thread) { return uuid_of(thread, Track::thread); }

  Lane& lane_of(u32 id) {
    auto [place, is_new] = lanes_.try_emplace(id);
    if (is_new) {
      Message descriptor;
      descriptor.number(thread::pid, process_id);
      descriptor.number(thread::tid, id & 0x7FFF'FFFF);
      descriptor.text(thread::name, recording_.thread_name(id));
      Message its_track;
      its_track.number(track::uuid, track_of(id));
      its_track.message(track::thread, descriptor);
      Message message;
      message.message(packet::track_descriptor, its_track);
      write_packet(message);
    }
    return place->second;
  }

  void describe_counter(u64 its_track, u64 parent, std::string_view name, u64 unit) {
    Message kind;
    kind.number(counter::unit, unit);
    Message descriptor;
    descriptor.number(track::uuid, its_track);
    descriptor.text(track::name, name);
    if (parent != 0) descriptor.number(track::parent, parent);
    descriptor.message(track::counter, kind);
    Message message;
    message.message(packet::track_descriptor, descriptor);
    write_packet(message);
  }
  void write_value(i64 time, u64 its_track, u64 value) {
    Message message;
    message.number(event::type, event::counter);
    message.number(event::track_uuid, its_track);
    message.number(event::counter_value, value);
    write_event(time, message);
  }

  // Writes a thread's counter. Counters that never change are omitted.
  void count_thread(const Entry& entry, Track kind, u64 value) {
    u64 its_track = uuid_of(entry.thread, kind);
    if (counted_.insert(its_track).second) {
      bool is_time = kind == Track::blocked;
      describe_counter(its_track, track_of(entry.thread), is_time ? "blocked" : "monitors held",
                       is_time ? counter::nanoseconds : counter::count);
    }
    write_value(entry.nanoseconds, its_track, value);
  }
  void ends_blocked(const Entry& entry, Lane& lane) {
    lane.blocked_ns += entry.nanoseconds - lane.blocked_since;
    count_thread(entry, Track::blocked, static_cast<u64>(lane.blocked_ns));
  }
  void sets_levels(const Entry& entry, Lane& lane, u32 object, u32 levels) {
    u32& before = lane.levels[object];
    u32 held = lane.held + (levels != 0) - (before != 0);
    before = levels;
    if (held != std::exchange(lane.held, held)) count_thread(entry, Track::held, held);
  }

  Message event_of(u32 thread, u64 type, std::string_view name) const {
    Message message;
    message.number(event::type, type);
    message.number(event::track_uuid, track_of(thread));
    if (!name.empty()) message.text(event::name, name);
    return message;
  }
  void write_event(i64 time, const Message& track_event) {
    Message message;
    message.number(packet::timestamp, static_cast<u64>(std::max<i64>(time, 0)));
    message.message(packet::track_event, track_event);
    write_packet(message);
  }

  void annotate(Message& track_event, const Entry& entry) const {
    for (const ShownField& field : fields_of(recording_, entry)) {
      if (field.text.empty()) continue;
      Message message;
      message.text(annotation::name, field.name);
      if (field.type == FieldType::number || field.type == FieldType::bytes)
        message.number(annotation::unsigned_value, field.value);
      else message.text(annotation::string_value, field.text);
      track_event.message(event::annotations, message);
    }
  }

  std::string object_name(u32 object) const {
    auto found = recording_.class_of.find(object);
    return found == recording_.class_of.end() ? fmt::format("object {}", object)
                                              : fmt::format("{} {}", recording_.text(found->second), object);
  }

  // Begins a slice. `flow`: the flow that ends here, or 0.
  void begin(const Entry& entry, Lane& lane, Slice slice, u64 flow = 0) {
    Message message = event_of(entry.thread, event::begin, slice.name);
    message.text(event::categories, recorder::family_rows[static_cast<u32>(row_of(entry.kind).family)].name);
    if (flow != 0) message.fixed64(event::terminating_flow_ids, flow);
    annotate(message, entry);
    write_event(entry.nanoseconds, message);
    lane.open.push_back(std::move(slice));
  }
  void end_innermost(i64 time, u32 id, Lane& lane, u64 flow = 0) {
    Message message = event_of(id, event::end, {});
    if (flow != 0) message.fixed64(event::flow_ids, flow);
    write_event(time, message);
    lane.open.pop_back();
  }
  void end(const Entry& entry, Lane& lane, const Slice& slice) {
    auto place = std::find(lane.open.rbegin(), lane.open.rend(), slice);
    if (place == lane.open.rend()) return;  // the slice began before the recording: nothing to end
    std::vector<Slice> inside;
    while (!(lane.open.back() == slice)) {
      inside.push_back(lane.open.back());
      end_innermost(entry.nanoseconds, entry.thread, lane);
    }
    end_innermost(entry.nanoseconds, entry.thread, lane);
    for (auto again = inside.rbegin(); again != inside.rend(); ++again) {
      write_event(entry.nanoseconds, event_of(entry.thread, event::begin, again->name));
      lane.open.push_back(*again);
    }
  }

  // Begins a flow from a lock's release to its next owner.
  void release(const Entry& entry) {
    u64 flow = ++last_flow_;
    released_[entry.a] = flow;
    Message message = event_of(entry.thread, event::instant, fmt::format("released {}", object_name(entry.a)));
    message.fixed64(event::flow_ids, flow);
    write_event(entry.nanoseconds, message);
  }

  std::string pause_name(u32 collection) const {
    auto found = pause_kinds_.find(collection);
    return found == pause_kinds_.end() ? "Pause" : recording_.text(found->second);
  }

  // Updates the counters of regions in use, by generation.
  void count_region(const Entry& entry) {
    constexpr i32 free = -1;
    auto [place, is_new] = generation_of_region_.try_emplace(entry.a, free);
    gc::RegionChange change = gc::unpack_region_change(entry.detail);
    i32 generation = change.to == gc::RegionState::Free ? free : static_cast<i32>(change.generation);
    i32 before = std::exchange(place->second, generation);
    if (before == generation) return;
    if (before != free) write_counter(entry.nanoseconds, static_cast<u32>(before), -1);
    if (generation != free) write_counter(entry.nanoseconds, static_cast<u32>(generation), 1);
  }
  void write_counter(i64 time, u32 generation, i64 change) {
    u64 its_track = uuid_of(generation, Track::regions);
    auto [place, is_new] = regions_in_use_.try_emplace(generation, 0);
    if (is_new)
      describe_counter(its_track, 0, fmt::format("regions: {}", gc::name_of(static_cast<gc::Generation>(generation))),
                       counter::count);
    write_value(time, its_track, static_cast<u64>(place->second += change));
  }

  void draw(const Entry& entry) {
    Lane& lane = lane_of(entry.thread);
    u32 object = object_of(entry);
    Slice held{What::holds, object, fmt::format("holds {}", object_name(object))};
    switch (entry.kind) {
      case Kind::lock_contended:
        ++awaited_[object];
        lane.blocked_since = entry.nanoseconds;
        count_thread(entry, Track::blocked, static_cast<u64>(lane.blocked_ns));
        begin(entry, lane, {What::blocked, object, fmt::format("waits for {}", object_name(object))});
        return;
      case Kind::lock_enter: {
        bool waited = !lane.open.empty() && lane.open.back() == Slice{What::blocked, object, {}};
        if (waited) {
          --awaited_[object];
          end_innermost(entry.nanoseconds, entry.thread, lane);
          ends_blocked(entry, lane);
        }
        u64 flow = waited ? std::exchange(released_[object], 0) : 0;
        sets_levels(entry, lane, object, lane.levels[object] + 1);
        if (lane.levels[object] == 1) begin(entry, lane, std::move(held), flow);
        return;
      }
      case Kind::lock_exit:
        if (lane.levels[object] == 0) return;
        sets_levels(entry, lane, object, lane.levels[object] - 1);
        if (lane.levels[object] != 0) return;
        end(entry, lane, held);
        if (auto waiting = awaited_.find(object); waiting != awaited_.end() && waiting->second != 0) release(entry);
        return;
      case Kind::wait_begin:
        begin(entry, lane, {What::waits, object, fmt::format("Object.wait on {}", object_name(object))});
        lane.levels_before_wait = lane.levels[object];
        sets_levels(entry, lane, object, 0);
        if (auto waiting = awaited_.find(object); waiting != awaited_.end() && waiting->second != 0) release(entry);
        return;
      case Kind::wait_end:
        end(entry, lane, {What::waits, object, {}});
        sets_levels(entry, lane, object, std::max(std::exchange(lane.levels_before_wait, 0), 1u));
        return;
      case Kind::pause_begin: begin(entry, lane, {What::pause, entry.b, pause_name(entry.b)}); return;
      case Kind::phase:
        end(entry, lane, {What::phase, entry.b, {}});
        begin(entry, lane, {What::phase, entry.b, recording_.text(entry.a)});
        return;
      case Kind::pause_end:
        end(entry, lane, {What::phase, entry.b, {}});
        end(entry, lane, {What::pause, entry.b, {}});
        return;
      case Kind::work_begin:
        begin(entry, lane, {What::work, entry.detail, fmt::format("work of worker {}", entry.detail)});
        return;
      case Kind::work_end: end(entry, lane, {What::work, entry.detail, {}}); return;
      case Kind::mounted:
        begin(entry, lane, {What::carries, entry.a, fmt::format("runs {}", recording_.thread_name(entry.a))});
        return;
      case Kind::unmounted: end(entry, lane, {What::carries, entry.a, {}}); return;
      case Kind::compile_begin:
        begin(entry, lane, {What::compiles, 0, fmt::format("compiles {}", recording_.text(entry.a))});
        return;
      case Kind::compile_end: end(entry, lane, {What::compiles, 0, {}}); return;
      case Kind::region: count_region(entry); return;
      default: break;
    }
    Message message = event_of(entry.thread, event::instant, row_of(entry.kind).name);
    message.text(event::categories, recorder::family_rows[static_cast<u32>(row_of(entry.kind).family)].name);
    annotate(message, entry);
    write_event(entry.nanoseconds, message);
  }

  const Recording& recording_;
  FILE* out_;
  std::map<u32, Lane> lanes_;             // by thread
  std::unordered_map<u32, u32> awaited_;  // by object: the number of threads that wait for its lock
  // by object: the flow that the last release of its lock began; 0: that flow has ended
  std::unordered_map<u32, u64> released_;
  std::unordered_map<u32, u32> pause_kinds_;  // by collection: the number of the text that names its kind of pause
  std::unordered_map<u32, i32> generation_of_region_;
  std::map<u32, i64> regions_in_use_;  // by generation
  std::unordered_set<u64> counted_;    // counter tracks whose descriptors are already written
  u64 last_flow_ = 0;
};

}  // namespace

void show_for_perfetto(const Recording& recording, FILE* out) { Writer(recording, out).write(); }

}  // namespace keyhole::recording
