// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HPROF 1.0.2, the binary format of heap dumps: its tags, and a writer of records.
//
//   "JAVA PROFILE 1.0.2\0"  u4 size of an id (8)  u8 milliseconds since 1970
//   record:  u1 tag  u4 microseconds since then  u4 length  body
//
//   UTF8         id, text without end                    a name
//   LOAD_CLASS   serial, class id, trace serial, name id
//   FRAME        id, method, descriptor and file name ids, class serial, line
//   TRACE        serial, thread serial, n, n frame ids
//   HEAP_DUMP_SEGMENT   sub-records, tag u1 each, any number of segments
//   HEAP_DUMP_END
//
// All numbers are big-endian. The id of an object is its address; the id of a class is the address of its mirror, that
// of a name the address of its Symbol.
//
// A record's length precedes its body. So the bodies of segments are collected in memory; a large array is a segment of
// its own, whose length is known beforehand.
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "gc/inspect/dump_file.h"

namespace keyhole::gc::inspect::hprof {

enum class Tag : u8 {
  Utf8 = 0x01,
  LoadClass = 0x02,
  Frame = 0x04,
  Trace = 0x05,
  HeapDumpSegment = 0x1C,
  HeapDumpEnd = 0x2C
};
enum class SubTag : u8 {
  RootUnknown = 0xFF,
  RootJniGlobal = 0x01,
  RootJniLocal = 0x02,
  RootJavaFrame = 0x03,
  RootNativeStack = 0x04,
  RootStickyClass = 0x05,
  RootThreadBlock = 0x06,
  RootMonitorUsed = 0x07,
  RootThreadObject = 0x08,
  ClassDump = 0x20,
  InstanceDump = 0x21,
  ObjectArrayDump = 0x22,
  PrimitiveArrayDump = 0x23,
};
inline constexpr u8 type_object = 2;  // the primitive types are numbered as BasicType is

class Writer {
 public:
  explicit Writer(DumpFile& file) : file_(file) {}

  void header(u64 milliseconds) {
    body_.insert(body_.end(),
                 {'J', 'A', 'V', 'A', ' ', 'P', 'R', 'O', 'F', 'I', 'L', 'E', ' ', '1', '.', '0', '.', '2', '\0'});
    number<u32>(8);
    number<u64>(milliseconds);
    write_body();
  }

  // --- one record: its body, then end --------------------------------------------------------------------------------
  template <typename T> void number(T value) {
    T swapped = sizeof(T) == 1 ? value : std::byteswap(value);
    const u8* bytes = reinterpret_cast<const u8*>(&swapped);
    body_.insert(body_.end(), bytes, bytes + sizeof(T));
  }
  void id(const void* value) { number<u64>(reinterpret_cast<u64>(value)); }
  void bytes(const void* from, usize count) {
    body_.insert(body_.end(), static_cast<const u8*>(from), static_cast<const u8*>(from) + count);
  }
  void end(Tag tag) {
    record(tag, static_cast<u32>(body_.size()));
    write_body();
  }

  // --- sub-records of segments: begin, body ... ----------------------------------------------------------------------
  void begin(SubTag tag) {
    if (body_.size() >= segment_bytes) end(Tag::HeapDumpSegment);
    number<u8>(static_cast<u8>(tag));
  }
  void end_segment() {
    if (!body_.empty()) end(Tag::HeapDumpSegment);
  }
  // Called before begin: announces that this many bytes of a sub-record, its tag included, will be written by stream().
  void begin_long_segment(u64 length) {
    end_segment();
    record(Tag::HeapDumpSegment, static_cast<u32>(length));
  }
  void stream() { write_body(); }
  static constexpr usize segment_bytes = 1_MiB;

 private:
  void record(Tag tag, u32 length) {
    u32 words[2] = {0, std::byteswap(length)};
    file_.write(&tag, 1);
    file_.write(words, sizeof words);
  }
  void write_body() {
    file_.write(body_.data(), body_.size());
    body_.clear();
  }

  DumpFile& file_;
  std::vector<u8> body_;
};

}  // namespace keyhole::gc::inspect::hprof
