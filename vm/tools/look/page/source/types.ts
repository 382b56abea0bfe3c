// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Types that several modules share: tables in the page's data, and the steps of one lock. They are in this file so that
// modules do not import each other in a cycle (tests/check_imports.py).

// ---- tables of the page's head --------------------------------------------------------------------------------------

export type Effect = "same" | "subject" | "nobody" | "joins" | "leaves";
export type StepRow = [name: string, owner: Effect, queue: Effect, waiters: Effect, successor: Effect, sentence: string];
export type Family =
  "monitor" | "legacy" | "lightweight" | "table" | "chains" | "chains_plus3" | "fifo" | "by" | "hybrid";

export interface LockRules {
  rules: Record<number, string>; // by lock_change's detail
  // Rules, indexed by the header before the event. `takes` is the rule by which the inline fast path acquires the lock,
  // `lets_go` the rule by which it releases the lock, `level` the rule of a nested enter or exit.
  takes: string[];
  lets_go: string[];
  level: string[];
}

// ---- one lock, step by step ----------------------------------------------------------------------------------------

// The state of a lock in the terms of its algorithm (reconstruction.ts).
export interface OwnPicture {
  header: number; // HeaderState::bits
  owner: number;
  levels: number;
  queue: number[];
  waiters: number[];
  successor: number;
  isHashed: boolean;
  isTabled: boolean;
}

export interface Waiter {
  thread: number;
  since: number;
  site: number;
}

// The lock after a step.
export interface LockPicture {
  owner: number; // 0: the recording knows no owner
  levels: number;
  site: number; // the place where the owner acquired the lock
  blocked: Waiter[]; // in the order of arrival
  waiting: Waiter[]; // in Object.wait
  bits: string; // the header's lock bits; "": no event has contained them yet
  isInflated: boolean;
  hash: number | undefined;
  address: number | undefined;
  own?: OwnPicture; // the lock's state in the terms of its algorithm
}

export interface Step {
  number: number; // the event's number
  time: number;
  thread: number;
  kind: number;
  detail: number;
  subject: number; // a step's thread
  site: number; // the number of a text
  before: string; // the header's lock bits before the step; "": the event does not contain them
  after: string;
  rule: string; // the rule that allows the step; "": the step changes nothing, or no rule covers it
  sentence: string;
  picture: LockPicture;
}

// ---- the data of --compare-locks -------------------------------------------------------------------------------------

type Counters = Record<string, number>;

export interface Simulated {
  nanoseconds: number;
  counters: Counters;
}

interface ComparedObject {
  class: string;
  site: string;
  enters: number;
  contended: number;
  waited_ns: number;
  threads: number;
  jain: number | null;
}

export interface Mode {
  mode: string; // "<locking mode>", or "<locking mode> with <variant>"
  locking_mode: string;
  refuses?: string;
  output_differs: boolean;
  wall_ms: number;
  cpu_ms: number;
  wall_chance: number;
  cpu_chance: number;
  runs: { wall_ms: number; cpu_ms: number; counters: Counters }[];
  counters: Counters;
  recorded?: {
    enters: number;
    contended: number;
    waits: number;
    futile_wake_ups: number;
    inflations: Counters;
    waited_ns: Record<"p50" | "p99" | "p999" | "most", number>;
    hot: ComparedObject[];
  };
  simulated?: { here: Simulated | null; there: Simulated | null };
}

export interface Comparison {
  command: string;
  base: string;
  processors: number;
  simulation: null | {
    cpus: number;
    threads: number;
    locks: number;
    objects: number;
    inside_ns: number;
    outside_ns: number;
  };
  modes: Mode[];
  hotspot?: Mode; // the `java` of the library's JDK; it has no counters, no recording and no simulation
  words: string[];
}
