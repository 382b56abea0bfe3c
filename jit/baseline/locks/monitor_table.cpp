// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MonitorTableFastPath (runtime/sync/algorithms/monitor_table_fast_path.h) as machine code. Rules:
// runtime/sync/algorithms/monitor_table_protocol.h, K1 in monitor_cache.h.
//
//   enter   tries lightweight's path. If that fails, and one of the thread's two newest cached monitors is the
//           object's, enters that monitor and notes it in the lock record
//   exit    if the lock record names a monitor, exits it and clears the record; otherwise takes lightweight's path
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/sync/fast_paths.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

namespace {

Mem displaced_of(Gp record) { return x86::qword_ptr(record, offsetof(LockRecord, displaced)); }
Mem cached(u32 index, usize offset) {
  return x86::qword_ptr(thread_register, static_cast<i32>(offsetof(JavaThread, monitor_cache) +
                                                          index * sizeof(JavaThread::monitor_cache[0]) + offset));
}

void enter(x86::Assembler& a, const LockOperands& at, Label slow) {
  using Cached = std::remove_reference_t<decltype(JavaThread::monitor_cache[0])>;
  Label probe = a.newLabel(), found = a.newLabel(), done = a.newLabel();
  enter_lightweight(a, at, probe);
  a.jmp(done);
  a.bind(probe);
  a.comment("; table: the monitors met lately (K1), the one it is through into the record (R7)");
  constexpr u32 probes = sync::MonitorTableFastPath<sync::SyncWorld>::inline_probes;
  for (u32 i = 0; i < probes; ++i) {
    a.mov(x86::rdx, cached(i, offsetof(Cached, monitor)));
    a.cmp(cached(i, offsetof(Cached, object)), at.object);
    a.je(found);
  }
  a.jmp(slow);
  a.bind(found);
  // monitor_cache.h K1: a thread that acquires the cached monitor by CAS from none, or owns it, has the object's
  // current monitor.
  enter_monitor(a, slow);
  a.mov(displaced_of(at.record), x86::rdx);  // monitor_table_protocol.h R7
  a.bind(done);
}

void exit(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label through = a.newLabel(), done = a.newLabel();
  a.mov(x86::rdx, displaced_of(at.record));
  a.test(x86::rdx, x86::rdx);
  a.jnz(through);
  exit_lightweight(a, at, slow);
  a.jmp(done);
  a.bind(through);
  a.comment("; table: through the record's monitor (R7)");
  exit_monitor(a, slow);
  a.mov(displaced_of(at.record), imm(0));
  a.bind(done);
}

}  // namespace

const LockSnippet monitor_table_snippet = {enter, exit};

}  // namespace keyhole::baseline
