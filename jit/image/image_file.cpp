// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the key of this process; reads and writes image files.
#include "jit/image/image_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <zstd.h>

#include <fstream>

#include "jit/image/trusted_file.h"
#include "runtime/base/flags.h"
#include "runtime/base/fnv_hash.h"
#include "runtime/base/process/executable.h"
#include "runtime/object/layout.h"

namespace keyhole::image {
namespace {

constexpr std::string_view first_line = "keyhole code image 1\n";
constexpr int compression_level = 3;
constexpr usize most_bytes = usize{1} << 30;  // largest content that is read
// The best compression ratio that zstd can reach. It compresses blocks of at most 128 KiB, each to at least four bytes.
constexpr usize zstd_best_ratio = 128 * 1024 / 4;

// Describes the processor for which code is generated: the name from -XX:TargetProcessor, or else the model and the
// features of this machine. Empty if these are unknown.
std::string processor() {
  if (!flags::TargetProcessor.empty()) return flags::TargetProcessor;
  std::ifstream file("/proc/cpuinfo");
  std::string line, model, features;
  while (std::getline(file, line) && (model.empty() || features.empty())) {
    usize colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) model = line.substr(colon + 2);
    if (line.starts_with("flags")) features = line;
  }
  if (features.empty()) return {};
  return fmt::format("{}, features {:016x}", model, fnv_hash(features));
}

// Describes the first difference between two keys, for example "it was made by another build of Keyhole".
std::string difference(std::string_view theirs, std::string_view ours) {
  auto next_line = [](std::string_view& text) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  while (!theirs.empty() || !ours.empty()) {
    std::string_view their_line = next_line(theirs), our_line = next_line(ours);
    if (their_line == our_line) continue;
    std::string_view name = our_line.substr(0, our_line.find(' '));
    auto value = [](std::string_view line) { return line.substr(std::min(line.size(), line.find(' ') + 1)); };
    if (name == "build" || name == "plug-in") return "it was made by another build of Keyhole";
    return fmt::format("it was made for another {} ({}; this is {})", name, value(their_line), value(our_line));
  }
  return "it is damaged";  // a mandatory line is missing
}

}  // namespace

std::string build_id(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  auto read = [&](usize offset, void* into, usize bytes) {
    file.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(file.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes)));
  };
  Elf64_Ehdr header;
  if (!read(0, &header, sizeof header)) return {};
  for (u32 i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read(header.e_phoff + i * sizeof segment, &segment, sizeof segment)) return {};
    if (segment.p_type != PT_NOTE) continue;
    usize end = segment.p_offset + segment.p_filesz;
    for (usize at = segment.p_offset; at + sizeof(Elf64_Nhdr) <= end;) {
      Elf64_Nhdr note;
      if (!read(at, &note, sizeof note)) return {};
      at += sizeof note + align_up(note.n_namesz, 4);
      std::string bytes(note.n_descsz, 0);
      if (note.n_type == NT_GNU_BUILD_ID && read(at, bytes.data(), bytes.size())) {
        std::string text;
        for (char byte : bytes) text += fmt::format("{:02x}", static_cast<u8>(byte));
        return text;
      }
      at += align_up(note.n_descsz, 4);
    }
  }
  return {};
}

std::string key_of_process(const std::string& plugin) {
  std::string build = build_id(executable_path()), build_of_plugin = build_id(plugin), model = processor();
  if (build.empty() || build_of_plugin.empty() || model.empty()) return {};
  return fmt::format("header {}\nbuild {}\nplug-in {}\nprocessor {}\n\n", layout::name, build, build_of_plugin, model);
}

Content read_file(const std::string& path, std::string_view key) {
  Content content;
  auto [exists, bytes, problem] = read_trusted(path, most_bytes);
  content.exists = exists;
  content.problem = problem;
  if (!exists || !problem.empty()) return content;
  std::string_view rest = bytes;
  if (!rest.starts_with(first_line)) {
    content.problem = "it is not a code image";
    return content;
  }
  rest.remove_prefix(first_line.size());
  usize end = rest.find("\n\n");
  std::string_view their_key = rest.substr(0, end == std::string_view::npos ? end : end + 2);
  if (their_key != key) {
    content.problem = difference(their_key, key);
    return content;
  }
  rest.remove_prefix(their_key.size());
  unsigned long long size = ZSTD_getFrameContentSize(rest.data(), rest.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > most_bytes ||
      size / zstd_best_ratio > rest.size()) {
    content.problem = "it is damaged";
    return content;
  }
  content.bytes.resize(size);
  usize decoded = ZSTD_decompress(content.bytes.data(), size, rest.data(), rest.size());
  if (ZSTD_isError(decoded) || decoded != size) content.problem = "it is damaged";
  return content;
}

std::string write_file(const std::string& path, std::string_view key, std::string_view content) {
  std::string bytes(ZSTD_compressBound(content.size()), 0);
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, compression_level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  usize size = ZSTD_compress2(context, bytes.data(), bytes.size(), content.data(), content.size());
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(size)) return "it cannot be compressed";
  bytes.resize(size);
  return write_trusted(path, fmt::format("{}{}", first_line, key), bytes);
}

}  // namespace keyhole::image
