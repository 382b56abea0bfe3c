// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A fuzzer of recordings. Each damaged recording goes through all readers: --show in all its forms, the page of --look,
// the profile and the load of --compare-locks. A reader may reject the recording, or show the part that it can read.
//
//   form of damage          checks that it passes
//   bytes, a cut            none: most end at the frame's magic number, its sizes, or zstd's checksum
//   a field of a header     those of the frame's structure
//   a field of an event     all checks of frames: the events make no sense
//   two recordings mixed    all: numbers name texts and objects of the other recording
//
// KEYHOLE_FUZZ_RECORDINGS=100000 tests that many recordings, from new seeds. A failure names its seed, and
// KEYHOLE_FUZZ_FIRST=SEED repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "runtime/recorder/file.h"
#include "runtime/recorder/recording.h"
#include "vm/tools/compare/lock_profile.h"
#include "vm/tools/compare/recorded_load.h"
#include "vm/tools/look/page_data.h"
#include "vm/tools/recording/findings.h"
#include "vm/tools/recording/known_events.h"
#include "vm/tools/recording/lock_steps.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recorder::file {
namespace {

struct Frame {
  FrameHeader header;
  std::string payload;  // the content of a frame of names; the content of a frame of events is in `events`
  std::vector<Event> events;
};

class Damager {
 public:
  explicit Damager(u32 seed) : random_(seed) {}

  std::string recording() {
    std::vector<Frame> frames = whole();
    if (one_in(6)) {
      std::vector<Frame> other = whole();
      for (Frame& frame : other) frames.insert(frames.begin() + below(static_cast<u32>(frames.size())), frame);
    }
    for (u32 i = below(4); i > 0; --i) damage_event(frames[below(static_cast<u32>(frames.size()))]);
    std::string bytes(magic);
    u64 table = table_hash();
    bytes.append(reinterpret_cast<const char*>(&table), sizeof table);
    for (Frame& frame : frames) append(bytes, frame);
    if (one_in(3)) bytes.resize(below(static_cast<u32>(bytes.size())));
    for (u32 i = one_in(3) ? below(4) : 0; i > 0 && !bytes.empty(); --i)
      bytes[below(static_cast<u32>(bytes.size()))] ^= static_cast<char>(1u << below(8));
    return bytes;
  }

