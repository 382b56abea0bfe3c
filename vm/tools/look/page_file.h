// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The page: one file of HTML that needs no other. What the target look_page has made of page/, with the data in it.
//
//   <style>  |  first blocks, drawn at once  |  <script>  |  the other blocks
//
// A block is text, in base64, of an element that is not shown: <script type="application/octet-stream" id="block-7">.
#pragma once

#include <string>

#include "vm/tools/look/page_data.h"

namespace keyhole::look {

// Where the page without data lies: beside the executable.
std::string template_path();
// Empty, or why it cannot. The file is there as a whole or not at all.
std::string write_page(const PageData& data, const std::string& path);

}  // namespace keyhole::look
