// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the state of one lock, in the terms of its algorithm, from the recorded steps. It works like
// runtime/sync/picture, and uses the same table of steps, which is in the page's head. tests/model/pictures.py compares
// the two, step by step.
import type { Effect, Family, LockPicture, OwnPicture, StepRow, Waiter } from "./types";

const [FREE, HELD, INFLATED] = [0b01, 0b00, 0b10];
const HELD_FLAG = 1; // a header flag of hashchains+3 and of cjm-by
const lockOf = (header: number) => header & 3;
const flagsOf = (header: number) => header >> 2;
const headerOf = (lock: number, flags = 0) => lock | (flags << 2);
const hasMonitors = (family: Family) => ["monitor", "legacy", "lightweight", "table"].includes(family);
const hasElements = (family: Family) => ["fifo", "by", "hybrid"].includes(family);

export interface Change {
  step: number;
  rule: number;
  isMonitors: boolean;
  header: number | undefined;
}

// | 15 monitor's | 14..10 header | 9 has header | 8..5 rule | 4..0 step |
export const unpack = (packed: number): Change => ({
  step: packed & 31,
  rule: (packed >> 5) & 15,
  isMonitors: ((packed >> 15) & 1) !== 0,
  header: ((packed >> 9) & 1) !== 0 ? (packed >> 10) & 31 : undefined,
});

export class Reconstruction {
  picture: OwnPicture = {
    header: FREE,
    owner: 0,
    levels: 0,
    queue: [],
    waiters: [],
    successor: 0,
    isHashed: false,
    isTabled: false,
  };
  private held = new Map<number, number>();
  private givenUp = new Map<number, number>(); // by thread: number of nesting levels that Object.wait has released

  constructor(
    readonly family: Family,
    private rows: StepRow[],
  ) {}

  change(subject: number, change: Change) {
    const row = this.rows[change.step];
    if (row === undefined) return;
    const [name, owner, queue, waiters, successor] = row;
    const next = { ...this.picture };
    this.picture = next;
    if (owner === "subject") this.setOwner(subject);
    if (owner === "nobody" && next.owner === subject) this.setOwner(0);
    next.queue = listAfter(next.queue, queue, subject);
    next.waiters = listAfter(next.waiters, waiters, subject);
    if (successor === "subject") next.successor = subject;
    if (successor === "nobody") next.successor = 0;
    if (name === "hashed") next.isHashed ||= !change.isMonitors || this.hasMonitor();
    if (name === "unhashed") next.isHashed = false;
    if (name === "tabled") next.isTabled = true;
    if (name === "deflated") next.isTabled = false;
    if (change.header !== undefined) next.header = change.header;
    if (hasMonitors(this.family) && !this.hasMonitor()) next.successor = 0;
  }

  entered(thread: number) {
    this.picture = { ...this.picture };
    this.held.set(thread, (this.held.get(thread) ?? 0) + 1);
    if (this.picture.owner !== thread) this.snippet(true);
    this.hasLock(thread);
  }

  // `saysMore`: a lock_change of the same thread follows and changes the owner, so this event must not change it.
  exited(thread: number, saysMore: boolean) {
    this.picture = { ...this.picture };
    const levels = Math.max((this.held.get(thread) ?? 0) - 1, 0);
    this.held.set(thread, levels);
    if (this.picture.owner !== thread || saysMore) return;
    if (levels === 0) {
      this.snippet(false);
      this.setOwner(0);
    } else {
      this.setOwner(thread);
    }
  }

  waits(thread: number) {
    this.picture = { ...this.picture };
    this.givenUp.set(thread, this.held.get(thread) ?? 0);
    this.held.set(thread, 0);
    if (this.picture.owner === thread) this.setOwner(thread);
  }

  waited(thread: number) {
    this.picture = { ...this.picture };
    const given = this.givenUp.get(thread) ?? 0;
    this.held.set(thread, given === 0 ? 1 : given);
    this.givenUp.set(thread, 0);
    this.hasLock(thread);
  }

  hashed() {
    this.picture = { ...this.picture, isHashed: true };
  }

