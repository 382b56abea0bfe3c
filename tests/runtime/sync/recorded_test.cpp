// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table row of recorded locking (runtime/sync/recording/recorded.h), which wraps an algorithm's row. Each
// operation has an event, and has the same effect as in the wrapped row.
#include <unistd.h>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/recording.h"
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using recorder::Kind;

class RecordedTest : public SyncTest, public testing::WithParamInterface<const char*> {
 protected:
  void TearDown() override {
    SyncTest::TearDown();
    choose("lightweight");
  }
  LockRecord* push(Handle object) {
    LockRecord* record = &self->lock_records[self->lock_record_top++];
    record->object = object.get();
    return record;
  }
  void pop(LockRecord* record) {
    record->object = nullptr;
    --self->lock_record_top;
  }
};

TEST_P(RecordedTest, EventsNameEachOperation) {
  SKIP_UNLESS_IT_RUNS(GetParam());
  choose(GetParam());
  const std::string path = "/tmp/recorded_test." + std::to_string(getpid()) + ".khr";
  Handle object = make();
  ASSERT_EQ(recorder::start(path, recorder::bit_of(recorder::Family::locks)), "");
  LockRecord* record = push(object);
  sync::enter(self, object, record);
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  i32 hash = sync::identity_hash(self, object);
  EXPECT_EQ(sync::notify(self, object), sync::Status::Done);
  EXPECT_EQ(sync::wait(self, object, 1), sync::Status::Done);
  EXPECT_EQ(sync::exit(self, object, record), sync::Status::Done);
  pop(record);
  EXPECT_FALSE(sync::holds_lock(self, object.get()));
  EXPECT_EQ(sync::notify(self, object), sync::Status::NotOwner);
  ASSERT_EQ(recorder::stop(), "");
  // After the recording, operations call the algorithm directly again.
  record = push(object);
  sync::enter(self, object, record);
  EXPECT_EQ(sync::identity_hash(self, object), hash);
  EXPECT_EQ(sync::exit(self, object, record), sync::Status::Done);
  pop(record);

  recorder::Recording recording = recorder::read_recording(path);
  unlink(path.c_str());
  EXPECT_EQ(recording.problem, "");
  std::vector<Kind> seen;
  for (const recorder::Entry& entry : recording.entries) {
    bool is_detail = entry.kind == Kind::lock_step || entry.kind == Kind::lock_change ||
                     entry.kind == Kind::lock_mode || entry.kind == Kind::inflate;  // vary by algorithm
    if (!is_detail && entry.thread == self->id) seen.push_back(entry.kind);
  }
  EXPECT_EQ(seen, (std::vector{Kind::lock_enter, Kind::hash_asked, Kind::hash, Kind::notify, Kind::wait_begin,
                               Kind::wait_end, Kind::lock_exit, Kind::lock_refused}));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, RecordedTest,
                         testing::Values("monitor", "legacy", "lightweight", "lightweight+table", "hashchains",
                                         "hashchains+3", "cjm-fifo", "cjm-by", "cjm-hybrid", "pthread", "traced"));

}  // namespace
}  // namespace keyhole::test