 private:
  u32 below(u32 bound) { return static_cast<u32>(random_()) % bound; }
  bool one_in(u32 count) { return below(count) == 0; }
  u32 edge() {
    constexpr u32 edges[] = {0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
    return one_in(4) ? static_cast<u32>(random_()) : edges[below(std::size(edges))];
  }

  // Makes a recording of some threads that lock some objects, with events of all other families.
  std::vector<Frame> whole() {
    std::vector<Frame> frames;
    frames.push_back({{.kind = FrameKind::clock, .base = 1000, .nanoseconds = 0}, {}, {}});
    std::string names;
    auto name = [&](NameKind kind, u32 number, std::string_view text) {
      u16 length = static_cast<u16>(text.size());
      names += static_cast<char>(kind);
      names.append(reinterpret_cast<const char*>(&number), sizeof number);
      names.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
    };
    constexpr std::string_view texts[] = {"lightweight", "a.Class", "A.m(A.java:7) bci 4", "\x1b]0;title\x07",
                                          "\xff\xc0\x80"};
    for (u32 i = 0; i < std::size(texts); ++i) name(NameKind::text, i + 1, texts[i]);
    for (u32 i = 1; i < 5; ++i) name(NameKind::thread, i, one_in(2) ? "main" : "\x1b[31mred");
    if (one_in(8)) name(NameKind::text, edge(), "far");
    frames.push_back({{.kind = FrameKind::names}, names, {}});
    for (u32 thread = 1; thread < 5; ++thread) {
      Frame frame{{.kind = FrameKind::events, .thread = thread, .base = 1000 + below(100)}, {}, {}};
      for (u32 i = below(60), time = 0; i > 0; --i) {
        Kind kind = one_in(2) ? static_cast<Kind>(below(recorder::kind_count)) : static_cast<Kind>(below(15));
        frame.events.push_back(
            {time += below(1000), static_cast<u16>(kind), static_cast<u16>(below(40)), 1 + below(6), below(6)});
      }
      if (thread == 1) frame.events.insert(frame.events.begin(), Event{0, static_cast<u16>(Kind::lock_mode), 0, 1, 0});
      frames.push_back(frame);
    }
    frames.push_back({{.kind = FrameKind::clock, .base = 4'000'000, .nanoseconds = 1'000'000}, {}, {}});
    frames.push_back({{.kind = FrameKind::end}, {}, {}});
    return frames;
  }

  void damage_event(Frame& frame) {
    if (frame.events.empty()) return;
    Event& event = frame.events[below(static_cast<u32>(frame.events.size()))];
    switch (below(5)) {
      case 0: event.time = edge(); break;
      case 1: event.kind = static_cast<u16>(edge()); break;
      case 2: event.detail = static_cast<u16>(edge()); break;
      case 3: event.a = edge(); break;
      default: event.b = edge(); break;
    }
  }

  void append(std::string& bytes, Frame& frame) {
    FrameHeader& header = frame.header;
    std::string payload = frame.payload;
    if (header.kind == FrameKind::events) {
      header.count = static_cast<u32>(frame.events.size());
      if (one_in(4)) {
        header.codec = Codec::events_in_rows;
        payload.assign(reinterpret_cast<const char*>(frame.events.data()), frame.events.size() * sizeof(Event));
      } else {
        payload.assign(frame.events.size() * column_bytes, '\0');
        encode_columns(frame.events, payload.data());
      }
    }
    header.raw_bytes = static_cast<u32>(payload.size());
    std::string packed = header.codec == Codec::raw && one_in(2) ? compress(payload) : std::string();
    if (!packed.empty()) header.codec = Codec::zstd, payload = packed;
    header.stored_bytes = static_cast<u32>(payload.size());
    if (one_in(30)) damage(header);
    bytes.append(reinterpret_cast<const char*>(&header), sizeof header).append(payload);
  }

  void damage(FrameHeader& header) {
    switch (below(8)) {
      case 0: header.kind = static_cast<FrameKind>(below(6)); break;
      case 1: header.codec = static_cast<Codec>(below(5)); break;
      case 2: header.thread = edge(); break;
      case 3: header.count = edge(); break;
      case 4: header.base = u64{edge()} << 32 | edge(); break;
      case 5: header.nanoseconds = static_cast<i64>(u64{edge()} << 32 | edge()); break;
      case 6: header.raw_bytes = edge(); break;
      default: header.stored_bytes = edge(); break;
    }
  }

  std::mt19937 random_;
};

class DamagedRecording : public testing::Test {
 protected:
  DamagedRecording()
      : path_(fmt::format("{}damaged-{}.khr", testing::TempDir(), getpid())), out_(fopen("/dev/null", "we")) {}
  ~DamagedRecording() override {
    fclose(out_);
    remove(path_.c_str());
  }

