// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests dump files: compression, errors, and the contents of a small heap, byte by byte. tests/launcher/heap_dump.py
// reads dumps of a whole VM.
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "gc/inspect/dump_file.h"
#include "gc/inspect/heap_dump.h"
#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

using gc::inspect::Compression;
using gc::inspect::DumpFile;

struct Folder {
  std::string path = testing::TempDir() + "dumpXXXXXX";
  Folder() { EXPECT_NE(mkdtemp(path.data()), nullptr); }
  std::string file(const char* name) const { return path + "/" + name; }
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Returns bytes that compress badly, and are more than the writer's buffer holds.
std::string some_bytes() {
  std::string bytes;
  u64 state = 1;
  for (int i = 0; i < 400'000; ++i)
    bytes.push_back(static_cast<char>((state = state * 6364136223846793005 + 1442695040888963407) >> 56 & 0x3F));
  return bytes;
}

std::string written(Compression compression, const std::string& bytes, const std::string& path) {
  DumpFile file(compression, 3);
  EXPECT_TRUE(file.create(path)) << file.error();
  for (usize at = 0; at < bytes.size(); at += 1000)
    file.write(bytes.data() + at, std::min<usize>(1000, bytes.size() - at));
  EXPECT_TRUE(file.close()) << file.error();
  std::string result = contents(path);
  EXPECT_EQ(file.file_bytes(), result.size());
  return result;
}

TEST(DumpFile, PlainBytesArrive) {
  Folder folder;
  std::string bytes = some_bytes();
  EXPECT_TRUE(written(Compression::none, bytes, folder.file("plain")) == bytes);
}

TEST(DumpFile, GzipIsUnpacked) {
  Folder folder;
  std::string bytes = some_bytes(), path = folder.file("packed"), unpacked(bytes.size() + 1, '\0');
  EXPECT_LT(written(Compression::gzip, bytes, path).size(), bytes.size());
  gzFile in = gzopen(path.c_str(), "rb");
  ASSERT_EQ(gzread(in, unpacked.data(), static_cast<unsigned>(unpacked.size())), static_cast<int>(bytes.size()));
  gzclose(in);
  EXPECT_EQ(unpacked.compare(0, bytes.size(), bytes), 0);
}

TEST(DumpFile, ZstdIsUnpacked) {
  Folder folder;
  std::string bytes = some_bytes(), packed = written(Compression::zstd, bytes, folder.file("packed")),
              unpacked(bytes.size() + 1, '\0');
  EXPECT_LT(packed.size(), bytes.size());
  ASSERT_EQ(ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size()), bytes.size());
  EXPECT_EQ(unpacked.compare(0, bytes.size(), bytes), 0);
}

TEST(DumpFile, AnExistingFileIsNotTouched) {
  Folder folder;
  written(Compression::none, "first", folder.file("kept"));
  DumpFile second(Compression::none, 0);
  EXPECT_FALSE(second.create(folder.file("kept")));
  EXPECT_EQ(second.error(), "File exists");
  EXPECT_EQ(contents(folder.file("kept")), "first");
}

TEST(DumpFile, AFullDiskIsTold) {
  Folder folder;
  for (Compression compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small{10'000, before.rlim_max};
    auto handler = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    std::string bytes = some_bytes();
    DumpFile file(compression, 1);
    EXPECT_TRUE(file.create(folder.file(std::to_string(static_cast<u32>(compression)).c_str())));
    file.write(bytes.data(), bytes.size());
    EXPECT_FALSE(file.close());
    EXPECT_EQ(file.error(), "File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
  }
}

using HeapDump = HeapTest;

u64 count_of(const std::string& text, const std::string& piece) {
  u64 count = 0;
  for (usize at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

TEST_F(HeapDump, LongAndShortArraysAreThere) {
  start(16_MiB);
  // Here a node serves as the mirror of a class: the dump omits classes without a mirror.
  Object* placeholder = node(1);
  roots.push_back(placeholder);
  k.longs.mirror = k.bytes.mirror = roots[0];
  Object* array = heap::allocate_array(thread, &k.bytes, 2'000'000);
  memset(array->elements<char>(), 0x5A, 2'000'000);
  roots.push_back(array);
  array = heap::allocate_array(thread, &k.longs, 2);
  array->elements<u64>()[0] = 0x0102030405060708;
  roots.push_back(array);
  Folder folder;
  k.node.mirror = k.longs.mirror = k.bytes.mirror = roots[0];
  testing::internal::CaptureStdout();
  EXPECT_TRUE(gc::inspect::dump_heap(thread, folder.file("heap.hprof")));
  std::string said = testing::internal::GetCapturedStdout(), dump = contents(folder.file("heap.hprof"));
  EXPECT_NE(said.find("Heap dump file created [" + std::to_string(dump.size()) + " bytes in"), std::string::npos)
      << said;
  EXPECT_EQ(dump.compare(0, 19, std::string("JAVA PROFILE 1.0.2\0", 19)), 0);
  EXPECT_EQ(count_of(dump, std::string(2'000'000, 0x5A)), 1u);
  EXPECT_EQ(count_of(dump, "\x01\x02\x03\x04\x05\x06\x07\x08"), 1u);
  EXPECT_EQ(dump[dump.size() - 9], 0x2C);  // HEAP DUMP END
  k.node.mirror = k.longs.mirror = k.bytes.mirror = nullptr;
}

}  // namespace
}  // namespace keyhole::test