  private setOwner(thread: number) {
    this.picture.owner = thread;
    this.picture.levels = thread === 0 ? 0 : (this.held.get(thread) ?? 0);
  }
  private hasLock(thread: number) {
    this.setOwner(thread);
    this.picture.queue = listAfter(this.picture.queue, "leaves", thread);
    this.picture.waiters = listAfter(this.picture.waiters, "leaves", thread);
  }
  private hasMonitor() {
    return lockOf(this.picture.header) === INFLATED;
  }

  // Handles a thread that has acquired or released the lock in its inline fast path (snippet).
  private snippet(takes: boolean) {
    const { family, picture } = this;
    if (hasMonitors(family) && lockOf(picture.header) >= INFLATED) return;
    if (family === "monitor") picture.header = headerOf(INFLATED);
    if (family === "monitor" || family === "chains") return;
    let flags = flagsOf(picture.header);
    if (family === "chains_plus3" || family === "by") flags = takes ? flags | HELD_FLAG : flags & ~HELD_FLAG;
    const othersWait = hasElements(family) && (picture.queue.length > 0 || picture.waiters.length > 0);
    if (family === "chains_plus3") picture.header = headerOf(FREE, flags);
    else picture.header = takes || othersWait ? headerOf(HELD, flags) : headerOf(FREE);
  }
}

// Returns owner, queue and waiters in the terms of the algorithm, with the time and place of each thread's event. If
// the recording has no steps of the algorithm, derives them from the lock events.
export function asAlgorithmHasIt(picture: LockPicture): LockPicture {
  const { own } = picture;
  if (own === undefined) return picture;
  const known = [...picture.blocked, ...picture.waiting];
  const waiter = (thread: number): Waiter =>
    known.find((each) => each.thread === thread) ?? { thread, since: -1, site: 0 };
  return {
    ...picture,
    owner: own.owner,
    levels: own.levels,
    site: own.owner === picture.owner ? picture.site : 0,
    blocked: own.queue.map(waiter),
    waiting: own.waiters.map(waiter),
    bits: (own.header & 3) === 3 ? "00" : (own.header & 3).toString(2).padStart(2, "0"),
    isInflated: (own.header & 3) === 2,
  };
}

function listAfter(list: number[], effect: Effect, thread: number): number[] {
  if (effect === "joins") return [...list, thread];
  return effect === "leaves" ? list.filter((each) => each !== thread) : list;
}

// The states of the header for each family of algorithms: lock bits, flags, description.
export type HeaderWord = [lock: string, name: string, meaning: string, isNow: (lock: number, flags: number) => boolean];
const word = (lock: number, name: string, meaning: string): HeaderWord => [
  lock.toString(2).padStart(2, "0"),
  name,
  meaning,
  (now) => now === lock,
];
const flag = (bit: number, name: string, meaning: string): HeaderWord => [
  "",
  name,
  meaning,
  (lock, flags) => (flags & bit) !== 0 && lock !== 3,
];
const free = word(FREE, "free", "nobody holds it, nobody waits");
const inflated = word(INFLATED, "inflated", "a monitor says who holds it, queues and waits");
const engaged = word(HELD, "engaged", "the header leads to a queue element");
export const headerWords: Record<Family, HeaderWord[]> = {
  monitor: [word(FREE, "free", "it has no monitor"), inflated],
  legacy: [
    free,
    word(HELD, "held", "the header leads to the holder's lock record"),
    word(3, "inflating", "somebody copies the record into a monitor"),
    inflated,
  ],
  lightweight: [free, word(HELD, "held", "the holder's lock stack has it"), inflated],
  table: [
    free,
    word(HELD, "held", "the holder's lock stack has it"),
    word(INFLATED, "inflated", "the table leads to its monitor"),
  ],
  chains: [word(FREE, "untouched", "records on the bucket's chain say all")],
  chains_plus3: [
    ["01", "free", "nobody holds it", (_, flags) => (flags & 1) === 0],
    flag(1, "locked", "a thread holds it"),
    flag(2, "waiters exist", "a thread queues, or did lately: the exit looks at the chain"),
  ],
  fifo: [free, engaged],
  by: [
    free,
    engaged,
    flag(1, "held", "a thread holds it"),
    flag(2, "roused", "the first of the queue is awake"),
    flag(4, "starving", "the next exit hands the lock over"),
  ],
  hybrid: [free, engaged, flag(1, "vacant", "nobody holds it, but threads wait")],
};
