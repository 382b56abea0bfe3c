// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Types that several modules share: tables in the page's data, the steps of one lock. They are here so that modules do
// not import each other in a circle (tests/check_imports.py).

// ---- tables of the page's head --------------------------------------------------------------------------------------

export type Effect = "same" | "subject" | "nobody" | "joins" | "leaves";
export type StepRow = [name: string, owner: Effect, queue: Effect, waiters: Effect, successor: Effect, sentence: string];
export type Family =
  "monitor" | "legacy" | "lightweight" | "table" | "chains" | "chains_plus3" | "fifo" | "by" | "hybrid";

export interface LockRules {
  rules: Record<number, string>; // by lock_change's detail
  // The index is the header before the event. `takes`: the rule by which a snippet acquires the lock without a slow
  // path; `lets_go`: the rule by which it releases the lock; `level`: the rule of a nested enter or exit.
  takes: string[];
  lets_go: string[];
  level: string[];
}

// ---- one lock, step by step ----------------------------------------------------------------------------------------

// A lock as its algorithm sees it (reconstruction.ts).
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
  owner: number; // 0: nobody, as far as the recording knows
  levels: number;
  site: number; // the place where the owner acquired it
  blocked: Waiter[]; // in the order of arrival
  waiting: Waiter[]; // in Object.wait
  bits: string; // the header's lock bits, "": no event has shown them yet
  isInflated: boolean;
  hash: number | undefined;
  address: number | undefined;
  own?: OwnPicture; // the lock as its algorithm sees it
}

export interface Step {
  number: number; // the event's number
  time: number;
  thread: number;
  kind: number;
  detail: number;
  subject: number; // a step's thread
  site: number; // the number of a text
  before: string; // the header's lock bits, "" where the event does not say
  after: string;
  rule: string; // the rule that allows it; "": it changes nothing, or no rule covers it
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
  mode: string; // "<locking mode> with <variant>", where there is one
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
  words: string[];
}
