// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of fast_paths.def.
#include "runtime/sync/fast_path_row.h"
#include "runtime/sync/fast_paths.h"

namespace keyhole::sync::fast_path_rows {

namespace {

enum class Number : u32 {
  none,
#define FAST_PATH(name, snippet, header) name,
#define RECORDED_FAST_PATH(name, plain) name,
#include "runtime/sync/fast_paths.def"
};

template <typename FastPath>
constexpr FastPathRow row_over(std::string_view name, Number number, const FastPathRow* recorded) {
  return {
      .name = name,
      .number = static_cast<u32>(number),
      .try_enter = [](JavaThread* thread, Object* object,
                      LockRecord* record) { return FastPath::try_enter(thread, object, record); },
      .try_exit = [](JavaThread* thread, Object* object,
                     LockRecord* record) { return FastPath::try_exit(thread, object, record); },
      .recorded = recorded,
  };
}

}  // namespace

constinit const FastPathRow none = row_over<fast_paths::none>("", Number::none, &none);
#define RECORDED_FAST_PATH(name, plain) \
  constinit const FastPathRow name = row_over<fast_paths::name>(#name, Number::name, nullptr);
#include "runtime/sync/fast_paths.def"
// The row of each plain snippet points to a row named recorded_NAME (defined above), which replaces the plain row while
// locks are recorded.
#define FAST_PATH(name, snippet, header) \
  constinit const FastPathRow name = row_over<fast_paths::name>(#name, Number::name, &recorded_##name);
#include "runtime/sync/fast_paths.def"

}  // namespace keyhole::sync::fast_path_rows
