// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes blocks in base64, and renames the complete file to its final name.
#include "vm/tools/look/page_file.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/base/process/executable.h"

namespace keyhole::look {

namespace {

constexpr std::string_view first_place = "<!--blocks: first-->", rest_place = "<!--blocks: rest-->";

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (usize at = 0; at < bytes.size(); at += 3) {
    usize count = std::min<usize>(3, bytes.size() - at);
    u32 group = 0;
    for (usize i = 0; i < 3; ++i) group = group << 8 | (i < count ? static_cast<u8>(bytes[at + i]) : 0);
    for (usize i = 0; i < 4; ++i) text += i <= count ? letters[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string template_path() { return executable_folder() + "/look-page.html"; }

std::string write_page(std::span<const PageData> sides, const std::string& path) {
  std::string page = read_file(template_path());
  usize first = page.find(first_place), rest = page.find(rest_place);
  if (first == std::string::npos || rest == std::string::npos)
    return fmt::format("there is no page in {}: build the target look_page", template_path());
  std::string unfinished = path + ".part";
  FILE* file = fopen(unfinished.c_str(), "we");
  if (file == nullptr) return fmt::format("cannot write {}: {}", path, strerror(errno));
  auto put = [file](std::string_view text) { fwrite(text.data(), 1, text.size(), file); };
  auto put_blocks = [&](bool are_first) {
    for (usize side = 0; side < sides.size(); ++side) {
      const PageData& data = sides[side];
      const std::string prefix = sides.size() == 1 ? "" : fmt::format("side-{}-", side);
      const usize from = are_first ? 0 : data.drawn_at_once,
                  until = are_first ? data.drawn_at_once : data.blocks.size();
      for (usize i = from; i < until; ++i)
        put(fmt::format("<script type=\"application/octet-stream\" id=\"{}block-{}\">{}</script>\n", prefix, i,
                        base64(data.blocks[i])));
    }
  };
  std::string_view text = page;
  put(text.substr(0, first));
  put_blocks(true);
  put(text.substr(first + first_place.size(), rest - first - first_place.size()));
  put_blocks(false);
  put(text.substr(rest + rest_place.size()));
  bool written = ferror(file) == 0;
  written = fclose(file) == 0 && written && rename(unfinished.c_str(), path.c_str()) == 0;
  if (written) return {};
  std::string problem = fmt::format("cannot write {}: {}", path, strerror(errno));
  unlink(unfinished.c_str());
  return problem;
}

}  // namespace keyhole::look
