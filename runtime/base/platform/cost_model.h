// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CostModel: the costs of the simulated machine, and the origin of each figure. Frozen before the first algorithm ran
// on it: a changed figure invalidates every simulated result in bench/results.
//
// The machine: sockets x cores x hyperthreads of the one in Dice & Kogan's paper (2 x 18 x 2, Haswell, 2.3 GHz), with
// costs measured on the machine Keyhole is developed on (two virtual CPUs of a Xeon of a later generation) wherever two
// CPUs can show them.
//
//   m   measured there: the minimum of many rounds of a loop that does nothing else
//   d   derived from measured figures
//   p   published
//   a   assumed
//
// Memory. A cache line is owned by one core, shared by several, or in no cache. Hyperthreads of a core share its
// caches.
//
//   access                     line                                cost
//   load                       in this core's cache                l1_hit
//   load                       clean in caches of others           shared_read, or cross_socket_read when all are on
//                                                                  the other socket
//   load                       dirty in another core               transfer, or cross_socket_transfer; both share it
//                                                                  afterwards
//   store                      owned by this core                  store_issue
//   store                      shared with others                  store_issue now; the others lose the line an
//                                                                  invalidation later
//   store                      not in this core's cache            store_issue now; the line comes a transfer later
//   CAS, exchange, fetch_add   owned by this core                  locked_operation, after own stores have drained
//   CAS ...                    shared with others, not here        an invalidation, a transfer more
//
// A store on its way delays CASes and fences of the same thread (store buffer), and other cores that request the line.
// A line serves one request after the other; a read of a clean line keeps it busy for read_occupancy only. Capacity,
// associativity, prefetching and the TLB are not modelled.
//
// A core that has just used a line keeps it for up to two invalidations longer, even if another core has requested it:
// the request takes that long. The time is evenly distributed, and each transfer takes up to jitter_percent more or
// less: without randomness threads lock into phase, so that one always arrives while the other one is inside.
//
// Spinning: PAUSE and re-read from the core's own cache. When the line is written, the spinners' re-reads are next in
// its queue.
//
// Waiting in the kernel: futex calls on one cell take turns at the kernel's bucket lock. A sleeper costs nothing;
// waking costs the waker `wake_call`, and the sleeper runs `wake_latency` later on an idle CPU. With more threads than
// CPUs each gets `time_slice` in turn.
//
// All costs are in picoseconds.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::cost_model {

using Picoseconds = i64;

// m: a value between a dependent load (3.6 ns) and an independent one (0.2 ns).
inline constexpr Picoseconds l1_hit = 1'000;
inline constexpr Picoseconds store_issue = 300;         // m
inline constexpr Picoseconds locked_operation = 5'400;  // m: CAS 5.4, exchange 4.7
inline constexpr Picoseconds fence = 5'000;             // m: lock or on the stack
inline constexpr Picoseconds pause = 4'350;             // p: 10 cycles on Haswell (Intel's optimization manual);
                                                        // 9.65 ns measured on the later Xeon
// m: a dependent load of a line that the other core has written.
inline constexpr Picoseconds transfer = 50'000;
// d: half of a ping-pong by store and load takes 58 ns, a transfer of them.
inline constexpr Picoseconds invalidation = 8'000;
inline constexpr Picoseconds cross_socket_transfer = 110'000;     // a: 2.2 transfers; two-socket machines of that
                                                                  // generation lie between 2 and 2.5
inline constexpr Picoseconds cross_socket_invalidation = 18'000;  // a: the same
inline constexpr i64 jitter_percent = 25;                         // a
inline constexpr Picoseconds shared_read = 25'000;                // a: a hit in the last-level cache
inline constexpr Picoseconds cross_socket_read = 95'000;          // a: the same on the other socket
inline constexpr Picoseconds read_occupancy = 5'000;              // a: what a read keeps a line's home busy

inline constexpr Picoseconds generator_step = 1'450;  // m: one step of std::mt19937, from the own cache
inline constexpr u32 sibling_slowdown_percent = 160;  // a: two busy hyperthreads do 1.25 times the work of one

inline constexpr Picoseconds system_call = 84'000;        // m: getppid
inline constexpr Picoseconds futex_bucket_hold = 70'000;  // d: a futex wait that returns at once takes 156 ns,
                                                          // system_call of them outside
// a: finding an idle CPU and interrupting it; virtual CPUs show 13 us.
inline constexpr Picoseconds wake_call = 1'000'000;
// m: half of a round trip of 10 us between two CPUs that sleep meanwhile.
inline constexpr Picoseconds wake_latency = 5'000'000;
// d: a round trip of 1.68 us on one CPU, less its four calls.
inline constexpr Picoseconds context_switch = 420'000;
// m: the lateness of a timed wait of 1 ms; 50 us of it are the kernel's slack.
inline constexpr Picoseconds timer_lateness = 72'000'000;
inline constexpr Picoseconds time_slice = 3'900'000'000;  // m: run length of two threads on one CPU

// Virtual threads (R6 of simulated_machine.h).
// d: half of a ping-pong of 415 ns by virtual threads on one carrier, where each hand-over is a park and an unpark.
inline constexpr Picoseconds carrier_switch = 207'000;
// d: the cost of a push onto the list that carriers empty.
inline constexpr Picoseconds deferred_unpark = transfer + locked_operation;
inline constexpr Picoseconds unblocker_interval = 50'000'000;  // as in runtime/threads/continuations/continuation.cpp

// Half the cost of parking and waking up: the default time for which a thread spins before it parks (the ski rental
// argument).
inline constexpr Picoseconds patience = 5'000'000;  // d: half of the 10 us round trip
inline constexpr u32 patience_reads = static_cast<u32>(patience / (pause + l1_hit));

inline constexpr u32 sockets = 2, cores_per_socket = 18, threads_per_core = 2;
inline constexpr u32 cores = sockets * cores_per_socket, maximum_cpus = cores * threads_per_core;

}  // namespace keyhole::cost_model
