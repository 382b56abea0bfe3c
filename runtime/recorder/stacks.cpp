// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers stacks, and reads them.
#include "runtime/recorder/stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>

#include "runtime/recorder/texts.h"

namespace keyhole::recorder {

u32 stack(std::span<const u32> sites) {
  u32 caller = 0;
  for (u32 site : std::views::reverse(sites)) {
    char bytes[24];
    char* end = fmt::format_to(&bytes[0], "{} {}", caller, site);
    caller = text({&bytes[0], end});
  }
  return caller;
}

std::vector<u32> sites_of_stack(const Recording& recording, u32 stack) {
  std::vector<u32> sites;
  while (stack != 0) {
    const std::string& node = recording.text(stack);
    const char* end = node.data() + node.size();
    u32 caller = 0, site = 0;
    auto [after_caller, caller_error] = std::from_chars(node.data(), end, caller);
    if (caller_error != std::errc() || after_caller == end || *after_caller != ' ') break;
    auto [after_site, site_error] = std::from_chars(after_caller + 1, end, site);
    if (site_error != std::errc() || after_site != end) break;
    sites.push_back(site);
    if (caller >= stack) break;  // T1
    stack = caller;
  }
  std::ranges::reverse(sites);
  return sites;
}

std::string_view method_of_site(std::string_view site) { return site.substr(0, site.find('(')); }

}  // namespace keyhole::recorder
