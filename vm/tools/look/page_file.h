// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the page: a self-contained HTML file, made of the output of the CMake target look_page and the data.
//
//   <style>  |  first blocks, drawn at once  |  <script>  |  the other blocks
//
// A block is stored as base64 text of an invisible element: <script type="application/octet-stream" id="block-7">. If
// the file has several recordings side by side, the ids are "side-0-block-7", "side-1-block-7" and so on.
#pragma once

#include <span>
#include <string>

#include "vm/tools/look/page_data.h"

namespace keyhole::look {

// Returns the path of the page without data. This file is beside the executable.
std::string template_path();
// Writes the page of one recording or comparison, or of several recordings side by side. Returns the empty string, or
// the error. On an error, no file is left behind.
std::string write_page(std::span<const PageData> sides, const std::string& path);

}  // namespace keyhole::look
