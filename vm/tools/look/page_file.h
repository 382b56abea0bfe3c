// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The page: one self-contained file of HTML. It consists of the output of the target look_page and the data.
//
//   <style>  |  first blocks, drawn at once  |  <script>  |  the other blocks
//
// A block is text, in base64, of an element that is not shown: <script type="application/octet-stream" id="block-7">.
#pragma once

#include <string>

#include "vm/tools/look/page_data.h"

namespace keyhole::look {

// The path of the page without data, which lies beside the executable.
std::string template_path();
// Returns the empty string, or the error. The file is written completely or not at all.
std::string write_page(const PageData& data, const std::string& path);

}  // namespace keyhole::look