  void write(std::string_view bytes) const {
    FILE* file = fopen(path_.c_str(), "we");
    ASSERT_EQ(fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
    fclose(file);
  }

  // The number of events.
  usize read_in_all_ways() const {
    recorder::Recording recording = recording::read_known_events(path_);
    recording::show_as_text(recording, out_);
    recording::show_as_json(recording, out_);
    recording::show_for_perfetto(recording, out_);
    const recording::WaitFacts waits = recording::wait_facts_of(recording, 1'000'000);
    recording::show_waits(recording, waits.waits, false, out_);
    recording::show_waits(recording, waits.waits, true, out_);
    const std::vector<recording::Finding> findings = recording::findings_of(recording);
    recording::show_findings_as_text(findings, out_);
    recording::show_findings_as_json(findings, out_);
    for (u32 object = 1; object < 4; ++object) {
      std::string problem;
      recording::LockSteps steps = recording::lock_steps_of(recording, object, problem);
      recording::show_pictures_as_text(recording, steps, object, out_);
      recording::show_pictures_as_json(recording, steps, out_);
    }
    if (look::largest_object_fits(recording)) look::page_data_of(recording, {});
    std::string problem;
    compare::profile_of(path_, problem);
    compare::load_of(path_, 4, problem);
    return recording.entries.size();
  }

  std::string path_;
  FILE* out_;
};

TEST_F(DamagedRecording, IsReadOrRefused) {
  const char* wanted = getenv("KEYHOLE_FUZZ_RECORDINGS");
  const char* first = getenv("KEYHOLE_FUZZ_FIRST");
  u32 count = wanted == nullptr ? 400 : static_cast<u32>(strtoul(wanted, nullptr, 10));
  u32 seed = first != nullptr    ? static_cast<u32>(strtoul(first, nullptr, 10))
             : wanted == nullptr ? 1
                                 : std::random_device()();
  usize events = 0;
  for (u32 i = 0; i < count; ++i, ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    if (wanted != nullptr) fprintf(stderr, "%s%u", i % 16 == 0 ? "\nseed " : " ", seed);
    write(Damager(seed).recording());
    events += read_in_all_ways();
  }
  EXPECT_GT(events, count * 20);  // on average, the reader still finds more than 20 events in a damaged recording
}

FrameHeader header_of_events(u32 count, u32 raw_bytes) {
  return {.kind = FrameKind::events, .codec = Codec::zstd, .count = count, .raw_bytes = raw_bytes};
}
std::string recording_of(const FrameHeader& header, std::string_view payload, u32 copies = 1) {
  std::string bytes(magic);
  u64 table = table_hash();
  bytes.append(reinterpret_cast<const char*>(&table), sizeof table);
  FrameHeader whole = header;
  whole.stored_bytes = static_cast<u32>(payload.size());
  for (u32 i = 0; i < copies; ++i) bytes.append(reinterpret_cast<const char*>(&whole), sizeof whole).append(payload);
  return bytes;
}

// A text with number 4,294,967,295 must not make the reader allocate as many texts.
TEST_F(DamagedRecording, HasNoTextOfANumberThatItCannotHold) {
  std::string names;
  u32 number = ~u32{0};
  u16 length = 1;
  names += static_cast<char>(NameKind::text);
  names.append(reinterpret_cast<const char*>(&number), sizeof number);
  names.append(reinterpret_cast<const char*>(&length), sizeof length).append("x");
  write(recording_of({.kind = FrameKind::names, .raw_bytes = static_cast<u32>(names.size())}, names));
  recorder::Recording recording = recorder::read_recording(path_);
  EXPECT_TRUE(recording.texts.empty());
  EXPECT_NE(recording.problem.find("names with numbers that it cannot hold"), std::string::npos) << recording.problem;
}

TEST_F(DamagedRecording, ClaimsNoMoreThanItsPayloadCanHold) {
  write(recording_of(header_of_events(4'000'000, 60'000'000), "\x28\xb5\x2f\xfd"));
  EXPECT_NE(recorder::read_recording(path_).problem, "");
}

// A small file has a thousand frames of a few bytes each, and zstd expands each frame to a whole block of events.
TEST_F(DamagedRecording, HoldsNoMoreEventsThanItsSizeAllows) {
  constexpr u32 count = 8192;
  std::string payload = compress(std::string(usize{count} * column_bytes, '\0'));
  std::string bytes = recording_of(header_of_events(count, count * column_bytes), payload, 1000);
  write(bytes);
  recorder::Recording recording = recorder::read_recording(path_);
  EXPECT_NE(recording.problem, "");
  EXPECT_LE(recording.entries.size(), 16 * bytes.size());
  EXPECT_LT(recording.entries.size(), usize{count} * 1000);
}

}  // namespace
}  // namespace keyhole::recorder::file
